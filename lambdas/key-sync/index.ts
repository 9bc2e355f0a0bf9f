/** The key reconciliation on AWS. */
import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod/mini';
import { createGatewayKeyAdministration, createKeyCopy } from '../../core/access/gateway-administration.ts';
import { createKeyStore, KEY_PREFIXES, PUBLISHED_TIERS } from '../../core/access/keys.ts';
import { METRICS } from '../../core/contracts/log.ts';
import { storeWiring } from '../function-tables.ts';
import { readEnvironment, type StoreWiring, text } from '../wiring.ts';
import { createKeySync, type ExpectedKey } from './key-sync.ts';

/** The control plane allows ten calls a second for the whole account. */
const ATTEMPTS = 8;

/** A log line takes 256 kB. */
const KEYS_LOGGED = 100;

const variablesSchema = z.object({
  API_STAGE: text,
  API_ID: text,
  /** The archive, where S3 copies it to another region. */
  KEY_COPY_BUCKET: z.optional(text),
  KEY_PREFIX: z.enum([KEY_PREFIXES.dev, KEY_PREFIXES.live]),
});

function keySyncFunction({ variables, openTables, wallClock, log }: StoreWiring) {
  const { API_ID, API_STAGE, KEY_COPY_BUCKET, KEY_PREFIX } = readEnvironment(variablesSchema, variables);
  const synchronize = createKeySync({
    listing: createGatewayKeyAdministration(
      new APIGatewayClient({ maxAttempts: ATTEMPTS, retryMode: 'adaptive' }),
      { stage: API_STAGE, apiId: API_ID },
    ),
    keys: createKeyStore(openTables(['apiKeys'], 'patient').apiKeys),
    scope: { stage: API_STAGE, prefix: KEY_PREFIX, tiers: PUBLISHED_TIERS },
    copy: KEY_COPY_BUCKET === undefined ? undefined : createKeyCopy(new S3Client({}), KEY_COPY_BUCKET),
    onIgnored(keyIds) {
      log.warn('keys are ignored: no secret goes with their value, or another key has the same secret', {
        keyIds: [...keyIds],
      });
      log.metric(METRICS.unusableKey, keyIds.length);
    },
    onUnknownTier(plans) {
      log.warn(
        'the tag pcd:tier of these plans names no tier: their keys are refused, or their loss is held',
        {
          plans: plans.map(({ id, name, tier }) => ({ id, name, tier })),
        },
      );
    },
    onHeldLoss(rows) {
      log.error('many keys would lose their plan: held for 15 minutes, then applied', {
        keys: rows.length,
        planIds: [...new Set(rows.map(({ planId }) => planId))],
        keyIds: rows.slice(0, KEYS_LOGGED).map(({ keyId }) => keyId),
      });
      log.metric(METRICS.heldLoss, rows.length);
    },
    now: wallClock,
  });
  /** A schedule, an event or the key command starts it; each run lists all keys and plans. */
  return async (event?: { readonly expected?: ExpectedKey }) => {
    const report = await synchronize(event?.expected);
    log.info('the key table equals the keys of the gateway', { ...report });
    return report;
  };
}

export const handler = keySyncFunction(storeWiring(process.env));
