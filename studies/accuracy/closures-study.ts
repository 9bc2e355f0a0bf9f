/** Real closures of Kaohsiung, hour by hour with the knowledge of the hour: when each is alerted, and the score. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Coverage, PortCall } from '../../core/calls/port-call.ts';
import { type Closure, closureAlerts, closuresOf, stoppedSince } from '../../core/metrics/closures.ts';
import { dayFiguresOf, USUAL_MEMORY_DAYS } from '../../core/metrics/day-figures.ts';
import type { Alert, DayFigures } from '../../core/metrics/figures.ts';
import { queueScore } from '../../core/metrics/score.ts';
import { CallIndex, waitingVessels } from '../../core/metrics/waits.ts';
import {
  addDays,
  type Day,
  dayOf,
  daysBetween,
  formatInstant,
  HOUR_MS,
  type Instant,
  parseInstant,
  startOfDay,
} from '../../core/reference/time.ts';
import { tipcTaiwanDeclaration } from '../../core/sources/tipc-taiwan/declaration.ts';
import { parseTaiwan } from '../../core/sources/tipc-taiwan/parse.ts';
import { replay } from '../../test/worlds/ground-truth.ts';
import { type FullTable, type Section, svgPlot, tableLink } from './report.ts';

/** UTC days that contain each closure of 2025 and the day after it. */
const CLOSURES: readonly (readonly [Day, Day])[] = [
  ['2025-06-12', '2025-06-15'],
  ['2025-07-05', '2025-07-08'],
  ['2025-07-29', '2025-07-30'],
  ['2025-08-12', '2025-08-15'],
  ['2025-09-21', '2025-09-25'],
];
/** Days before a closure from which its usual berthings are computed. */
const BEFORE_DAYS = USUAL_MEMORY_DAYS + 21;
/** Damping by waiting vessels, with which methodology 2.0 multiplied every lack of flow. */
const WAITING_DAMPING_VESSELS = 2;
/** Hours after the first closed one within which it must be alerted. */
const BAR = { medium: 12, high: 24 };

interface Known {
  readonly calls: readonly PortCall[];
  readonly coverage: Coverage;
  readonly asOfAt: Instant;
}

/** The newest poll of an archive folder. Earlier polls stated the same times, as far as these lay in the past. */
function readNewestPoll(archive: string): Known {
  const folder = join(archive, tipcTaiwanDeclaration.id);
  const newest = readdirSync(folder).sort().at(-1) ?? '';
  const [, date = '', time = ''] = /^(\d{8})T(\d{6})Z$/.exec(newest) ?? [];
  const fetchedAt = parseInstant(
    `${date.replace(/^(....)(..)/, '$1-$2-')}T${time.replace(/^(..)(..)/, '$1:$2:')}Z`,
  );
  if (fetchedAt === undefined) throw new RangeError(`${folder} has no poll`);
  const files = new Map(
    readdirSync(join(folder, newest)).map((name) => [
      name,
      new Uint8Array(readFileSync(join(folder, newest, name))),
    ]),
  );
  const { observations } = parseTaiwan({ fetchedAt, files });
  const { ledger, calls } = replay(observations.filter((report) => report.kind === 'call-batch'));
  return { calls: [...calls.values()], coverage: ledger.coverage, asOfAt: fetchedAt };
}

interface Hour {
  readonly at: Instant;
  readonly alerts: readonly Alert[];
  readonly since: Instant | undefined;
  /** As served, and by methodology 2.0. */
  readonly score: number | undefined;
  readonly formerScore: number | undefined;
}

/** Methodology 2.0 had no floor, and a lack of flow only where vessels wait. */
function formerScore(row: DayFigures | undefined, waiting: number): number | undefined {
  if (row === undefined) return undefined;
  const { flowTerm, stoppedShare, ...terms } = row;
  const part = stoppedShare === undefined ? 1 : waiting / (waiting + WAITING_DAMPING_VESSELS);
  return queueScore({ ...terms, ...(flowTerm !== undefined && { flowTerm: flowTerm * part }) });
}

/** The knowledge at the end of each hour of the days from `first` to `last`. */
function hoursOf({ calls, coverage }: Known, [first, last]: readonly [Day, Day]): Hour[] {
  const observedFromAt = coverage[0]?.fromAt;
  const rows: DayFigures[] = [];
  const rowsTo = (days: readonly Day[], at: Instant): DayFigures[] => [
    ...rows,
    ...dayFiguresOf(days, new CallIndex(calls, at, observedFromAt), coverage, rows.slice(-USUAL_MEMORY_DAYS)),
  ];
  rows.push(...rowsTo(daysBetween(addDays(first, -BEFORE_DAYS), addDays(first, -1)), startOfDay(first)));
  return daysBetween(first, last).flatMap((day) => {
    const hours = Array.from({ length: 24 }, (_, i): Hour => {
      const at = startOfDay(day) + (i + 1) * HOUR_MS;
      const known = rowsTo([day], at);
      const waiting = waitingVessels(new CallIndex(calls, at, observedFromAt), day, at + 1);
      const row = known.at(-1);
      return {
        at,
        alerts: closureAlerts(known, at, first).filter(({ asOfAt }) => asOfAt > startOfDay(first)),
        since: stoppedSince(known, at),
        score: row?.congestionScore,
        formerScore: formerScore(row, waiting),
      };
    });
    rows.push(...rowsTo([day], startOfDay(addDays(day, 1))).slice(-1));
    return hours;
  });
}

const largest = (values: readonly (number | undefined)[]): number =>
  Math.max(...values.map((value) => value ?? 0));

/** One closure as the page states it. */
function studyRealClosure(known: Known, days: readonly [Day, Day]) {
  const hours = hoursOf(known, days);
  const since = hours.flatMap(({ alerts }) => alerts).find(({ beganAt }) => beganAt !== undefined)?.beganAt;
  const found = (severity: Alert['severity']): Hour | undefined =>
    hours.find(({ alerts }) => alerts.some((alert) => alert.severity === severity));
  const delay = (hour: Hour | undefined): number | undefined =>
    hour && since !== undefined ? (hour.at - since) / HOUR_MS : undefined;
  const closed = hours.filter((hour) => hour.since !== undefined);
  return {
    days,
    hours,
    since,
    medium: found('medium')?.at,
    high: found('high')?.at,
    mediumHours: delay(found('medium')),
    highHours: delay(found('high')),
    score: largest(closed.map(({ score }) => score)),
    formerScore: largest(closed.map((hour) => hour.formerScore)),
  };
}

// The part of the accuracy page on real closures.

export const CLOSURES_OF_2025 = {
  id: 'closures-2025',
  title: 'Kaohsiung, January to September 2025: real closures by the hour',
} as const;

const text = (at: Instant | undefined): string =>
  at === undefined
    ? 'none'
    : formatInstant(at).slice('2025-'.length, '2025-00-00T00:00'.length).replace('T', ' ');
const hoursText = (hours: number | undefined): string => (hours === undefined ? '' : ` (${hours} h)`);

/** `archive` has one poll of the source that covers all nine months. */
export function closuresSection(archive: string): Section {
  const known = readNewestPoll(archive);
  const studied = CLOSURES.map((days) => studyRealClosure(known, days));
  const all = daysBetween('2025-01-01', dayOf(known.asOfAt));
  const index = new CallIndex(known.calls, known.asOfAt, known.coverage[0]?.fromAt);
  const rows = dayFiguresOf(all, index, known.coverage);
  const isOfClosure = ({ asOfAt }: Alert): boolean =>
    CLOSURES.some(([first, last]) => first <= dayOf(asOfAt) && dayOf(asOfAt) <= last);
  const others = closureAlerts(rows, known.asOfAt, undefined).filter((alert) => !isOfClosure(alert));
  const late = studied.filter(
    ({ mediumHours = Infinity, highHours = Infinity }) => mediumHours > BAR.medium || highHours > BAR.high,
  );
  const ends: readonly Closure[] = closuresOf(rows, known.asOfAt);
  const [, , , , september] = studied;
  const found: FullTable = {
    name: 'closures-2025',
    title:
      'Closures of Kaohsiung in 2025, with hours after the beginning, and the largest score by 2.0 and as served',
    columns: ['Began', 'Ended', '`medium`', '`high`', 'Score'],
    rows: studied.map((closure) => [
      text(closure.since),
      text(ends.find(({ beganAt }) => beganAt === closure.since)?.endedAt),
      `${text(closure.medium)}${hoursText(closure.mediumHours)}`,
      `${text(closure.high)}${hoursText(closure.highHours)}`,
      `${closure.formerScore.toFixed(3)} / ${closure.score.toFixed(3)}`,
    ]),
  };
  return {
    ...CLOSURES_OF_2025,
    tables: [found],
    body: [
      `Five real closures, from the port's own lists, with nothing later than each hour. Bars: \`medium\` within ${BAR.medium} h, \`high\` within ${BAR.high} h: missed by ${late.length} of ${studied.length}.`,
      `Other alerts of \`berthings\` in the nine months: ${
        others.length === 0
          ? 'none'
          : others.map(({ severity, asOfAt }) => `${severity} on ${text(asOfAt)}`).join(', ')
      }, slow days. The lists lack the last day of each month, which hides the end of 30 July.`,
      '',
      tableLink(found),
    ].join('\n'),
    plot: svgPlot({
      title: 'Kaohsiung, September 2025: score by the hour around a closure',
      xLabel: 'hours since 21 September, 00:00 UTC',
      yLabel: 'congestion_score',
      curves: [
        {
          name: 'by 2.0',
          style: 'line',
          points: (september?.hours ?? []).map((hour, i) => [i + 1, hour.formerScore ?? 0] as const),
        },
        {
          name: 'served',
          style: 'line',
          points: (september?.hours ?? []).map((hour, i) => [i + 1, hour.score ?? 0] as const),
        },
      ],
    }),
    plotText:
      'The score by the hour around the closure of September, by methodology 2.0 and as served, which stays at 0.6 while nothing berths',
  };
}
