/** The first part of the accuracy page: how far a figure can be off, by method and by source, in hours and vessels. */
import type { PortReport } from '../../core/calls/observation.ts';
import type { Locode } from '../../core/reference/locode.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { simulateWorld } from '../../test/worlds/ground-truth.ts';
import { BUILD_UP_AND_CLEAR, type Scenario, STEADY } from '../../test/worlds/scenario.ts';
import { hongKongCost, simulatedCost } from './poll-interval-study.ts';
import { type FullTable, type Section, svgPlot, table, tableLink } from './report.ts';

const INTERVALS = [20, 60, 120, 240];
const WORLDS: readonly (readonly [Locode, Scenario])[] = [
  ['USLAX', BUILD_UP_AND_CLEAR],
  ['SGSIN', STEADY],
];
const FIRST_DAY = '2026-01-05';
const THINNED = [0, 20, 40, 60, 120];
const MINUTES_PER_HOUR = 60;

const hours = (value: number): string => value.toFixed(2);

interface Certainty {
  readonly method: 'records' | 'polls' | 'positions' | 'trade';
  /** How far `avg_wait_hours` or a single wait can be off. */
  readonly wait: string;
  /** How far a count can be off. */
  readonly count: string;
  readonly basis: string;
}

const UNMEASURED = 'not measured';

/** The runs of the study of positions by fixes a minute, and by fixes every five or ten minutes. */
const MINUTE_RUNS = ['seed 1', 'seed 2', 'seed 3'];
const POLL_RUNS = ['a fix every 5 minutes', 'a fix every 10 minutes'];

/** The results of the study of positions for these runs. `tables` has one of each generator. */
function positionsFound(
  tables: readonly FullTable[],
  runs: readonly string[],
): Pick<Certainty, 'wait' | 'count'> {
  const figures = (column: string): number[][] =>
    tables.flatMap(({ columns, rows }) => {
      const index = columns.findIndex((name) => name.startsWith(column));
      return rows
        .filter(([run = '']) => runs.includes(run))
        .map((row) => (row[index] ?? '').split(' / ').map(Number));
    });
  const errors = figures('Mean wait of a port');
  const missed = figures('Recall').map(([recall = Number.NaN]) => 100 * (1 - recall));
  const [mean, largest] = [0, 1].map((i) => errors.map((pair) => pair[i] ?? Number.NaN));
  const span = (values: readonly number[] = [], decimals: number): string =>
    [...new Set([Math.min(...values), Math.max(...values)].map((value) => value.toFixed(decimals)))].join(
      ' to ',
    );
  if (errors.length === 0 || errors.flat().some(Number.isNaN) || missed.some(Number.isNaN))
    throw new Error(`docs/accuracy has no figures of ${runs.join(', ')}`);
  return {
    wait: `mean of 3 days: ${span(mean, 2)} h on average, at most ${Math.max(...(largest ?? [])).toFixed(2)} h`,
    count: `${span(missed, 1)}% of stays missed`,
  };
}

/** The known errors of each source; a figure that is not computed here comes from the named test. */
const measureCertainty = (positions: readonly FullTable[]): Readonly<Record<string, Certainty>> => ({
  'dma-ais': {
    method: 'positions',
    ...positionsFound(positions, MINUTE_RUNS),
    basis: 'generated traffic, a fix a minute',
  },
  'fintraffic-digitraffic': {
    method: 'records',
    wait: "0.05 h, and the unknown error of the agents' times; too short where stays at anchor are missing",
    count: '0 in 4 of Rauma, 23 October 2019',
    basis: '`recordings/README.md`',
  },
  'hk-marine-department': {
    method: 'polls',
    wait: '0.17 h a call at 20 minutes',
    count: '0 at each of 57 recorded polls',
    basis: '`test/sources/hk-marine-department/series.test.ts`',
  },
  'kystdatahuset-ais': {
    method: 'positions',
    ...positionsFound(positions, POLL_RUNS),
    basis: 'generated traffic, a fix every 5 or 10 minutes',
  },
  'mpa-singapore': { method: 'records', wait: UNMEASURED, count: UNMEASURED, basis: 'published formats' },
  'noaa-marinecadastre-ais': {
    method: 'positions',
    ...positionsFound(positions, MINUTE_RUNS),
    basis: 'generated traffic, a fix a minute',
  },
  'open-waters-ais': {
    method: 'positions',
    ...positionsFound(positions, POLL_RUNS),
    basis: 'generated traffic, a fix every 5 or 10 minutes',
  },
  'portmis-korea': { method: 'records', wait: UNMEASURED, count: UNMEASURED, basis: 'published formats' },
  'tipc-taiwan': {
    method: 'records',
    wait: '0.05 h; median and 90th percentile of a month at Kaohsiung equal a second reading',
    count: '0 in that month',
    basis: '`test/sources/tipc-taiwan/real-month.test.ts`',
  },
  'us-census-trade': {
    method: 'trade',
    wait: 'none: an index, rounded to 0.05; past months are revised',
    count: 'none',
    basis: '[methodology](methodology.md)',
  },
});

/**
 * A row for all sources of the same certainty. Throws for a source without one.
 * @param positions tables of the study of positions, of each generator
 */
function sourceRows(positions: readonly FullTable[]): string[][] {
  const certainty = measureCertainty(positions);
  const rows = new Map<string, { readonly names: string[]; readonly known: Certainty }>();
  for (const { id } of SOURCE_DECLARATIONS) {
    const known = certainty[id];
    if (known === undefined) throw new Error(`accuracy/certainty-section.ts says nothing about ${id}`);
    const key = JSON.stringify(known);
    rows.set(key, { known, names: [...(rows.get(key)?.names ?? []), `\`${id}\``] });
  }
  return [...rows.values()].map(({ names, known }) => [
    names.join(', '),
    known.method,
    known.wait,
    known.count,
    known.basis,
  ]);
}

function simulatedRows(days: number) {
  return WORLDS.flatMap(([port, scenario]) => {
    const world = simulateWorld({ port, firstDay: FIRST_DAY, days, seed: 5, scenario });
    return INTERVALS.map((minutes) => ({ port, minutes, ...simulatedCost(world, minutes) }));
  });
}

/** The error of a poll interval: that of the worse port. */
function intervalTable(days: number, rows: ReturnType<typeof simulatedRows>): FullTable {
  return {
    name: 'certainty-intervals',
    title: `Errors by poll interval, two simulated ports of ${days} days, the worse of both`,
    columns: [
      'Minutes between polls',
      'Daily average wait: largest error, h',
      'Mean error, h',
      'Drift of in_port',
      'Drift of at_anchor',
    ],
    rows: INTERVALS.map((minutes) => {
      const worst = (of: (row: (typeof rows)[number]) => number): number =>
        Math.max(...rows.filter((row) => row.minutes === minutes).map(of));
      return [
        String(minutes),
        hours(worst((row) => row.largestErrorHours)),
        hours(worst((row) => row.meanErrorHours)),
        String(worst((row) => row.inPortDrift)),
        String(worst((row) => row.atAnchorDrift)),
      ];
    }),
  };
}

function thinnedTable(polls: readonly PortReport[]): FullTable {
  return {
    name: 'certainty-hong-kong',
    title: 'The polls of Hong Kong on 4 October 2025, all and a subset',
    columns: [
      'Minutes apart',
      'Polls',
      'Longest, minutes',
      'Stays found',
      'Mean difference, h',
      'Largest, h',
      'Counts that differ',
    ],
    rows: THINNED.map((minutes) => {
      const cost = hongKongCost(polls, minutes);
      return [
        minutes === 0 ? 'all' : String(minutes),
        String(cost.polls),
        cost.longestMinutes.toFixed(0),
        `${cost.found} of ${cost.stays}`,
        hours(cost.meanErrorHours),
        hours(cost.largestErrorHours),
        String(cost.inPortError + cost.atAnchorError),
      ];
    }),
  };
}

/**
 * @param polls the recorded polls of Hong Kong
 * @param positions tables of the study of positions, of each generator
 */
export function certaintySection(
  days: number,
  polls: readonly PortReport[],
  positions: readonly FullTable[],
): Section {
  const rows = simulatedRows(days);
  const tables = [intervalTable(days, rows), thinnedTable(polls)] as const;
  const [intervals, thinned] = tables;
  const of = ({ rows: [...all] }: FullTable, at: number): readonly string[] => all.at(at) ?? [];
  const intervalText = (row: readonly string[]): string =>
    `every ${row[0]} minutes at most ${row[1]} h (mean ${row[2]} h) and ${row[3]} and ${row[4]} vessels`;
  const thinnedText = (row: readonly string[]): string =>
    `${row[0]} minutes apart ${row[3]}, at most ${row[5]} h off`;
  const course = (port: Locode) =>
    rows
      .filter((row) => row.port === port)
      .map(({ minutes, largestErrorHours }) => [minutes, largestErrorHours] as const);
  return {
    id: 'certainty',
    title: 'How far a figure can be off',
    tables,
    body: [
      'Below 20 vessels berthed in 28 days see [few berthings](methodology.md#few-berthings).',
      '',
      table(['Source', 'Method', 'A wait', 'A count', 'Measured by'], sourceRows(positions)),
      '',
      '**Records**: rounding, at most 0.05 h, and the error of the stated time. **Positions**: no whole day file and no real reply of live positions has',
      'been read; [real rows](#new-york-real-positions) show other faults.',
      '',
      '**Polls**: a change between two is dated midway, and a count is out of date until the next. How far off the daily average wait is, and by how',
      `much \`in_port\` and \`at_anchor\` change from one poll to the next in 99 of 100 cases: ${intervalText(of(intervals, 0))},`,
      `${intervalText(of(intervals, -1))}. Bar: half the time between polls, and rounding.`,
      '',
      tableLink(intervals),
      '',
      `Of the stays that ${polls.length} real polls of Hong Kong show, a subset of the polls finds: ${thinnedText(of(thinned, 1))};`,
      `${thinnedText(of(thinned, -1))}. Bars: no stay is further off than the longest time between two polls, and at the end no count differs.`,
      '',
      tableLink(thinned),
    ].join('\n'),
    plot: svgPlot({
      title: 'Largest error of the daily average wait, by time between polls',
      xLabel: 'minutes between polls',
      yLabel: 'hours',
      curves: [
        ...WORLDS.map(([port]) => ({ name: port, style: 'line' as const, points: course(port) })),
        {
          name: 'half the time between polls',
          style: 'line',
          points: INTERVALS.map((minutes) => [minutes, minutes / 2 / MINUTES_PER_HOUR] as const),
        },
      ],
    }),
    plotText: 'Largest error of the daily average wait by poll interval, below half of it',
  };
}
