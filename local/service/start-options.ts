/** The options of `npm start`. */
import { type Instant, parseInstant } from '../../core/reference/time.ts';
import { command, parse, UsageError } from '../command-line.ts';

const ABOUT = 'Serves the API on this machine, with an embedded store and local keys.';

const startCommand = () =>
  command('npm start --', ABOUT)
    .option('--port <n>', 'port on 127.0.0.1; 0 picks a free one', '3000')
    .option('--data-dir <dir>', 'folder of the data', '.data')
    .option(
      '--releases <dir>',
      'folder of the releases below /data/ (default: one for each origin of data, in releases in the folder of the data)',
    )
    .option(
      '--recorded',
      'the default: begin with the release in recordings/release and ingest the recorded replies in recordings/: real data, no network',
      false,
    )
    .option('--sample', 'simulate ports instead', false)
    .option(
      '--live',
      'ingest the real upstreams instead; one that needs a key is asked where the environment has it (CENSUS_API_KEY). Set CONTACT to your e-mail or https address: every request states it, so that a publisher can reach you',
      false,
    )
    .option('--replay <dir>', 'ingest recorded replies of your own instead, up to --now')
    .option(
      '--now <iso>',
      "the service's clock starts there, for example 2021-08-05T12:01:00Z (years 2000 to 2099; the sample starts over there; default with --replay: a minute after the newest recorded reply, with --recorded: a minute after the newest of Hong Kong, with --sample: now)",
    )
    .option('--no-ingest', 'serve what is there; ask and apply nothing');

interface Values {
  readonly port: string;
  readonly dataDir: string;
  readonly releases?: string;
  readonly live: boolean;
  readonly recorded: boolean;
  readonly sample: boolean;
  readonly replay?: string;
  readonly now?: string;
  readonly ingest: boolean;
}

export interface ServeOptions {
  readonly port: number;
  readonly dataDir: string;
  /** Undefined: the folder of the releases of what is served. */
  readonly releases: string | undefined;
  readonly sample: boolean;
  readonly live: boolean;
  /** Undefined without a folder of the caller's own. */
  readonly replay: string | undefined;
  readonly nowAt: Instant | undefined;
  readonly ingest: boolean;
}

/** Days are compared as text, and no source has data of another century. */
const EARLIEST_NOW = '2000-01-01T00:00:00Z';
const LATEST_NOW = '2099-12-31T23:59:59Z';

/** Throws `UsageError` where the service's clock cannot start there. */
function readNow(now: string, live: boolean): Instant {
  if (live)
    throw new UsageError(
      '--now works with --recorded, --sample or --replay only: the upstreams of --live serve only the present',
    );
  const nowAt = parseInstant(now);
  if (nowAt === undefined)
    throw new UsageError(`--now must be a date and time like 2025-08-18T12:30:00Z, not ${now}`);
  if (nowAt < Date.parse(EARLIEST_NOW) || nowAt > Date.parse(LATEST_NOW))
    throw new UsageError(`--now must be from ${EARLIEST_NOW} to ${LATEST_NOW}, not ${now}`);
  return nowAt;
}

const FOLDERS = { dataDir: '--data-dir', releases: '--releases', replay: '--replay' } as const;

/** Throws `UsageError` naming the option that is wrong. */
export function readServeOptions(args: readonly string[]): ServeOptions {
  const values = parse<Values>(startCommand(), args);
  const { port, dataDir, live, sample, replay, now, ingest } = values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new UsageError(`--port must be a number from 0 to 65535, not ${port}`);
  for (const name of ['dataDir', 'releases', 'replay'] as const)
    if (values[name] === '') throw new UsageError(`${FOLDERS[name]} must name a folder`);
  const [origin, other] = (['live', 'recorded', 'sample', 'replay'] as const).filter((name) => values[name]);
  if (other !== undefined) throw new UsageError(`--${origin} and --${other} exclude each other`);
  const nowAt = now === undefined ? undefined : readNow(now, live);
  return { port: Number(port), dataDir, releases: values.releases, sample, live, replay, nowAt, ingest };
}
