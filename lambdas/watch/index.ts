/** The watch over sources on AWS. */
import * as z from 'zod/mini';
import { METRICS, SOURCE_DIMENSION } from '../../core/contracts/log.ts';
import { createSourceStatusStore } from '../../core/store/source-status.ts';
import { storeWiring } from '../function-tables.ts';
import { readEnvironment, type StoreWiring, text } from '../wiring.ts';
import { createWatch } from './watch.ts';

const variablesSchema = z.object({ WATCHED_SOURCES: text });

function watchFunction({ variables, openTables, now, log }: StoreWiring) {
  const { WATCHED_SOURCES } = readEnvironment(variablesSchema, variables);
  const watch = createWatch({
    sources: WATCHED_SOURCES.split(','),
    statuses: createSourceStatusStore(openTables(['sourceStatus'], 'patient').sourceStatus, now),
    now,
    publish(metric, value, source) {
      if (source === undefined) log.metric(METRICS[metric], value);
      else log.metric(METRICS[metric], value, 'None', { [SOURCE_DIMENSION]: source });
    },
  });
  return async () => {
    const ages = await watch();
    log.info('ages of the last good fetches, in minutes', { ages });
    return ages;
  };
}

export const handler = watchFunction(storeWiring(process.env));
