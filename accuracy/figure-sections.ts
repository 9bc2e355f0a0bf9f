/** The parts of the accuracy page that measure the served figures against a simulated truth. */

import type { DailyMetrics } from '../core/metrics/figures.ts';
import { BUILD_UP_AND_CLEAR, STEADY } from '../core/sources/sample-simulator/scenario.ts';
import { makePolls } from './ground-truth/simulated-polls.ts';
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
} from './ground-truth/study.ts';
import { meanRamp } from './ramp-study.ts';
import { type Section, svgPlot, table } from './report.ts';
import { mean } from './scoring.ts';

const FIRST_DAY = '2026-01-05';
const POLL_MINUTES = 20;
const FAULTS = { jitterMinutes: 5, lateShare: 0.1, lateMinutes: 40, missingShare: 0.1, repeatedShare: 0.1 };
const LITTLE_DAYS = 200;
/** The queue of the plot builds up and clears in these. */
const PLOTTED_DAYS = 25;

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
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
    `${wrongCounts(simulated, polls).length} of ${polls.length}`,
    `${percent(stays.found / stays.stays)} / ${percent(stays.confirmed / stays.reconstructed)}`,
  ];
}

function littleRow(port: World['port']): string[] {
  const scenario = { profile: { shiftShare: 0 } };
  const world = simulateWorld({ port, firstDay: FIRST_DAY, days: LITTLE_DAYS, seed: 9, scenario });
  const { queueOverArrivals, wait } = checkLittle(world, servedSeries(world, callBatches(world)));
  return [port, hours(queueOverArrivals), hours(wait)];
}

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
  return {
    id: 'simulated-ports',
    title: 'Simulated ports with every event known',
    body: [
      `${days} days of each port; in USLAX a queue builds up and clears. All columns are in hours except the last two.`,
      '',
      table(
        [
          'Port',
          'True mean wait',
          'Records: largest error',
          'Polls: largest error',
          'Served less mean by arrival',
          'Polls with a wrong count',
          'Stays found / stays confirmed',
        ],
        worlds.map(waitRow),
      ),
      '',
      '- *Largest error*: served `avg_wait_hours` of a day less the same estimator on the true calls. Bars: rounding (0.05) with',
      '  records; half a poll interval (0.17 h) and rounding with polls every 20 minutes.',
      '- *Served less mean by arrival*: the effect of censoring.',
      '- *Wrong count*: polls after which `in_port` or `at_anchor` was not the true number. Bar: none.',
      '- *Stays*: with polls that jitter by 5 minutes, a tenth of them up to 40 minutes late, a tenth missing, a tenth twice; two stays',
      '  are the same when they share more than half of the time that either takes. Bar: 98 %.',
      '',
      `Little's law on steady traffic of ${LITTLE_DAYS} days: served vessels at anchor over arrivals an hour, against the mean wait. Bar: within 10 %`,
      'where vessels queue (SGSIN).',
      '',
      table(
        ['Port', 'Queue over arrivals, h', 'Served average, h'],
        ['SGSIN', 'NLRTM', 'HKHKG'].map(littleRow),
      ),
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
  return {
    id: 'ramp',
    title: 'A queue that builds up',
    body: [
      'Ten arrivals a day; the mean wait climbs from 12 h on day 40 to 240 h on day 80 and stays there; waits are',
      `log-normal. Means of ${runs} seeded runs, hours; each day uses only what is known by then.`,
      '',
      table(
        ['Day', 'Truth: arrived in 7 d', 'Served: berthed in 7 d', 'Score'],
        rows.map((row) => [String(row.day), ...[row.truth, row.served].map(cell), row.score.toFixed(2)]),
      ),
      '',
      'The average by berthing lags, because a 200-hour wait is known only after 200 hours; that of completed waits by arrival never',
      'recovers. The score also contains the live queue and is high long before.',
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
