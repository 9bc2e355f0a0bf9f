/** The first part of the accuracy page: how far a figure can be off, by method and by source, in hours and vessels. */
import type { PortReport } from '../core/calls/observation.ts';
import { knownSource } from '../core/reference/evidence.ts';
import type { Locode } from '../core/reference/locode.ts';
import { SOURCE_DECLARATIONS } from '../core/sources/declarations.ts';
import { BUILD_UP_AND_CLEAR, type Scenario, STEADY } from '../core/sources/sample-simulator/scenario.ts';
import { simulateWorld } from './ground-truth/study.ts';
import { hongKongCost, simulatedCost } from './poll-interval-study.ts';
import { type Section, table } from './report.ts';
import { svgPlot } from './svg-plot.ts';

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

const UNMEASURED = 'not measured: no real reply has been read';

/** The results of the study of positions for these runs, of all generators. */
function positionsFound(page: string, runs: readonly string[]): Pick<Certainty, 'wait' | 'count'> {
  const [columns = []] = page
    .split('\n')
    .filter((line) => line.startsWith('| Run |'))
    .map(cellsOf);
  const rows = page
    .split('\n')
    .map(cellsOf)
    .filter(([run = '']) => runs.includes(run));
  const figures = (column: string): number[][] => {
    const index = columns.findIndex((name) => name.startsWith(column));
    return rows.map((row) => (row[index] ?? '').split(' / ').map(Number));
  };
  const errors = figures('Mean wait of a port');
  const missed = figures('Recall').map(([recall = Number.NaN]) => 100 * (1 - recall));
  const [mean, largest] = [0, 1].map((i) => errors.map((pair) => pair[i] ?? Number.NaN));
  const spanOf = (values: readonly number[] = [], decimals: number): string =>
    [...new Set([Math.min(...values), Math.max(...values)].map((value) => value.toFixed(decimals)))].join(
      ' to ',
    );
  if (rows.length === 0 || errors.flat().some(Number.isNaN) || missed.some(Number.isNaN))
    throw new Error(`docs/ais-accuracy.md has no figures of ${runs.join(', ')}`);
  return {
    wait: `mean wait of a port over 3 days: ${spanOf(mean, 2)} h off on average, at most ${Math.max(...(largest ?? [])).toFixed(2)} h`,
    count: `${spanOf(missed, 1)} % of the stays are missed`,
  };
}

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** The known errors of each source; figures that are not computed here are those of the named test. */
const certaintyOf = (positions: string): Readonly<Record<string, Certainty>> => ({
  'antaq-berthing': {
    method: 'records',
    wait: 'at most 1.5 h a call against the wait that ANTAQ states: a berthing that differs by more is refused',
    count:
      'not measured; ANTAQ publishes a berthing only after the vessel has left, so `as_of` is 30 days back',
    basis: 'rule of the parser; files in the published layout',
  },
  'dma-ais': {
    method: 'positions',
    ...positionsFound(positions, ['seed 1', 'seed 2', 'seed 3']),
    basis:
      '[stays from positions](ais-accuracy.md), a fix every minute: generated traffic; no file of a whole day has been read',
  },
  'fintraffic-digitraffic': {
    method: 'records',
    wait: '0.05 h from rounding; the times are those of the agents, whose own error is not known, and short stays at anchor are missing, so a wait is a lower bound',
    count: '0 of the 4 counts of a recorded reply (Rauma, 23 October 2019)',
    basis: '`recordings/README.md`',
  },
  'hk-marine-department': {
    method: 'polls',
    wait: 'half the time between two polls a call, so 0.17 h at 20 minutes; below for a day',
    count: '0 at a poll: every count of the 57 recorded polls equals a second reading',
    basis: '`test/sources/hk-marine-department/series.test.ts`, and the thinned polls below',
  },
  'kystdatahuset-ais': {
    method: 'positions',
    ...positionsFound(positions, ['a fix every 5 minutes', 'a fix every 10 minutes']),
    basis:
      '[stays from positions](ais-accuracy.md), a fix every 5 minutes, or 10 in a back-fill: generated traffic; no real reply has been read',
  },
  'mpa-singapore': { method: 'records', wait: UNMEASURED, count: UNMEASURED, basis: 'published formats' },
  'noaa-marinecadastre-ais': {
    method: 'positions',
    ...positionsFound(positions, ['seed 1', 'seed 2', 'seed 3']),
    basis:
      '[stays from positions](ais-accuracy.md), a fix every minute: generated traffic; [real rows of New York](#new-york-real-positions) show other faults; no file of a whole day has been read',
  },
  'open-waters-ais': {
    method: 'positions',
    ...positionsFound(positions, ['a fix every 5 minutes', 'a fix every 10 minutes']),
    basis:
      '[stays from positions](ais-accuracy.md), a fix every 5 or 10 minutes: generated traffic; no real reply has been read',
  },
  'portmis-korea': { method: 'records', wait: UNMEASURED, count: UNMEASURED, basis: 'published formats' },
  'tipc-taiwan': {
    method: 'records',
    wait: '0.05 h from rounding: median and 90th percentile of January 2025 at Kaohsiung equal a second reading to 0.001 h',
    count: '0: berthings, vessels that anchored and departures of that month equal a second reading',
    basis:
      '`test/sources/tipc-taiwan/real-month.test.ts`, with the files in the folder that `REAL_REPLIES` names',
  },
  'us-census-trade': {
    method: 'trade',
    wait: 'none: an index, rounded to 0.05; the Bureau revises past months',
    count: 'none',
    basis: '[methodology](methodology.md)',
  },
});

/**
 * A row for each source. Throws for a source without one.
 * @param positions text of docs/ais-accuracy.md
 */
function sourceRows(positions: string): string[][] {
  const certainty = certaintyOf(positions);
  return SOURCE_DECLARATIONS.map(({ id }) => {
    const known = certainty[id];
    if (known === undefined) throw new Error(`accuracy/certainty-section.ts says nothing about ${id}`);
    const name = `\`${id}\` (${knownSource(id).evidence})`;
    return [name, known.method, known.wait, known.count, known.basis];
  });
}

function simulatedRows(days: number) {
  return WORLDS.flatMap(([port, scenario]) => {
    const world = simulateWorld({ port, firstDay: FIRST_DAY, days, seed: 5, scenario });
    return INTERVALS.map((minutes) => ({ port, minutes, ...simulatedCost(world, minutes) }));
  });
}

/**
 * @param polls the recorded polls of Hong Kong
 * @param positions text of docs/ais-accuracy.md
 */
export function certaintySection(days: number, polls: readonly PortReport[], positions: string): Section {
  const rows = simulatedRows(days);
  const course = (port: Locode) =>
    rows
      .filter((row) => row.port === port)
      .map(({ minutes, largestErrorHours }) => [minutes, largestErrorHours] as const);
  return {
    id: 'certainty',
    title: 'How far a figure can be off',
    body: [
      'By source. A figure of many vessels is more accurate than one of few: `berthed` in the waits is their number,',
      'and with fewer than 20 in 28 days see [few berthings](methodology.md#few-berthings).',
      '',
      table(['Source', 'Method', 'A wait', 'A count', 'Measured by'], sourceRows(positions)),
      '',
      '**Records** state their times, so a figure has the error of rounding, at most 0.05 h, and that of the stated time.',
      '',
      '**Polls** show where vessels are at one moment. A change between two polls is dated midway, so each end of a stay is off by at',
      `most half the time between them, and a count is out of date until the next poll. Simulated ports of ${days} days, all days`,
      'against the true calls; *drift* is the largest change of a count from one poll to the next in 99 of 100 cases:',
      '',
      table(
        [
          'Port',
          'Minutes between polls',
          'Half of that, h',
          'Daily average wait: largest error, h',
          'Mean error, h',
          'Drift of in_port, vessels',
          'Drift of at_anchor, vessels',
        ],
        rows.map((row) => [
          row.port,
          String(row.minutes),
          hours(row.minutes / 2 / MINUTES_PER_HOUR),
          hours(row.largestErrorHours),
          hours(row.meanErrorHours),
          String(row.inPortDrift),
          String(row.atAnchorDrift),
        ]),
      ),
      '',
      'Bar: half the time between polls, and rounding. Polls more than 4 h apart give no wait at all.',
      '',
      `The ${polls.length} real polls of Hong Kong on 4 October 2025, all polls against a subset:`,
      '',
      table(
        [
          'At least, minutes',
          'Polls read',
          'Longest time between two, minutes',
          'Ended stays found',
          'Hours of a stay: mean difference',
          'Largest difference, h',
          'Counts at the end: difference, vessels',
        ],
        THINNED.map((minutes) => {
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
      ),
      '',
      'A stay is found when its call has one of its kind at the same place. Bar: no stay differs by more than the longest',
      'time between two polls, and no count at all.',
      '',
      '**Positions** are reports of place and speed, from which berths and anchorages are inferred; the errors come from',
      'generated traffic: [stays from positions](ais-accuracy.md).',
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
    plotText:
      'Largest error of the daily average wait for polls 20 to 240 minutes apart, below half that time',
  };
}
