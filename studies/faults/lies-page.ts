/** The page of the campaign of lies: counts by family of lies and by base; a table beside it has each lie. */
import { writeFileSync } from 'node:fs';
import { groupBy } from '../../core/reference/statistics.ts';
import type { CaseResult } from '../../test/faults/lying-upstream.ts';
import { readTable, table, tableLink, writeTable } from '../accuracy/report.ts';

const PAGE = new URL('../../docs/faults.md', import.meta.url);
const NAME = 'lies';
const COUNTS = [
  'Sent',
  'Refused',
  'Held',
  'Harmless',
  'Figures changed',
  'Lasting changes',
  'Good replies blocked beyond the bound',
];

/** The first that matches a lie is its family. */
const FAMILIES: readonly (readonly [family: string, lies: RegExp])[] = [
  ['all lists, in replies in a row', /in a row$/],
  ['a field of every row', /^a field/],
  ['two fields exchanged', /^two fields/],
  ['one list', /^a list/],
  ['all lists', /^all lists/],
  ['whole files', /^all files/],
  ['another reply', /^the reply|^files exchanged/],
  ['HTTP: redirects, sizes, speeds', /^/],
];

/** A lie that was held, accepted as if no limit had seen it. */
export const isForced = ({ kind }: Pick<CaseResult, 'kind'>): boolean => kind.endsWith(', accepted');

const HEAD = `# An upstream that lies

<!-- Written by \`npm run study -- faults --only lies\`; do not edit. -->
What happens when an upstream sends wrong data? A service that has read good replies of a source gets an altered one, then the unaltered one and up to three
more good ones. A lie is *refused* (wrong form), *held* (implausible content), or *harmless* (accepted, without an effect on any row). In the end
every current value must equal, row by row, that of a service that never saw the lie.`;

/** What no rule sees. */
const UNSEEN = `## What is not seen

- Korea: final exits without a logged departure, moved by hours, in fewer than 8 calls or a twentieth of those named.
- Day files of positions: every second row missing, times moved by seconds, a false status. The next version of the file corrects them.
- Polls of positions: false values of fewer than three vessels, or of up to a quarter of them, and false headings of vessels that are not moored.
- Hong Kong: up to three vessels that one list adds or moves, false remarks of departures, and places of vessels that have left.
- Kaohsiung: tonnage, purpose or name of another row, which few vessels depend on, and half a list of departures.
- Finland: times, places or types of up to a quarter of the calls, as agents might correct them, and up to nine vessels leaving at once.
- Half a poll of positions in the first hour of a source, when no stop is confirmed yet.
- The first reply of a source or of a measure: it has nothing to be compared with.`;

const FORCED = `## A lie that was accepted

Every lie that was held is sent once more and accepted, as if no limit had seen it. Good replies are held then, because they contradict it; the third of
them must revoke it.`;

/** What each source tells a stale reply by: limits of the declarations and parsers, and the longest in real replies. */
const FROZEN = `## A frozen reply

What if a cache or a stuck export serves an old reply as a new one? Until the freeze is seen, \`as_of\` moves on, no vessel arrives or departs, and open waits
grow by its length.

Source | What shows it | Longest in real replies | Unseen on a normal day | Unseen after a standstill
---|---|---|---|---
Hong Kong | a list lacks over 3 vessels that another has, or has over 5 in port that have left; third-oldest row of arrivals or departures over 37 h old; newest event over an hour before a known one | 1; 2; 36.2 h; none | 1 to 3 h | up to 36 h
Kaohsiung and the other ports of TIPC | newest event over 40 h old, or 6 h before one that is known | 33.8 h (typhoon of July 2025) | 40 h, and the replies after it are accepted within 3 passes | 40 h
Finland | the reply states its own time, over 6 h before its fetch | 4.5 h | 6 h, \`as_of\` stays | 6 h, \`as_of\` stays
Singapore | newest event over 6 h old (estimate) | none at hand | 6 h | 6 h
Korea | newest event over 24 h old (estimate) | none at hand | 24 h | 24 h
US imports | newest month ended over 150 days ago | 111 days (2025, by the dates of releases) | a release | a release
Open Waters | no position of the last 15 minutes | none at hand | 15 minutes | 15 minutes
Day files of positions (Denmark, Norway, United States) | none: \`as_of\` is the end of the newest day that a file states | none | none | none`;

const summed = (rows: readonly (readonly string[])[]): string[] =>
  COUNTS.map((_, at) => String(rows.reduce((sum, row) => sum + Number.parseInt(row[at + 2] ?? '0', 10), 0)));

/** A row for each lie about one base; the figures that changed are named behind their number. */
function lieRows(base: string, results: readonly CaseResult[]): string[][] {
  return [...groupBy(results, ({ kind }) => kind)].map(([kind, cases]) => {
    const count = (outcome: CaseResult['outcome']): string =>
      String(cases.filter((result) => result.outcome === outcome).length);
    const missed = cases.filter(({ outcome }) => outcome === 'figures changed').map(({ what }) => what);
    return [
      ...[base, kind, String(cases.length), count('refused'), count('held'), count('harmless')],
      [missed.length, ...missed].join(' '),
      String(cases.filter(({ isLasting }) => isLasting).length),
      String(cases.filter(({ isBlocked }) => isBlocked).length),
    ];
  });
}

/** Writes the bases that were measured; others stay as they are. */
export function writeLiesPage(measured: ReadonlyMap<string, readonly CaseResult[]>): void {
  const byBase = new Map<string, readonly (readonly string[])[]>(
    groupBy(readTable(NAME).rows, ([base = '']) => base),
  );
  for (const [base, results] of measured) byBase.set(base, lieRows(base, results));
  const all = [...byBase.values()].flat();
  const full = { name: NAME, title: 'Every lie', columns: ['Replies', 'Lie', ...COUNTS], rows: all };
  const kindOf = ([, kind = '']: readonly string[]): { kind: string } => ({ kind });
  const rows = all.filter((row) => !isForced(kindOf(row)));
  const forced = all.filter((row) => isForced(kindOf(row)));
  const sumsByBase = (some: readonly (readonly string[])[]): string[][] => [
    ...[...groupBy(some, ([base = '']) => base)].map(([base, lies]) => [base, ...summed(lies)]),
    ['all', ...summed(some)],
  ];
  writeTable(full);
  const familyOf = ([, lie = '']: readonly string[]): string =>
    FAMILIES.find(([, lies]) => lies.test(lie))?.[0] ?? '';
  const families = groupBy(rows, familyOf);
  const byFamily = FAMILIES.flatMap(([family]) => {
    const found = families.get(family);
    return found === undefined ? [] : [[family, ...summed(found)]];
  });
  const parts = [
    HEAD,
    table(['Lie', ...COUNTS], byFamily),
    table(['Replies of', ...COUNTS], sumsByBase(rows)),
    ...(forced.length > 0 ? [FORCED, table(['Replies of', ...COUNTS], sumsByBase(forced))] : []),
    tableLink(full),
    UNSEEN,
    FROZEN,
  ];
  writeFileSync(PAGE, `${parts.join('\n\n')}\n`);
}
