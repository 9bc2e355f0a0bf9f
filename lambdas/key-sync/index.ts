/** Wiring of the key reconciliation. */
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod/mini';
import { METRIC_NAMESPACE, METRICS } from '../../core/contracts/telemetry.ts';
import { LOCAL_TIERS, PUBLISHED_TIERS } from '../../core/keys/entitlements.ts';
import { createGatewayKeyAdministration } from '../../core/keys/gateway-administration.ts';
import { KEY_PREFIXES } from '../../core/keys/key.ts';
import { createKeyCopy } from '../../core/keys/key-copy.ts';
import { createKeyStore } from '../../core/keys/key-table.ts';
import { PATIENT_RESPONSE_MS } from '../../core/store/open-tables.ts';
import { readEnvironment, text } from '../environment.ts';
import { openFunctionTables } from '../function-tables.ts';
import { createKeySync, type ExpectedKey } from './key-sync.ts';

/** The control plane allows ten calls a second for the whole account. */
const ATTEMPTS = 8;

const { API_ID, API_STAGE, KEY_COPY_BUCKET, KEY_PREFIX, LOCAL_PLANS } = readEnvironment(
  z.object({
    API_STAGE: text,
    API_ID: text,
    /** The archive, where S3 copies it to another region. */
    KEY_COPY_BUCKET: z.optional(text),
    KEY_PREFIX: z.enum([KEY_PREFIXES.dev, KEY_PREFIXES.live]),
    /** Set only by the service on one machine: plans may have the tier without limits. */
    LOCAL_PLANS: z.optional(z.literal('true')),
  }),
  process.env,
);
const { apiKeys } = openFunctionTables(['apiKeys'], process.env, PATIENT_RESPONSE_MS);
const logger = new Logger();
const metrics = new Metrics({ namespace: METRIC_NAMESPACE });

const synchronize = createKeySync({
  listing: createGatewayKeyAdministration(
    new APIGatewayClient({ maxAttempts: ATTEMPTS, retryMode: 'adaptive' }),
    { stage: API_STAGE, apiId: API_ID },
  ),
  keys: createKeyStore(apiKeys),
  scope: {
    stage: API_STAGE,
    prefix: KEY_PREFIX,
    tiers: LOCAL_PLANS === undefined ? PUBLISHED_TIERS : LOCAL_TIERS,
  },
  copy: KEY_COPY_BUCKET === undefined ? undefined : createKeyCopy(new S3Client({}), KEY_COPY_BUCKET),
  onIgnored(keyIds) {
    logger.warn('keys are ignored: no secret goes with their value, or another key has the same secret', {
      keyIds: [...keyIds],
    });
    metrics.addMetric(METRICS.unusableKey, MetricUnit.Count, keyIds.length);
  },
  onUnknownTier(plans) {
    logger.warn('keys are refused: the tag pcd:tier of their plan names no tier', {
      plans: plans.map(({ id, name, tier }) => ({ id, name, tier })),
    });
  },
});

/** A schedule, an event or the key command starts it; each run lists all keys and plans. */
export const handler = async (event?: { readonly expected?: ExpectedKey }) => {
  try {
    const report = await synchronize(event?.expected);
    logger.info('the key table equals the keys of the gateway', { ...report });
    return report;
  } finally {
    if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
  }
};
