/** The parts of the accuracy page that measure the served figures against a simulated truth. */

import type { DailyMetrics } from '../../core/metrics/figures.ts';
import { mean } from '../../test/detector/scoring.ts';
import {
  callBatches,
  checkLittle,
  estimatorOnTruth,
  LEAD_DAYS,
  meanArrived,
  meanBerthed,
  replay,
  scoreStays,
  servedSeries,
  simulateWorld,
  type TrueWorld,
  type World,
  wrongCounts,
} from '../../test/worlds/ground-truth.ts';
import { BUILD_UP_AND_CLEAR, STEADY } from '../../test/worlds/scenario.ts';
import { makePolls } from '../../test/worlds/simulated-polls.ts';
import { meanRamp } from './ramp-study.ts';
import { type FullTable, type Section, svgPlot, tableLink } from './report.ts';

const FIRST_DAY = '2026-01-05';
const POLL_MINUTES = 20;
const FAULTS = { jitterMinutes: 5, lateShare: 0.1, lateMinutes: 40, missingShare: 0.1, repeatedShare: 0.1 };
const LITTLE_DAYS = 200;
/** The queue of the plot builds up and clears in these. */
const PLOTTED_DAYS = 25;

const percent = (share: number): string => (100 * share).toFixed(1);
const hours = (value: number): string => value.toFixed(2);
const known = (value: number | undefined): number => value ?? Number.NaN;
/** Completed days whose windows lie within the simulation. */
const whole = (rows: readonly DailyMetrics[]): readonly DailyMetrics[] => rows.slice(LEAD_DAYS, -1);

const largestError = (world: TrueWorld, rows: readonly DailyMetrics[]): number =>
  Math.max(
    ...whole(rows).map((row) =>
      Math.abs(known(row.avgWaitHours) - known(estimatorOnTruth(world.truth, row.day))),
    ),
  );

function waitRow(world: World): string[] {
  const simulated = simulateWorld(world);
  const polls = makePolls(simulated.truth, simulated.span, { everyMinutes: POLL_MINUTES, seed: 1 });
  const served = servedSeries(simulated, callBatches(simulated));
  const days = whole(served);
  const faulty = makePolls(simulated.truth, simulated.span, {
    everyMinutes: POLL_MINUTES,
    seed: 2,
    ...FAULTS,
  });
  const stays = scoreStays(simulated, replay(faulty).calls.values());
  return [
    world.port,
    hours(mean(days.map(({ day }) => meanBerthed(simulated.truth, day)))),
    hours(largestError(simulated, served)),
    hours(largestError(simulated, servedSeries(simulated, polls))),
    hours(mean(days.map((row) => known(row.avgWaitHours) - meanArrived(simulated.truth, row.day)))),
    String(wrongCounts(simulated, polls).length),
    String(polls.length),
    percent(stays.found / stays.stays),
    percent(stays.confirmed / stays.reconstructed),
  ];
}

function littleText(port: World['port']): string {
  const scenario = { profile: { shiftShare: 0 } };
  const world = simulateWorld({ port, firstDay: FIRST_DAY, days: LITTLE_DAYS, seed: 9, scenario });
  const { queueOverArrivals, wait } = checkLittle(world, servedSeries(world, callBatches(world)));
  return `${port} ${hours(queueOverArrivals)} and ${hours(wait)} h`;
}

const PORT_COLUMNS = [
  'Port',
  'True mean wait, h',
  'Records: largest error, h',
  'Polls: largest error, h',
  'Served less mean by arrival, h',
  'Polls with a wrong count',
  'Polls',
  'Stays found, %',
  'Stays confirmed, %',
] as const;

/** Waits, counts and stays of simulated ports, by records and by polls. */
export function groundTruthSection(days: number): Section {
  const worlds: World[] = [
    { port: 'USLAX', firstDay: FIRST_DAY, days, seed: 5, scenario: BUILD_UP_AND_CLEAR },
    { port: 'SGSIN', firstDay: FIRST_DAY, days, seed: 5, scenario: STEADY },
    { port: 'NLRTM', firstDay: FIRST_DAY, days, seed: 5, scenario: STEADY },
    { port: 'HKHKG', firstDay: FIRST_DAY, days, seed: 5, scenario: STEADY },
  ];
  const [queue = worlds[0]] = worlds;
  const world = queue && simulateWorld(queue);
  const rows = world ? whole(servedSeries(world, callBatches(world))).slice(0, PLOTTED_DAYS) : [];
  const course = (of: (row: DailyMetrics) => number) =>
    rows.map((row, i) => [i + LEAD_DAYS, of(row)] as const);
  const byPort: FullTable = {
    name: 'simulated-ports',
    title: 'Errors by port',
    columns: PORT_COLUMNS,
    rows: worlds.map(waitRow),
  };
  const littleTexts = ['SGSIN', 'NLRTM', 'HKHKG'].map(littleText);
  const cells = (column: (typeof PORT_COLUMNS)[number]): number[] =>
    byPort.rows.map((row) => Number(row[PORT_COLUMNS.indexOf(column)]));
  const worst = (column: (typeof PORT_COLUMNS)[number]): string => hours(Math.max(...cells(column)));
  const lowest = (column: (typeof PORT_COLUMNS)[number]): string => Math.min(...cells(column)).toFixed(1);
  const total = (column: (typeof PORT_COLUMNS)[number]): number =>
    cells(column).reduce((sum, count) => sum + count, 0);
  return {
    id: 'simulated-ports',
    title: 'Simulated ports with every event known',
    tables: [byPort],
    body: [
      `${days} days of each port; in USLAX a queue builds up and clears.`,
      '',
      `- The served \`avg_wait_hours\` of a day differs from the same estimator on the true calls by at most ${worst('Records: largest error, h')} h with records and`,
      `  ${worst('Polls: largest error, h')} h with polls every 20 minutes. Bars: rounding (0.05 h); half a poll interval (0.17 h) and rounding.`,
      `- From the mean by arrival it differs by up to ${worst('Served less mean by arrival, h')} h, which is the effect of [censoring](methodology.md#limits).`,
      `- \`in_port\` or \`at_anchor\` was not the true number after ${total('Polls with a wrong count')} of ${total('Polls')} polls. Bar: none.`,
      `- With polls that jitter by 5 minutes, a tenth of them up to 40 minutes late, a tenth missing, a tenth twice, at least ${lowest('Stays found, %')}% of the stays are`,
      `  found and ${lowest('Stays confirmed, %')}% of those found are true. Bar: 98%.`,
      '',
      tableLink(byPort),
      '',
      `Little's law on steady traffic of ${LITTLE_DAYS} days: vessels at anchor over arrivals an hour, and the served mean wait: ${littleTexts.join(', ')}.`,
      'Bar: within 10% where vessels queue (SGSIN).',
    ].join('\n'),
    plot: svgPlot({
      title: 'USLAX, simulated: served average wait and the truth',
      xLabel: 'day',
      yLabel: 'hours',
      curves: [
        { name: 'served', style: 'line', points: course((row) => known(row.avgWaitHours)) },
        {
          name: 'true mean by berthing',
          style: 'line',
          points: course(({ day }) => (world ? meanBerthed(world.truth, day) : 0)),
        },
        {
          name: 'true mean by arrival',
          style: 'line',
          points: course(({ day }) => (world ? meanArrived(world.truth, day) : 0)),
        },
      ],
    }),
    plotText: 'Served average wait and two true means while a queue builds up and clears',
  };
}

/** The queue that builds up over forty days. */
export function rampSection(runs: number): Section {
  const shown = [35, 50, 60, 75, 90, 110, 130];
  const seeds = Array.from({ length: runs }, (_, i) => i + 1);
  const rows = meanRamp(shown, seeds);
  const course = meanRamp(
    Array.from({ length: 34 }, (_, i) => 32 + 3 * i),
    seeds,
  );
  const cell = (value: number): string => value.toFixed(0);
  const byDay: FullTable = {
    name: 'ramp',
    title: 'Truth, served average and score by day',
    columns: ['Day', 'Truth: arrived in 7 d', 'Served: berthed in 7 d', 'Score'],
    rows: rows.map((row) => [String(row.day), ...[row.truth, row.served].map(cell), row.score.toFixed(2)]),
  };
  const courses = byDay.rows
    .filter((_, i) => i % 2 === 1)
    .map(([day, truth, served, score]) => `day ${day} ${truth}, ${served} and ${score}`);
  return {
    id: 'ramp',
    title: 'A queue that builds up',
    tables: [byDay],
    body: [
      'Ten arrivals a day; the mean wait climbs from 12 h on day 40 to 240 h on day 80 and stays there; waits are',
      `log-normal. Means of ${runs} seeded runs; each day uses only what is known by then. True mean wait by arrival, served average, and score:`,
      `${courses.join('; ')}. The average lags; the score contains the live queue.`,
      '',
      tableLink(byDay),
    ].join('\n'),
    plot: svgPlot({
      title: 'A ramp of waits: truth and estimates',
      xLabel: 'day',
      yLabel: 'hours',
      curves: [
        { name: 'truth', style: 'line', points: course.map(({ day, truth }) => [day, truth] as const) },
        { name: 'served', style: 'line', points: course.map(({ day, served }) => [day, served] as const) },
        {
          name: 'completed, by arrival',
          style: 'line',
          points: course.map(({ day, completedOnly }) => [day, completedOnly] as const),
        },
        {
          name: 'L / lambda',
          style: 'line',
          points: course.map(({ day, little }) => [day, little] as const),
        },
      ],
    }),
    plotText: 'True mean wait and three estimates of it while waits climb',
  };
}
