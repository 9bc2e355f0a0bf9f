/**
 * Counts the files on three ways through the service by what runs: the product's files in which at least one function is called while
 * `ways-program.ts` goes a way in a process of its own. Calls during the evaluation of modules and the wiring of functions do not
 * count, and neither does `local`, which takes the place of AWS. More files run on a way than a reader needs: alerts, forecasts and log
 * lines are made on it too.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Figure } from './figure.ts';

interface Way {
  readonly what: string;
  /** At 58cbb0fb, by this count. */
  readonly was: { readonly files: number; readonly folders: number };
  /** The goals for ways counted by reading (58 to 35, 52 to 35 and 19 to 11 files, 12 to 9 folders), in proportion. */
  readonly atMost: { readonly files: number; readonly folders?: number };
}

const WAYS: Readonly<Record<string, Way>> = {
  hongKong: {
    what: 'reply of Hong Kong to a trend figure',
    was: { files: 100, folders: 17 },
    atMost: { files: 60, folders: 12 },
  },
  positions: {
    what: 'AIS position to a wait',
    was: { files: 121, folders: 19 },
    atMost: { files: 81 },
  },
  rejection: { what: 'key to a 429', was: { files: 26, folders: 9 }, atMost: { files: 15 } },
};

/**
 * The forms that a reply of Hong Kong takes until it is a figure in a trend, listed by hand: a type, and the file that has it. There were
 * thirteen at 58cbb0fb.
 */
const FORMS: readonly [type: string, file: string, what: string][] = [
  ['FetchedFiles', 'core/upstream/source.ts', 'bytes of the lists, by name'],
  ['Mention', 'core/sources/hk-marine-department/parse.ts', 'row of a list'],
  ['PollObservation', 'core/calls/observation.ts', 'what a fetch says of a port'],
  ['PollView', 'core/calls/polls.ts', 'the same beside the calls that are known'],
  ['VesselEvent', 'core/calls/polls.ts', 'arrivals and departures of a vessel'],
  ['PortCall', 'core/calls/port-call.ts', 'visit of a vessel, with its stays'],
  ['callRow', 'core/store/port-calls.ts', 'stored call'],
  ['CallIndex', 'core/metrics/waits.ts', 'calls by what a day asks for'],
  ['DayFigures', 'core/metrics/day-figures.ts', 'figures of a day'],
  ['Known', 'core/store/series.ts', 'stored figures, with the day since which they are known'],
  ['ServedFigures', 'core/store/day-series.ts', 'the part of them that is served'],
  ['TrendPoint', 'core/store/served-records.ts', 'record of the response'],
];

const program = fileURLToPath(new URL('ways-program.ts', import.meta.url));

/** Paths of the files that run on a way. */
function filesOn(way: string): readonly string[] {
  const printed = execFileSync(process.execPath, ['--import', 'tsx', program, way], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 26,
  });
  return JSON.parse(printed.trimEnd().split('\n').at(-1) ?? '') as string[];
}

/** Prints the files of each way, and returns their numbers. */
export function wayFigures(): Figure[] {
  const figures = Object.entries(WAYS).flatMap(([id, { what, was, atMost }]): Figure[] => {
    const files = filesOn(id);
    const folders = new Set(files.map((file) => dirname(file)));
    console.log(`${what}:\n  ${files.join('\n  ')}`);
    return [
      { what, value: files.length, unit: 'files', against: String(was.files), atMost: atMost.files },
      {
        what,
        value: folders.size,
        unit: 'folders',
        against: String(was.folders),
        ...(atMost.folders !== undefined && { atMost: atMost.folders }),
      },
    ];
  });
  for (const [type, file] of FORMS)
    if (!new RegExp(`\\b${type}\\b`).test(readFileSync(file, 'utf8')))
      throw new Error(`${file} has no ${type} any longer: list the forms again`);
  console.log(`forms:\n  ${FORMS.map(([type, file, what]) => `${type} (${file}): ${what}`).join('\n  ')}`);
  const { what } = WAYS.hongKong as Way;
  return [...figures, { what, value: FORMS.length, unit: 'forms', against: '13', atMost: 6 }];
}
