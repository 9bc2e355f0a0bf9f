/** The options of `npm start`. */
import { Option } from 'commander';
import { type Instant, parseInstant } from '../core/reference/time.ts';
import { command, notEmpty, parse, UsageError } from './command-line.ts';

const ABOUT = 'Serves the API on this machine, with an embedded store and local keys.';

export interface ServeOptions {
  readonly port: number;
  /** Names besides those of loopback that requests may give as their host; 0.0.0.0 to listen on every address. */
  readonly host: readonly string[];
  readonly dataDir: string;
  /** Undefined: the folder of the releases of what is served. */
  readonly releases?: string;
  readonly live: boolean;
  readonly recorded: boolean;
  readonly sample: boolean;
  /** Undefined without a folder of the caller's own. */
  readonly replay?: string;
  readonly now?: Instant;
  readonly ingest: boolean;
  /** End responses that are still being sent when the service ends. */
  readonly closeAtOnce: boolean;
}

/** Days are compared as text, and no source has data of another century. */
const EARLIEST_NOW = '2000-01-01T00:00:00Z';
const LATEST_NOW = '2099-12-31T23:59:59Z';

function readNow(now: string): Instant {
  const nowAt = parseInstant(now);
  if (nowAt === undefined)
    throw new UsageError(`--now must be a date and time like 2025-08-18T12:30:00Z, not ${now}`);
  if (nowAt < Date.parse(EARLIEST_NOW) || nowAt > Date.parse(LATEST_NOW))
    throw new UsageError(`--now must be from ${EARLIEST_NOW} to ${LATEST_NOW}, not ${now}`);
  return nowAt;
}

function readPort(port: string): number {
  if (/^\d{1,5}$/.test(port) && Number(port) <= 65_535) return Number(port);
  throw new UsageError(`--port (or PORT) must be a number from 0 to 65535, not ${port}`);
}

/** Collects the names of a repeated option. */
function addHost(name: string, names: readonly string[]): readonly string[] {
  if (/^[\w.-]+$/.test(name)) return [...names, name];
  throw new UsageError(`--host must be a host name without port, not ${name}`);
}

const startCommand = () =>
  command('npm start --', ABOUT)
    .addOption(
      new Option('--port <n>', 'port; 0 picks a free one').argParser(readPort).env('PORT').default(3000),
    )
    .option(
      '--host <name>',
      'answer requests to this host too, as of a container or a proxy; may be repeated (default: 127.0.0.1 and localhost only). 0.0.0.0: listen on every address rather than on 127.0.0.1 alone, as a container has to',
      addHost,
      [],
    )
    .option('--data-dir <dir>', 'folder of the data', notEmpty('--data-dir must name a folder'), '.data')
    .option(
      '--releases <dir>',
      'folder of the releases below /data/ (default: one for each origin of data, in releases in the folder of the data)',
      notEmpty('--releases must name a folder'),
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
    .option(
      '--replay <dir>',
      'ingest recorded replies of your own instead, up to --now',
      notEmpty('--replay must name a folder'),
    )
    .option(
      '--now <iso>',
      "the service's clock starts there, for example 2021-08-05T12:01:00Z (years 2000 to 2099; the sample starts over there; default with --replay: a minute after the newest recorded reply, with --recorded: a minute after the newest of Hong Kong, with --sample: now)",
      readNow,
    )
    .option('--no-ingest', 'serve what is there; ask and apply nothing')
    .option(
      '--close-at-once',
      'do not wait for responses that are still being sent when the service ends',
      false,
    );

export function readServeOptions(args: readonly string[]): ServeOptions {
  const options = parse<ServeOptions>(startCommand(), args);
  const [origin, other] = (['live', 'recorded', 'sample', 'replay'] as const).filter((name) => options[name]);
  if (other !== undefined) throw new UsageError(`--${origin} and --${other} exclude each other`);
  if (options.live && options.now !== undefined)
    throw new UsageError(
      '--now works with --recorded, --sample or --replay only: the upstreams of --live serve only the present',
    );
  return options;
}
