/** Keys and plans in API Gateway's control plane, through its SDK. */
import {
  type APIGatewayClient,
  type ApiKey,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
  DeleteApiKeyCommand,
  DeleteUsagePlanKeyCommand,
  GetApiKeysCommand,
  GetUsagePlanKeysCommand,
  GetUsagePlansCommand,
  type PatchOperation,
  UpdateApiKeyCommand,
  type UsagePlan,
} from '@aws-sdk/client-api-gateway';
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import {
  type AdministeredKey,
  type AdministeredPlan,
  KEY_COPY,
  type KeyAdministration,
  KeyAdministrationFailure,
  type KeyAdministrationReason,
  STAGE_TAG,
  TIER_TAG,
} from './administration.ts';
import type { KeyRow } from './keys.ts';

/** The control plane's own limit on a page. */
const MAX_PAGE = 500;

const REASONS: Readonly<Record<string, KeyAdministrationReason>> = {
  CredentialsProviderError: 'no_credentials',
  TokenProviderError: 'no_credentials',
  UnrecognizedClientException: 'no_credentials',
  InvalidSignatureException: 'no_credentials',
  ExpiredTokenException: 'no_credentials',
  AccessDeniedException: 'not_allowed',
  UnauthorizedException: 'not_allowed',
  NotFoundException: 'unknown',
  ResourceNotFoundException: 'unknown',
  ConflictException: 'conflict',
};

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Runs a call of the AWS SDK; throws KeyAdministrationFailure, which names the operation (`what`), when the call fails. */
export async function asked<T>(what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    const { name, message } = cause instanceof Error ? cause : new Error(String(cause));
    const reason = /region is missing/i.test(message) ? 'no_credentials' : (REASONS[name] ?? 'unavailable');
    throw new KeyAdministrationFailure(reason, `${what}: ${oneLine(message)}`, { cause });
  }
}

/** All items, page by page. A repeated position is an error, because it would never end. */
async function everyPage<T>(
  what: string,
  fetchPage: (from: { limit: number; position?: string | undefined }) => Promise<{
    items?: T[] | undefined;
    position?: string | undefined;
  }>,
): Promise<T[]> {
  const items: T[] = [];
  const seen = new Set<string | undefined>();
  let position: string | undefined;
  do {
    seen.add(position);
    const page = await asked(what, () => fetchPage({ limit: MAX_PAGE, position }));
    items.push(...(page.items ?? []));
    position = page.position;
    if (position !== undefined && seen.has(position))
      throw new KeyAdministrationFailure('unavailable', `${what}: received the same page twice`);
  } while (position !== undefined);
  return items;
}

/** A key without id or value means an incomplete listing. */
function toKey({ id, name = '', value, enabled = false, createdDate, tags }: ApiKey): AdministeredKey {
  if (id === undefined || value === undefined)
    throw new KeyAdministrationFailure('unavailable', 'listing keys: a key lacks its id or value');
  return { id, name, value, enabled, created: createdDate?.toISOString(), stage: tags?.[STAGE_TAG] };
}

function toPlan({ id = '', name = '', tags, throttle }: UsagePlan): AdministeredPlan {
  const { rateLimit: ratePerSecond, burstLimit: burst } = throttle ?? {};
  const isThrottled = ratePerSecond !== undefined && burst !== undefined;
  return { id, name, tier: tags?.[TIER_TAG], throttle: isThrottled ? { ratePerSecond, burst } : undefined };
}

/** Administers the keys of one stage of the API: an account may have several APIs with a stage of that name. */
export function createGatewayKeyAdministration(
  client: APIGatewayClient,
  scope: { readonly stage: string; readonly apiId: string },
): KeyAdministration {
  const grantsHere = ({ apiStages = [] }: UsagePlan): boolean =>
    apiStages.some(({ apiId, stage }) => stage === scope.stage && apiId === scope.apiId);

  const patch = async (what: string, keyId: string, operation: PatchOperation): Promise<void> => {
    await asked(what, () =>
      client.send(
        new UpdateApiKeyCommand({ apiKey: keyId, patchOperations: [{ op: 'replace', ...operation }] }),
      ),
    );
  };

  return {
    async keys() {
      const keys = await everyPage('listing keys', (from) =>
        client.send(new GetApiKeysCommand({ includeValues: true, ...from })),
      );
      return keys.map(toKey);
    },
    async plans() {
      const plans = await everyPage('listing plans', (from) => client.send(new GetUsagePlansCommand(from)));
      return plans.filter(grantsHere).map(toPlan);
    },
    async keyIdsOf(planId) {
      const members = await everyPage(`listing the keys of plan ${planId}`, (from) =>
        client.send(new GetUsagePlanKeysCommand({ usagePlanId: planId, ...from })),
      );
      return members.flatMap(({ id }) => (id === undefined ? [] : [id]));
    },
    async create({ name, digest, stage }) {
      const { id } = await asked('creating the key', () =>
        client.send(
          new CreateApiKeyCommand({ name, value: digest, enabled: true, tags: { [STAGE_TAG]: stage } }),
        ),
      );
      if (id === undefined) throw new KeyAdministrationFailure('unavailable', 'the new key has no id');
      return id;
    },
    rename: (keyId, name) => patch('renaming the key', keyId, { path: '/name', value: name }),
    setEnabled: (keyId, enabled) =>
      patch(enabled ? 'enabling the key' : 'disabling the key', keyId, {
        path: '/enabled',
        value: String(enabled),
      }),
    async addToPlan(keyId, planId) {
      await asked('putting the key on the plan', () =>
        client.send(new CreateUsagePlanKeyCommand({ usagePlanId: planId, keyId, keyType: 'API_KEY' })),
      );
    },
    async removeFromPlan(keyId, planId) {
      await asked('taking the key off its plan', () =>
        client.send(new DeleteUsagePlanKeyCommand({ usagePlanId: planId, keyId })),
      );
    },
    async delete(keyId) {
      await asked('deleting the key', () => client.send(new DeleteApiKeyCommand({ apiKey: keyId })));
    },
  };
}

// A list of the keys beside the archive, from which they can be made again where the key table and the gateway are
// lost.

/** JSON whose bytes do not depend on the order in which DynamoDB returns the attributes of a row. The values are flat. */
const orderedJson = (row: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))));

/** Writes the list, sorted by digest, so that the same keys give the same object. Rejects with what S3 says. */
export const createKeyCopy =
  (client: Pick<S3Client, 'send'>, bucket: string) =>
  async (rows: readonly KeyRow[]): Promise<void> => {
    const sorted = rows.toSorted((a, b) => (a.digest < b.digest ? -1 : 1));
    const Body = `[${sorted.map(orderedJson).join(',')}]`;
    await client.send(
      new PutObjectCommand({ Bucket: bucket, Key: KEY_COPY, Body, ContentType: 'application/json' }),
    );
  };
