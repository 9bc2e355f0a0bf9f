/** The tables that a release on this machine reads: of a running service, of a data directory, or as the environment names them. */
import { join } from 'node:path';
import type { Instant } from '../../core/reference/time.ts';
import { RELEASE_READS, type ReleaseRequest } from '../../core/release/release.ts';
import { openFunctionTables, PATIENT_RESPONSE_MS } from '../../core/store/open-tables.ts';
import { TABLES } from '../../core/store/tables.ts';
import { awsEnvironment } from '../../local/functions/aws-environment.ts';
import { openBuiltService } from '../../local/service/built-service.ts';
import { findService } from '../../local/service/data-directory.ts';
import { liveDirectory } from '../../local/service/data-mode.ts';
import { planIngest } from '../../local/service/ingest-schedule.ts';
import { startEmbeddedStore } from '../../local/store/embedded-store.ts';
import { createTables } from '../../local/store/tables.ts';
import { readServiceModel } from '../../local/template/service-model.ts';

const DEFAULT_DATA_DIR = '.data';
const DEFAULT_URL = 'http://127.0.0.1:3000';

export interface OpenedTables {
  readonly tables: ReleaseRequest['tables'];
  /** Where the service serves its releases, with a slash at the end. */
  readonly address: string;
  /** The time by the service's clock, which a recording or `--now` sets. */
  readonly nowAt: Instant;
  close(): Promise<void>;
}

/** Throws `StartError` when the data directory cannot be used. */
export async function openReleaseTables(
  dataDir: string | undefined,
  say: (line: string) => void,
): Promise<OpenedTables> {
  const open = () => openFunctionTables(RELEASE_READS, process.env, PATIENT_RESPONSE_MS);
  if (dataDir === undefined && process.env[TABLES.ports.variable] !== undefined)
    return {
      tables: open(),
      address: `${DEFAULT_URL}/data/`,
      nowAt: Date.now(),
      close: async () => undefined,
    };
  const directory = dataDir ?? DEFAULT_DATA_DIR;
  const running = findService(directory);
  const { assembly } = await openBuiltService(
    () => say('building the handlers and the stacks, a few seconds'),
    new AbortController().signal,
  );
  const model = readServiceModel(assembly);
  const store =
    running === undefined
      ? await startEmbeddedStore({ directory: join(liveDirectory(directory), 'store') })
      : { endpoint: running.store, close: async () => undefined };
  if (running === undefined) await createTables(store.endpoint, model.tables);
  say(running === undefined ? `reading ${liveDirectory(directory)}` : `reading the service on ${directory}`);
  const { functionArn } = planIngest(model.schedules, { sources: [] });
  const endpoints = { storeEndpoint: store.endpoint, controlPlaneEndpoint: store.endpoint };
  Object.assign(process.env, model.functions.get(functionArn)?.environment, awsEnvironment(endpoints));
  return {
    tables: open(),
    address: `${running?.url ?? DEFAULT_URL}/data/`,
    nowAt: Date.now() + (running?.clockOffsetMs ?? 0),
    close: () => store.close(),
  };
}
