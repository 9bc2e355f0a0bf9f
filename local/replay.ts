/** Lists the fetches of known sources in a folder of recorded replies, in order of time. */
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { formatInstant, type Instant, MINUTE_MS } from '../core/reference/time.ts';
import { fetchesAmong, isFetch, isNoteName } from '../core/store/raw-archive.ts';
import type { IngestStep } from './ingest.ts';
import { errorCode, errorText, StartError } from './start-error.ts';

export type Replay = ReturnType<typeof readReplay>;

/** Files that people, file systems and the ingest put beside fetches. */
const isNote = (name: string): boolean =>
  name.startsWith('.') || isNoteName(name) || /^(readme|licen[cs]e|notice)\b/i.test(name);

/** A step of a replay applies at most this many fetches, so that its progress is visible. */
const FETCHES_A_STEP = 8;

/** The entries of a folder, by name; a link counts as what it leads to. */
function entriesIn(directory: string) {
  try {
    return readdirSync(directory)
      .sort()
      .map((name) => {
        const stats = statSync(join(directory, name), { throwIfNoEntry: false });
        return {
          name,
          isFile: () => stats?.isFile() === true,
          isDirectory: () => stats?.isDirectory() === true,
        };
      });
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
  for (const { source, at } of fetches) {
    const last = steps.at(-1);
    const joined = last?.event.source === source && last.fetches < FETCHES_A_STEP ? steps.pop() : undefined;
    const event = { source, ask: false, until: formatInstant(at) } as const;
    steps.push({ event, fetches: (joined?.fetches ?? 0) + 1 });
  }
  return steps;
}

/** Throws `StartError` when the folder cannot be read, or has no fetch of a known source up to `nowAt`. */
export function readReplay(folder: string, isKnown: (source: string) => boolean, nowAt?: Instant) {
  const directory = resolve(folder);
  const folders = entriesIn(directory)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const found = folders
    .filter(isKnown)
    .map((source) => ({ source, entries: entriesIn(join(directory, source)) }));
  const fetches = found
    .flatMap(({ source, entries }) => {
      const names = entries.filter(isFetch).map(({ name }) => name);
      return fetchesAmong(names, undefined, nowAt ?? Number.MAX_SAFE_INTEGER).map((at) => ({ source, at }));
    })
    .sort((a, b) => a.at - b.at || (a.source < b.source ? -1 : 1));
  const newest = fetches.at(-1);
  if (!newest) throw new StartError(`${directory} has no recorded reply of a known source up to that time`);
  return {
    directory,
    /** Known sources that have fetches there, by name. */
    sources: [...new Set(fetches.map(({ source }) => source))].sort(),
    /** Folders that belong to no known source. */
    skipped: folders.filter((name) => !isKnown(name)),
    /** Files and folders of known sources that are not fetches, as `source/name`. */
    strays: found.flatMap(({ source, entries }) =>
      entries
        .filter((entry) => !isFetch(entry) && !isNote(entry.name))
        .map(({ name }) => `${source}/${name}`),
    ),
    nowAt: nowAt ?? newest.at + MINUTE_MS,
    steps: makeSteps(fetches),
  };
}
