/** The tables of a data directory, opened for a command that works on them as the ingest function does. */
import { join } from 'node:path';
import { awsEnvironment } from '../local/functions/aws-environment.ts';
import { openBuiltService } from '../local/service/built-service.ts';
import { planIngest } from '../local/service/ingest-schedule.ts';
import { startEmbeddedStore } from '../local/store/embedded-store.ts';
import { createTables } from '../local/store/tables.ts';
import { readServiceModel } from '../local/template/service-model.ts';

export const DEFAULT_DATA_DIR = '.data';

/** @param running address of the store of the service that runs on the directory; without one its store is started. */
export async function openLocalTables(
  directory: string,
  say: (line: string) => void,
  running: string | undefined,
  signal = new AbortController().signal,
) {
  const building = () => say('building the handlers and the stacks, a few seconds');
  const { schedules, tables, functions } = readServiceModel(
    (await openBuiltService(building, signal)).assembly,
  );
  const { functionArn } = planIngest(schedules, { sources: [] });
  const store =
    running === undefined ? await startEmbeddedStore({ directory: join(directory, 'store') }) : undefined;
  if (store !== undefined) await createTables(store.endpoint, tables);
  const endpoint = store?.endpoint ?? running ?? '';
  return {
    /** Variables of the ingest function, with the store as AWS. */
    environment: {
      ...functions.get(functionArn)?.environment,
      ...awsEnvironment({ storeEndpoint: endpoint, controlPlaneEndpoint: endpoint }),
    },
    close: async () => store?.close(),
  };
}
