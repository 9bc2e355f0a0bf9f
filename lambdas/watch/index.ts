/** Wiring of the watch over sources. */
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import * as z from 'zod/mini';
import { METRIC_NAMESPACE, METRICS, SOURCE_DIMENSION } from '../../core/contracts/telemetry.ts';
import { PATIENT_RESPONSE_MS } from '../../core/store/open-tables.ts';
import { createSourceStatusStore } from '../../core/store/source-status.ts';
import { readEnvironment, serviceClock, text } from '../environment.ts';
import { openFunctionTables } from '../function-tables.ts';
import { createWatch } from './watch.ts';

const { WATCHED_SOURCES } = readEnvironment(z.object({ WATCHED_SOURCES: text }), process.env);
const { sourceStatus } = openFunctionTables(['sourceStatus'], process.env, PATIENT_RESPONSE_MS);
const logger = new Logger();
const metrics = new Metrics({ namespace: METRIC_NAMESPACE });
const now = serviceClock(process.env);

const watch = createWatch({
  sources: WATCHED_SOURCES.split(','),
  statuses: createSourceStatusStore(sourceStatus, now),
  now,
  publish(metric, value, source) {
    const published = metrics.singleMetric();
    if (source !== undefined) published.addDimension(SOURCE_DIMENSION, source);
    published.addMetric(METRICS[metric], source === undefined ? MetricUnit.Count : MetricUnit.NoUnit, value);
  },
});

export const handler = async () => {
  const ages = await watch();
  logger.info('ages of the last good fetches, in minutes', { ages });
  return ages;
};
