/** The signature against the SDK's own signer. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Credentials, createSigner } from '../../../core/store/request-signature.ts';

const CONTENT_TYPE = 'application/x-amz-json-1.0';
const printable = fc.string({ unit: fc.constantFrom(...'abcXYZ019/+='), minLength: 1, maxLength: 40 });

const signing = fc.record({
  region: fc.constantFrom('us-east-1', 'ap-east-1', 'cn-north-1'),
  host: fc.constantFrom('dynamodb.us-east-1.amazonaws.com', '127.0.0.1:8000'),
  target: fc.constantFrom('DynamoDB_20120810.Query', 'DynamoDB_20120810.UpdateItem'),
  body: fc.string({ unit: 'grapheme' }),
  credentials: fc.record(
    { accessKeyId: printable, secretAccessKey: printable, sessionToken: printable },
    { requiredKeys: ['accessKeyId', 'secretAccessKey'] },
  ),
  at: fc.date({
    min: new Date('2020-01-01T00:00:00Z'),
    max: new Date('2099-12-31T23:59:59Z'),
    noInvalidDate: true,
  }),
});
type Signing = typeof signing extends fc.Arbitrary<infer T> ? T : never;

async function signatureOfSdk({ region, host, target, body, credentials, at }: Signing) {
  const { config } = new DynamoDBClient({ region, credentials });
  const scheme = { name: 'sigv4', signingName: 'dynamodb', signingRegion: region, properties: {} } as const;
  const signer = await config.signer(scheme);
  const request = await signer.sign(
    {
      method: 'POST',
      protocol: 'https:',
      hostname: host,
      path: '/',
      query: {},
      headers: { host, 'content-type': CONTENT_TYPE, 'x-amz-target': target },
      body,
    },
    // A hash of the body is a header of S3 alone; DynamoDB reads it from the signature.
    { signingDate: at, unsignableHeaders: new Set(['x-amz-content-sha256']) },
  );
  return { 'X-Amz-Date': request.headers['x-amz-date'], Authorization: request.headers.authorization };
}

describe('the signature of a request', () => {
  it('is the one that the SDK makes, whatever is signed and in whatever order', async () => {
    // One signer for all: its cached key must never be that of other credentials, another region or another day.
    const sign = createSigner();
    await fc.assert(
      fc.asyncProperty(signing, async (given) => {
        const { credentials, at, ...parts } = given;
        const own = sign({ ...parts, contentType: CONTENT_TYPE }, credentials as Credentials, at);
        expect(own).toEqual(await signatureOfSdk(given));
      }),
      { numRuns: 300 },
    );
  });
});
