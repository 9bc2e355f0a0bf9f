/** The first part of the accuracy page: how far a figure can be off, by method and by source, in hours and vessels. */
import type { PortReport } from '../core/calls/observation.ts';
import { knownSource } from '../core/reference/evidence.ts';
import type { Locode } from '../core/reference/locode.ts';
import { SOURCE_DECLARATIONS } from '../core/sources/declarations.ts';
import { BUILD_UP_AND_CLEAR, type Scenario, STEADY } from '../core/sources/sample-simulator/scenario.ts';
import { simulateWorld } from './ground-truth/study.ts';
import { hongKongCost, simulatedCost } from './poll-interval-study.ts';
import { type Section, svgPlot, table } from './report.ts';

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

/** The results of the study of positions for these runs, of all generators. */
function positionsFound(page: string, runs: readonly string[]): Pick<Certainty, 'wait' | 'count'> {
  const [columns = []] = page
    .split('\n')
    .filter((line) => line.startsWith('| Run |'))
    .map(cells);
  const rows = page
    .split('\n')
    .map(cells)
    .filter(([run = '']) => runs.includes(run));
  const figures = (column: string): number[][] => {
    const index = columns.findIndex((name) => name.startsWith(column));
    return rows.map((row) => (row[index] ?? '').split(' / ').map(Number));
  };
  const errors = figures('Mean wait of a port');
  const missed = figures('Recall').map(([recall = Number.NaN]) => 100 * (1 - recall));
  const [mean, largest] = [0, 1].map((i) => errors.map((pair) => pair[i] ?? Number.NaN));
  const span = (values: readonly number[] = [], decimals: number): string =>
    [...new Set([Math.min(...values), Math.max(...values)].map((value) => value.toFixed(decimals)))].join(
      ' to ',
    );
  if (rows.length === 0 || errors.flat().some(Number.isNaN) || missed.some(Number.isNaN))
    throw new Error(`docs/ais-accuracy.md has no figures of ${runs.join(', ')}`);
  return {
    wait: `mean of 3 days: ${span(mean, 2)} h on average, at most ${Math.max(...(largest ?? [])).toFixed(2)} h`,
    count: `${span(missed, 1)} % of stays missed`,
  };
}

const cells = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** The known errors of each source; figures that are not computed here are those of the named test. */
const measureCertainty = (positions: string): Readonly<Record<string, Certainty>> => ({
  'antaq-berthing': {
    method: 'records',
    wait: 'at most 1.5 h a call from the wait that ANTAQ states; berthings further off are refused',
    count: 'not measured; `as_of` is 30 days back',
    basis: 'rule of the parser; published formats',
  },
  'dma-ais': {
    method: 'positions',
    ...positionsFound(positions, ['seed 1', 'seed 2', 'seed 3']),
    basis: 'generated traffic, a fix a minute; no whole day file read',
  },
  'fintraffic-digitraffic': {
    method: 'records',
    wait: "0.05 h, and the unknown error of the agents' times; a lower bound, as short stays at anchor are missing",
    count: '0 in 4 counts of Rauma, 23 October 2019',
    basis: '`recordings/README.md`',
  },
  'hk-marine-department': {
    method: 'polls',
    wait: '0.17 h a call at 20 minutes',
    count: '0 at each of 57 recorded polls',
    basis: 'second reading (`test/sources/hk-marine-department/series.test.ts`)',
  },
  'kystdatahuset-ais': {
    method: 'positions',
    ...positionsFound(positions, ['a fix every 5 minutes', 'a fix every 10 minutes']),
    basis: 'generated traffic, a fix every 5 or 10 minutes; no real reply read',
  },
  'mpa-singapore': { method: 'records', wait: UNMEASURED, count: UNMEASURED, basis: 'published formats' },
  'noaa-marinecadastre-ais': {
    method: 'positions',
    ...positionsFound(positions, ['seed 1', 'seed 2', 'seed 3']),
    basis:
      'generated traffic, a fix a minute; [real rows](#new-york-real-positions) show other faults; no whole day file read',
  },
  'open-waters-ais': {
    method: 'positions',
    ...positionsFound(positions, ['a fix every 5 minutes', 'a fix every 10 minutes']),
    basis: 'generated traffic, a fix every 5 or 10 minutes; no real reply read',
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
 * A row for each source. Throws for a source without one.
 * @param positions text of docs/ais-accuracy.md
 */
function sourceRows(positions: string): string[][] {
  const certainty = measureCertainty(positions);
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
      'A figure of many vessels is more accurate than one of few: `berthed` in the waits is their number, and with fewer than 20 in',
      '28 days see [few berthings](methodology.md#few-berthings).',
      '',
      table(['Source', 'Method', 'A wait', 'A count', 'Measured by'], sourceRows(positions)),
      '',
      '**Records** state their times: the error is rounding, at most 0.05 h, and that of the stated time. **Positions**: errors of',
      '[stays from positions](ais-accuracy.md).',
      '',
      '**Polls**: a change between two is dated midway, so each end of a stay is off by at most half the time between them, and a count is',
      `out of date until the next. Simulated ports of ${days} days, the worse of two; *drift* is the largest change of a count from one poll`,
      'to the next in 99 of 100 cases:',
      '',
      table(
        [
          'Minutes between polls',
          'Daily average wait: largest error, h',
          'Mean error, h',
          'Drift of in_port',
          'Drift of at_anchor',
        ],
        INTERVALS.map((minutes) => {
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
      ),
      '',
      'Bar: half the time between polls, and rounding. Polls more than 4 h apart give no wait at all.',
      '',
      `The ${polls.length} real polls of Hong Kong on 4 October 2025 against a subset; a stay is found when its call has one of its kind at the same`,
      'place. Bar: no stay differs by more than the longest time between two polls, and no count at the end at all.',
      '',
      table(
        [
          'Minutes apart',
          'Polls',
          'Longest, minutes',
          'Stays found',
          'Mean difference, h',
          'Largest, h',
          'Counts',
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
