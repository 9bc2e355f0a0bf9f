/**
 * Malformed or unknown keys: Deny, which the gateway turns into a 401. Keys that are disabled or on no plan: Allow with that
 * state, which becomes a 403. The policy is for the whole stage, so that the gateway can cache it for every endpoint.
 */
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import {
  createKeyStore,
  encodeContext,
  gatewayValue,
  isKeyOf,
  KEY_PREFIXES,
  type KeyPrefix,
  type KeyRow,
  type KeyStore,
  keyContext,
  keyDigest,
} from '../../core/access/keys.ts';
import { KEY_HEADER } from '../../core/contracts/wire.ts';
import type { Clock } from '../../core/reference/time.ts';
import { readEnvironment, type StoreWiring } from '../wiring.ts';

interface AuthorizerDependencies {
  readonly keys: Pick<KeyStore, 'find'>;
  /** What the keys of this stage begin with. */
  readonly prefix: KeyPrefix;
  readonly now: Clock;
}

type Event = Pick<APIGatewayRequestAuthorizerEvent, 'methodArn' | 'headers' | 'multiValueHeaders'>;

/** The gateway turns exactly this message into its response to a request without a key. */
const NO_KEY = 'Unauthorized';
const UNKNOWN_PRINCIPAL = 'unknown';

/** Every value of the key header, in any case of its name. */
function keysSent({ headers, multiValueHeaders }: Event): Set<string> {
  const isKey = ([name]: [string, unknown]) => name.toLowerCase() === KEY_HEADER.toLowerCase();
  const several = Object.entries(multiValueHeaders ?? {})
    .filter(isKey)
    .flatMap(([, values]) => values ?? []);
  const single = Object.entries(headers ?? {})
    .filter(isKey)
    .map(([, value]) => value ?? '');
  return new Set([...several, ...single].filter((value) => value !== ''));
}

/** `arn:…:api/stage/GET/v1/…` to `arn:…:api/stage/*`. */
const wholeStage = (methodArn: string): string => `${methodArn.split('/').slice(0, 2).join('/')}/*`;

const policy = (
  effect: 'Allow' | 'Deny',
  principalId: string,
  methodArn: string,
): Pick<APIGatewayAuthorizerResult, 'principalId' | 'policyDocument'> => ({
  principalId,
  policyDocument: {
    Version: '2012-10-17',
    Statement: [{ Action: 'execute-api:Invoke', Effect: effect, Resource: wholeStage(methodArn) }],
  },
});

/** Replaces the row of an unknown key, so that unknown and disabled keys cost the same work. */
const absent = (digest: string): KeyRow => ({ digest, keyId: '', name: '', enabled: false });

/** What is known of the secret that a request sends. */
interface CheckedKey {
  /** Undefined for a secret that is malformed or unknown. */
  readonly row: KeyRow | undefined;
  /** What functions and gateway responses get to know. */
  readonly context: ReturnType<typeof encodeContext>;
}

export type KeyCheck = (secret: string) => Promise<CheckedKey | undefined>;

/** Resolves with undefined for a secret of another form. Throws what the key store throws. */
export const createKeyCheck =
  ({ keys, prefix, now }: AuthorizerDependencies): KeyCheck =>
  async (secret) => {
    if (!isKeyOf(prefix, secret)) return undefined;
    const digest = keyDigest(secret);
    const row = await keys.find(digest);
    return { row, context: encodeContext(keyContext(row ?? absent(digest)), now()) };
  };

/** Throws what the key store throws: the gateway's authorizer-failure response then reports the outage. */
export function createAuthorizer(dependencies: AuthorizerDependencies) {
  const check = createKeyCheck(dependencies);
  return async (event: Event): Promise<APIGatewayAuthorizerResult> => {
    const [secret, ...others] = keysSent(event);
    if (secret === undefined) throw new Error(NO_KEY);
    const deny = policy('Deny', UNKNOWN_PRINCIPAL, event.methodArn);
    const checked = others.length > 0 ? undefined : await check(secret);
    if (checked === undefined) return deny;
    const { row, context } = checked;
    const allow = {
      ...policy('Allow', keyDigest(secret), event.methodArn),
      context: { ...context },
      usageIdentifierKey: gatewayValue(secret, row?.heldAs),
    };
    return row === undefined ? deny : allow;
  };
}

const variablesSchema = z.object({ KEY_PREFIX: z.enum([KEY_PREFIXES.dev, KEY_PREFIXES.live]) });

/** What both the authorizer on AWS and the gateway of one machine check keys with. */
export function keyCheckDependencies({ variables, openTables, wallClock }: StoreWiring) {
  const { KEY_PREFIX: prefix } = readEnvironment(variablesSchema, variables);
  return { keys: createKeyStore(openTables(['apiKeys']).apiKeys), prefix, now: wallClock };
}

export const authorizerFunction = (wiring: StoreWiring) => createAuthorizer(keyCheckDependencies(wiring));
