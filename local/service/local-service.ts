/** The service on one machine: the API of a synthesized assembly with demo keys, a portal, and something to ingest. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Instant } from '../../core/reference/time.ts';
import type { Invoke } from '../functions/functions.ts';
import { type LocalApi, type LocalApiOptions, startLocalApi } from '../index.ts';
import type { ServiceModel } from '../template/model.ts';
import { readServiceModel } from '../template/service-model.ts';
import { datasetFront } from './dataset.ts';
import { benchPlan, type DemoKeys, readDemoKeys, seedKeys } from './demo-keys.ts';
import { type Front, withFronts } from './front.ts';
import { housekeepingOf, type LocalIngest, nextPass, planIngest } from './ingest-schedule.ts';
import { mcpFront } from './mcp.ts';
import { portalFront } from './portal.ts';
import { statusFront } from './status.ts';

export interface LocalServiceOptions
  extends Omit<LocalApiOptions, 'model' | 'morePlans' | 'prepare' | 'front'> {
  /** Folder of the synthesized cloud assembly. */
  readonly assembly: string;
  /** Demo keys; by default those of the product. */
  readonly keys?: DemoKeys;
  /** How far the service's clock is ahead of the machine's, in milliseconds. */
  readonly clockOffsetMs?: number | undefined;
  /** Folder of the raw archive; by default inside the data directory. */
  readonly rawArchive?: string | undefined;
  /** What is ingested; nothing when absent. */
  readonly ingest?: LocalIngest | undefined;
  /** Folder of the built portal; only the API is served when absent. */
  readonly portalDirectory?: string | undefined;
  /** Folder of the releases that are served below `/data/`; none when absent. */
  readonly releases?: string | undefined;
  /** Folder of the releases that are served until there are some in `releases`; none when absent. */
  readonly ownRelease?: string | undefined;
  /** Recorded replies are replayed up to this time, ISO 8601; undefined where something is fetched. */
  readonly recordedUntil?: string | undefined;
}

export interface LocalService extends LocalApi {
  readonly model: ServiceModel;
  readonly keys: DemoKeys;
  /** Calls the ingest function with an event; undefined when nothing is ingested. */
  readonly ingest: Invoke | undefined;
  /** When a source has its next scheduled pass, not before the given time; undefined when it has none. */
  nextPassAt(source: string, notBefore: Instant): Instant | undefined;
  /** Begins to run what the template schedules and what this start ingests. */
  startSchedules(): void;
  /** Applies a change of keys or plans to the key table at once, instead of with the next scheduled run. */
  runHousekeeping(): Promise<void>;
}

export interface ServiceVariables {
  /** Folder of the raw archive. */
  readonly archive: string;
  /** Where verdicts on archived fetches are written: the archive itself, unless others own it. */
  readonly notes: string;
  /** Folder of the states and calls that are derived from archived positions. */
  readonly steps: string;
  readonly clockOffsetMs: number;
}

/** Environment variables of the service's functions on one machine, in addition to those of AWS. */
export const serviceEnvironment = ({ archive, notes, steps, clockOffsetMs }: ServiceVariables) => ({
  CLOCK_OFFSET_MS: String(Math.round(clockOffsetMs)),
  RAW_ARCHIVE: pathToFileURL(archive).href,
  ARCHIVE_NOTES: pathToFileURL(notes).href,
  POSITION_STEPS: pathToFileURL(steps).href,
  /** One owner for all processes on a data directory: the lease of a pass that was killed does not block the next. */
  LEASE_OWNER: 'local',
  LOCAL_PLANS: 'true',
  POWERTOOLS_TRACE_ENABLED: 'false',
});

/** The model with the ingest function's module and variables as this machine has them. */
function withLocalIngest(model: ServiceModel, ingest: LocalIngest | undefined): ServiceModel {
  if (ingest === undefined) return model;
  const { functionArn } = planIngest(model.schedules, ingest);
  const deployed = model.functions.get(functionArn);
  if (!deployed) return model;
  const { bundle: file = deployed.file, environment } = ingest;
  const local = { ...deployed, file, environment: { ...deployed.environment, ...environment } };
  return { ...model, functions: new Map(model.functions).set(functionArn, local) };
}

/** The folders of archive and derived steps: in the data directory, else in a temporary one, which `remove` removes. */
function openFolders({ dataDirectory, rawArchive }: LocalServiceOptions) {
  const folder = dataDirectory ?? mkdtempSync(join(tmpdir(), 'archive-'));
  return {
    archive: rawArchive ?? join(folder, 'archive'),
    notes: join(folder, rawArchive === undefined ? 'archive' : 'verdicts'),
    steps: join(folder, 'positions'),
    remove: () => {
      if (dataDirectory === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What this machine serves beside the API. */
const frontsOf = (
  { portalDirectory, releases, ownRelease, recordedUntil }: LocalServiceOptions,
  demoKey: string,
  status: Front,
): Front[] => [
  mcpFront(demoKey),
  status,
  ...(releases === undefined ? [] : [datasetFront(releases, ownRelease)]),
  ...(portalDirectory === undefined ? [] : [portalFront(portalDirectory, { demoKey, recordedUntil })]),
];

/** Starts everything but the first ingest pass. Throws `StartError` when it cannot. */
export async function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
  const { assembly, ingest, keys = readDemoKeys(), clockOffsetMs = 0, recordedUntil, rawArchive } = options;
  const model = withLocalIngest(readServiceModel(assembly), ingest);
  const { archive, notes, steps, remove } = openFolders(options);
  const housekeeping = housekeepingOf(model.schedules);
  const plan = ingest && planIngest(model.schedules, ingest);
  const runHousekeepingOn = async ({ invokerOf }: Pick<LocalApi, 'invokerOf'>): Promise<void> => {
    for (const { functionArn, input } of housekeeping) await invokerOf(functionArn)(input);
  };
  let api: LocalApi | undefined;
  const close = async (): Promise<void> => {
    await api?.close();
    remove();
  };
  try {
    const started = await startLocalApi({
      ...options,
      model,
      morePlans: [benchPlan(model.apiId, model.stage)],
      environment: {
        ...serviceEnvironment({ archive, notes, steps, clockOffsetMs }),
        // The replies of such an archive were fetched by another deployment.
        ...(rawArchive === undefined ? {} : { REPLAYS: 'true' }),
        ...options.environment,
      },
      // A key that is refused before it is known stays refused for as long as the gateway caches a refusal.
      prepare: async ({ controlPlane, invokerOf }) => {
        seedKeys(controlPlane, keys, model.stage);
        await runHousekeepingOn({ invokerOf });
      },
      front: (gateway, storeEndpoint) => {
        const status = statusFront({ model, clockOffsetMs, recordedUntil }, storeEndpoint);
        return withFronts(gateway, frontsOf(options, keys.demo, status));
      },
    });
    api = started;
    return {
      ...started,
      model,
      keys,
      ingest: plan && started.invokerOf(plan.functionArn),
      nextPassAt: (source, notBefore) =>
        plan && nextPass(plan, source, Date.now() + clockOffsetMs, notBefore),
      startSchedules: () => started.startSchedules([...housekeeping, ...(plan?.schedules ?? [])]),
      runHousekeeping: () => runHousekeepingOn(started),
      close,
    };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}
