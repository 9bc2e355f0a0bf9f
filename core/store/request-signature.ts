/**
 * Signature version 4 of a DynamoDB request: a POST to `/` without a query, which always signs the same headers.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html
 */
import { createHmac, hash } from 'node:crypto';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary credentials, such as those of a function. */
  readonly sessionToken?: string | undefined;
}

export interface SignedParts {
  readonly region: string;
  /** As in the Host header. */
  readonly host: string;
  readonly contentType: string;
  /** Value of X-Amz-Target. */
  readonly target: string;
  readonly body: string;
}

export interface Signature {
  /** Values of the headers of these names. */
  readonly 'X-Amz-Date': string;
  readonly Authorization: string;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const SERVICE = 'dynamodb';

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Returns a signer that derives the signing key once for each day and secret. */
export function createSigner(): (parts: SignedParts, credentials: Credentials, at: Date) => Signature {
  let known: { secret: string; scope: string; key: string | Buffer } = { secret: '', scope: '', key: '' };

  const signingKey = (secret: string, scope: string): string | Buffer => {
    if (known.secret !== secret || known.scope !== scope)
      known = { secret, scope, key: scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secret}`) };
    return known.key;
  };

  return ({ region, host, contentType, target, body }, credentials, at) => {
    const { accessKeyId, secretAccessKey, sessionToken } = credentials;
    // ISO 8601 in its basic form, to the second.
    const time = at.toISOString().replace(/[-:]|\.\d+/g, '');
    const scope = `${time.slice(0, 8)}/${region}/${SERVICE}/aws4_request`;
    const token = sessionToken === undefined ? '' : `x-amz-security-token:${sessionToken}\n`;
    const names = `content-type;host;x-amz-date;${token && 'x-amz-security-token;'}x-amz-target`;
    const headers = `content-type:${contentType}\nhost:${host}\nx-amz-date:${time}\n${token}x-amz-target:${target}\n`;
    const request = `POST\n/\n\n${headers}\n${names}\n${hash('sha256', body)}`;
    const text = `${ALGORITHM}\n${time}\n${scope}\n${hash('sha256', request)}`;
    const signature = hmac(signingKey(secretAccessKey, scope), text).toString('hex');
    return {
      'X-Amz-Date': time,
      Authorization: `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
    };
  };
}
