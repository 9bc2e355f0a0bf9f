/** Lists the fetches of known sources in a folder of recorded replies, in order of time. */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { formatInstant, type Instant, MINUTE_MS } from '../../core/reference/time.ts';
import { fetchesAmong } from '../../core/store/raw-archive.ts';
import { errorCode, errorText, StartError } from '../start-error.ts';
import type { IngestStep } from './first-pass.ts';

export interface Replay {
  readonly directory: string;
  /** Known sources that have fetches there, by name. */
  readonly sources: readonly string[];
  /** Folders that belong to no known source. */
  readonly skipped: readonly string[];
  readonly nowAt: Instant;
  readonly steps: readonly IngestStep[];
}

/** A step of a replay applies at most this many fetches, so that its progress is visible. */
const FETCHES_A_STEP = 8;

/** Names of the folders, and of files that end in `extension` where one is given, in the order of the names. */
function namesIn(directory: string, extension?: string): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || (extension !== undefined && entry.name.endsWith(extension)))
      .map(({ name }) => name)
      .sort();
  } catch (thrown) {
    const missing = errorCode(thrown) === 'ENOENT';
    throw new StartError(
      missing ? `${directory}: no such folder` : `${directory} cannot be read: ${errorText(thrown)}`,
    );
  }
}

/** Fetches in order of time, grouped into steps of one source; a step's event only states up to when to apply them. */
function makeSteps(fetches: readonly { readonly source: string; readonly at: Instant }[]): IngestStep[] {
  const steps: IngestStep[] = [];
  for (const [index, { source, at }] of fetches.entries()) {
    const last = steps.at(-1);
    const joined = last?.source === source && last.fetches < FETCHES_A_STEP;
    const step = {
      source,
      fetches: joined ? last.fetches + 1 : 1,
      done: index + 1,
      label: `${source} ${formatInstant(at)}`,
      event: { source, ask: false, until: formatInstant(at) },
    };
    if (joined) steps[steps.length - 1] = step;
    else steps.push(step);
  }
  return steps;
}

/** Throws `StartError` when the folder cannot be read, or has no fetch of a known source up to `nowAt`. */
export function readReplay(folder: string, isKnown: (source: string) => boolean, nowAt?: Instant): Replay {
  const directory = resolve(folder);
  const folders = namesIn(directory);
  const fetches = folders
    .filter(isKnown)
    .flatMap((source) =>
      fetchesAmong(namesIn(join(directory, source), '.zip'), undefined, nowAt ?? Number.MAX_SAFE_INTEGER).map(
        (at) => ({
          source,
          at,
        }),
      ),
    )
    .sort((a, b) => a.at - b.at || (a.source < b.source ? -1 : 1));
  const newest = fetches.at(-1);
  if (!newest) throw new StartError(`${directory} has no recorded reply of a known source up to that time`);
  return {
    directory,
    sources: [...new Set(fetches.map(({ source }) => source))].sort(),
    skipped: folders.filter((name) => !isKnown(name)),
    nowAt: nowAt ?? newest.at + MINUTE_MS,
    steps: makeSteps(fetches),
  };
}
