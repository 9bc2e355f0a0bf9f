/** The options of `npm start`. */
import { parseArgs } from 'node:util';
import { type Instant, parseInstant } from '../core/reference/time.ts';
import { optionErrorText, StartError } from '../local/start-error.ts';

export const USAGE = `Usage: npm start -- [options]

Serves the API on this machine, with an embedded store and local keys.

  --port N         port on 127.0.0.1 (default 3000; 0 picks a free one)
  --data-dir DIR   folder of the data (default .data)
  --live           ingest the real upstreams instead of the sample; one that needs a key is asked
                   where the environment has it (CENSUS_API_KEY). Set CONTACT to your e-mail or https
                   address: every request states it, so that a publisher can reach you
  --recorded       ingest the recorded replies in recordings/ instead of the sample: real data, no network
  --replay DIR     ingest recorded replies of your own, up to --now, instead of the sample
  --now ISO        the service's clock starts there, for example 2025-08-18T12:30:00Z (years 2000 to 2099)
                   (the sample starts over there; default with --replay: a minute after the newest recorded
                   reply, with --recorded: a minute after the newest of Hong Kong)
  --no-ingest      serve what is there; ask and apply nothing
  --help           this text
`;

export interface ServeOptions {
  readonly port: number;
  readonly dataDir: string;
  readonly live: boolean;
  readonly recorded: boolean;
  readonly replay: string | undefined;
  readonly nowAt: Instant | undefined;
  readonly ingest: boolean;
  readonly help: boolean;
}

const DEFAULT_PORT = '3000';
const DEFAULT_DATA_DIR = '.data';
/** Days are compared as text, and no source has data of another century. */
const EARLIEST_NOW = '2000-01-01T00:00:00Z';
const LATEST_NOW = '2099-12-31T23:59:59Z';

/** Throws `StartError` naming the option that is wrong. */
export function readServeOptions(args: readonly string[]): ServeOptions {
  const values = parse(args);
  const { port = DEFAULT_PORT, 'data-dir': dataDir = DEFAULT_DATA_DIR, replay, now } = values;
  const { live = false, recorded = false } = values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new StartError(`--port must be a number from 0 to 65535, not ${port}`);
  if (dataDir === '') throw new StartError('--data-dir must name a folder');
  if (replay === '') throw new StartError('--replay must name a folder');
  const [origin, other] = (['live', 'recorded', 'replay'] as const).filter((name) => values[name]);
  if (other !== undefined) throw new StartError(`--${origin} and --${other} exclude each other`);
  if (live && now !== undefined)
    throw new StartError(
      '--now works with the sample, --recorded or --replay only: the upstreams of --live serve only the present',
    );
  const nowAt = now === undefined ? undefined : parseInstant(now);
  if (now !== undefined && nowAt === undefined)
    throw new StartError(`--now must be a date and time like 2025-08-18T12:30:00Z, not ${now}`);
  if (nowAt !== undefined && (nowAt < Date.parse(EARLIEST_NOW) || nowAt > Date.parse(LATEST_NOW)))
    throw new StartError(`--now must be from ${EARLIEST_NOW} to ${LATEST_NOW}, not ${now}`);
  const { 'no-ingest': noIngest = false, help = false } = values;
  return { port: Number(port), dataDir, live, recorded, replay, nowAt, ingest: !noIngest, help };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        'data-dir': { type: 'string' },
        live: { type: 'boolean' },
        recorded: { type: 'boolean' },
        replay: { type: 'string' },
        now: { type: 'string' },
        'no-ingest': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (thrown) {
    throw new StartError(`${optionErrorText(thrown)} (--help lists the options)`);
  }
}
