/** What change points add: how often a threshold or an unusual figure had reported the rise before, on recorded days and in simulated years. */
import { EARLIER_ALERT_DAYS, evaluateAlerts } from '../../core/metrics/alerts.ts';
import type { DayFigures } from '../../core/metrics/figures.ts';
import { DAY_MS, endOfDay } from '../../core/reference/time.ts';
import { STUDIED_PORTS } from './disruption-study.ts';
import { recordedDays, simulatedDays } from './forecast-series.ts';
import { type FullTable, type Section, svgPlot, tableLink } from './report.ts';

const SIMULATED = { seeds: [1, 2, 3], days: 425 };

interface Shift {
  readonly isRise: boolean;
  /** Days since the newest alert of a line or an unusual figure, as known on the day; undefined where there is none. */
  readonly reportedDays: number | undefined;
}

function shiftsIn(days: readonly DayFigures[]): Shift[] {
  const all = evaluateAlerts(days, { asOfAt: endOfDay(days.at(-1)?.day ?? '') });
  return all
    .filter(({ type }) => type === 'change_point')
    .map(({ asOfAt, changeFraction }) => {
      const known = days.filter(({ day }) => endOfDay(day) <= asOfAt);
      const newest = evaluateAlerts(known, { asOfAt }).find(
        ({ type, metric }) => type !== 'change_point' && metric !== 'berthings',
      );
      return {
        isRise: changeFraction > 0,
        reportedDays: newest && (asOfAt - newest.asOfAt) / DAY_MS,
      };
    });
}

const reportedWithin = (shifts: readonly Shift[], days: number): number =>
  shifts.filter(({ reportedDays }) => reportedDays !== undefined && reportedDays <= days).length;

/** @param release folder of the recorded release */
export async function changePointsSection(release: string): Promise<Section> {
  const recorded = shiftsIn(await recordedDays(release));
  const simulated = SIMULATED.seeds.flatMap((seed) =>
    STUDIED_PORTS.flatMap((port) => shiftsIn(simulatedDays(port, seed, SIMULATED.days))),
  );
  const row = (name: string, shifts: readonly Shift[]): string[] => {
    const rises = shifts.filter(({ isRise }) => isRise);
    const counts = [5, EARLIER_ALERT_DAYS, 60].map((days) => reportedWithin(rises, days));
    const falls = shifts.filter(({ isRise }) => !isRise);
    return [
      name,
      rises.length,
      ...counts,
      rises.length - reportedWithin(rises, EARLIER_ALERT_DAYS),
      falls.length,
      reportedWithin(falls, EARLIER_ALERT_DAYS),
    ].map(String);
  };
  const rises = simulated.filter(({ isRise }) => isRise);
  const years = ((SIMULATED.seeds.length * STUDIED_PORTS.length * SIMULATED.days) / 365).toFixed(0);
  const added: FullTable = {
    name: 'change-points-added',
    title: 'Change points that another alert had reported',
    columns: [
      'Data',
      'Rises',
      'reported within 5 days before',
      `${EARLIER_ALERT_DAYS} days`,
      '60 days',
      'Reported by nothing else',
      'Falls',
      `reported within ${EARLIER_ALERT_DAYS} days`,
    ],
    rows: [
      row('Kaohsiung, January to September 2025, polled by the hour', recorded),
      row(`${STUDIED_PORTS.length} simulated ports, ${years} years: queues build up and clear`, simulated),
    ],
  };
  return {
    id: 'change-points',
    title: 'What change points add',
    tables: [added],
    body: [
      `A threshold or an unusual figure of the port had reported ${reportedWithin(rises, EARLIER_ALERT_DAYS)} of ${rises.length} simulated rises in the ${EARLIER_ALERT_DAYS} days before. Such a rise is raised as \`low\`.`,
      '',
      tableLink(added),
    ].join('\n'),
    plot: svgPlot({
      title: 'Simulated ports: rises that a threshold or an unusual figure had reported',
      xLabel: 'days before the change point was reported',
      yLabel: 'share of the rises',
      curves: [
        {
          name: 'reported',
          style: 'line',
          points: Array.from(
            { length: 15 },
            (_, days) => [days, reportedWithin(rises, days) / rises.length] as const,
          ),
        },
      ],
    }),
    plotText: 'Share of the rises of simulated ports that another alert had reported, by the days before',
  };
}
