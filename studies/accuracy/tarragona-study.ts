/** Tarragona in 2019: counts of the table of calls, and what forecasts and alerts of the recorded release said of a year on which no rule was chosen. */
import { join } from 'node:path';
import type { CallRecord } from '../../core/calls/observation.ts';
import { groupBy, mean, sum } from '../../core/reference/statistics.ts';
import {
  addDays,
  DAY_MS,
  type Day,
  formatInstant,
  HOUR_MS,
  hoursBetween,
  type Instant,
  startOfDay,
} from '../../core/reference/time.ts';
import { openRelease } from '../../core/release/release-reader.ts';
import { raisedAlertOf } from '../../core/release/rows.ts';
import { readCallTable } from '../../core/sources/call-tables/table.ts';
import { readGivenTable } from '../../tools/ingest/call-tables.ts';
import { scoreRelease } from '../forecast/release-scores.ts';
import { type FullTable, type Section, svgPlot, tableLink } from './report.ts';

export const TARRAGONA = {
  id: 'tarragona',
  title: 'Tarragona, 2019: a year that no rule was chosen on',
} as const;

const PORT = 'ESTAR';
const GAP_HOURS = 48;
/** Shown in the text. */
const LONGEST = 5;

/** A call that berthed. */
interface Berthed {
  readonly berthedAt: Instant;
  /** From arrival to berth. */
  readonly hours: number;
  /** The part of it at anchor. */
  readonly anchored: number;
  readonly traffic: CallRecord['traffic'];
}

type Stop = CallRecord['stops'][number];

/** The arrival and the first berth of the stays; undefined where there is no berth. */
function berthedIn(stops: readonly Stop[], traffic: CallRecord['traffic']): Berthed | undefined {
  const arrivedAt = stops[0]?.ataAt;
  const berthedAt = stops.find(({ zone }) => zone === 'berth')?.ataAt;
  if (arrivedAt === undefined || berthedAt === undefined) return undefined;
  const anchored = stops
    .filter(({ zone, ataAt = berthedAt }) => zone === 'anchorage' && ataAt < berthedAt)
    .map(({ ataAt = berthedAt, atdAt = berthedAt }) => hoursBetween(ataAt, atdAt));
  return { berthedAt, hours: hoursBetween(arrivedAt, berthedAt), anchored: sum(anchored), traffic };
}

const isGap = (before: Stop | undefined, { ataAt = 0 }: Stop): boolean =>
  before?.atdAt !== undefined && hoursBetween(before.atdAt, ataAt) > GAP_HOURS;

/** The stays of a call, divided where more than `GAP_HOURS` lie between two of them. */
function divided(stops: readonly Stop[]): Stop[][] {
  const parts: Stop[][] = [];
  for (const [at, stop] of stops.entries()) {
    const part = parts.at(-1);
    if (part === undefined || isGap(stops[at - 1], stop)) parts.push([stop]);
    else part.push(stop);
  }
  return parts;
}

const meanHours = (calls: readonly Berthed[]): string => mean(calls.map(({ hours }) => hours)).toFixed(1);

const monthIn = (timeZone: string): ((at: Instant) => string) => {
  const format = new Intl.DateTimeFormat('en', { timeZone, month: 'long' });
  return (at) => format.format(at);
};

/** The calendar week, Monday to Sunday by local time, whose berthings had waited longest. */
function worstWeek(calls: readonly Berthed[], timeZone: string): { firstDay: Day; of: readonly Berthed[] } {
  const local = new Intl.DateTimeFormat('en-CA', { timeZone });
  const byWeek = groupBy(calls, ({ berthedAt }) => {
    const day = local.format(berthedAt);
    return addDays(day, -((new Date(day).getUTCDay() + 6) % 7));
  });
  const [first] = [...byWeek].sort(
    ([, a], [, b]) => mean(b.map(({ hours }) => hours)) - mean(a.map(({ hours }) => hours)),
  );
  if (first === undefined) throw new RangeError('no vessel berthed');
  return { firstDay: first[0], of: first[1] };
}

/** The longest times without a berthing that counts. */
function longestGaps(calls: readonly Berthed[]): { hours: number; toAt: Instant }[] {
  const times = calls
    .filter(({ traffic }) => traffic === 'cargo')
    .map(({ berthedAt }) => berthedAt)
    .sort((a, b) => a - b);
  return times
    .flatMap((toAt, at) => {
      const fromAt = times[at - 1];
      return fromAt === undefined ? [] : [{ hours: hoursBetween(fromAt, toAt), toAt }];
    })
    .sort((a, b) => b.hours - a.hours)
    .slice(0, LONGEST);
}

const textOf = (value: number, metric: string): string =>
  value.toFixed(metric === 'congestion_score' ? 4 : 2);

/** The error of the year's forecasts beside both base lines, by metric and day ahead. */
async function forecastTable(release: string): Promise<FullTable> {
  const scores = await scoreRelease(release, PORT);
  return {
    name: 'tarragona-forecasts',
    title: 'Tarragona: errors of the forecasts by metric and day',
    columns: ['Metric', 'Day', 'Forecasts', 'Error', 'Persistence', 'Median of 28 days', 'Ratio', 'Coverage'],
    rows: scores.map(({ metric, horizon, forecasts, error, persistence, median, coverage }) => [
      `\`${metric}\``,
      String(horizon),
      String(forecasts),
      textOf(error, metric),
      textOf(persistence, metric),
      textOf(median, metric),
      (error / Math.min(persistence, median)).toFixed(2),
      `${Math.round(100 * coverage)}%`,
    ]),
  };
}

/** @param recordings the folder that has the release and the table of calls */
export async function tarragonaSection(recordings: string): Promise<Section> {
  const file = join(recordings, 'call-tables', 'tarragona-2019');
  const given = await readGivenTable(
    { calls: `${file}.csv`, about: `${file}.json`, leaveOut: false, asPolls: 'daily' },
    Date.now(),
  );
  const read = await readCallTable(given.bytes, { timeZone: given.about.timeZone, nowAt: Date.now() });
  const calls = read.ports.flatMap((port) => port.calls);
  const berthed = calls.flatMap(({ stops, traffic }) => berthedIn(stops, traffic) ?? []);
  const parts = calls.flatMap(({ stops, traffic }) =>
    divided(stops).flatMap((part) => berthedIn(part, traffic) ?? []),
  );
  const gaps = calls.map(({ stops }) => divided(stops).length - 1).filter((count) => count > 0);
  const anchored = calls.filter(
    ({ stops: [first, ...later] }) =>
      first?.zone === 'anchorage' && later.some(({ zone }) => zone === 'berth'),
  );
  const typed = berthed.filter(({ traffic }) => traffic === 'cargo');
  const untyped = berthed.filter(({ traffic }) => traffic === 'unknown');
  const byMonth = groupBy(
    berthed.toSorted((a, b) => a.berthedAt - b.berthedAt),
    ({ berthedAt }) => monthIn(given.about.timeZone ?? 'UTC')(berthedAt),
  );

  const worst = worstWeek(berthed, given.about.timeZone ?? 'UTC');
  // The waits of the service.
  const waited = typed.map((call) => ({ ...call, hours: call.anchored }));
  const waitWeek = worstWeek(waited, given.about.timeZone ?? 'UTC');
  const ofWorst = new Set(worst.of.map(({ berthedAt }) => berthedAt));
  const waitsInWorst = waited.filter(({ berthedAt }) => ofWorst.has(berthedAt));
  const untypedInWorst = worst.of.filter(({ traffic }) => traffic === 'unknown');
  const release = await openRelease(join(recordings, 'release'));
  const raised = [];
  for await (const group of release.rows('alerts_raised'))
    raised.push(...group.filter(({ port }) => port === PORT));
  const alerts = raised.map((row) => ({ ...raisedAlertOf(row), outcome: row.outcome }));
  const waits: [number, number][] = [];
  const dayOfYear = (at: Instant): number => 1 + (at - startOfDay('2019-01-01')) / DAY_MS;
  for await (const group of release.rows('trend'))
    for (const { port, date, avg_wait_hours: hours } of group)
      if (port === PORT && typeof hours === 'number')
        waits.push([dayOfYear(startOfDay(String(date))), hours]);
  const forecasts = await forecastTable(join(recordings, 'release'));
  const inWorst = alerts.filter(({ steps: [{ asOfAt }] }) => {
    const at = startOfDay(worst.firstDay);
    return asOfAt > at && asOfAt <= at + 7 * DAY_MS;
  });
  const closures = alerts.filter(({ metric }) => metric === 'berthings');
  const high = closures.filter(({ steps }) => steps.some(({ severity }) => severity === 'high'));
  const longest = longestGaps(berthed);
  const isFound = ({ hours, toAt }: { hours: number; toAt: Instant }): boolean =>
    closures.some(({ steps: [{ asOfAt }] }) => asOfAt > toAt - hours * HOUR_MS && asOfAt <= toAt + DAY_MS);
  const months: FullTable = {
    name: 'tarragona-months',
    title: 'Tarragona: hours from arrival to berth, by month of the berthing (local time)',
    columns: ['Month', 'Hours', 'Berthings'],
    rows: [...byMonth].map(([month, calls]) => [month, meanHours(calls), String(calls.length)]),
  };
  const said: FullTable = {
    name: 'tarragona-alerts',
    title: 'Tarragona: alerts as raised',
    columns: ['Known', 'Type', 'Metric', 'Severity', 'Text', 'Outcome'],
    rows: alerts.map(({ type, metric, steps, explain, outcome }) => [
      formatInstant(steps[0].knownAt).slice(0, 10),
      type,
      `\`${metric}\``,
      steps.map(({ severity }) => severity).join(', '),
      explain.split('. ')[0]?.split(': ')[0] ?? '',
      outcome == null ? '-' : String(outcome),
    ]),
  };
  return {
    ...TARRAGONA,
    tables: [months, said, forecasts],
    body: [
      'Every call of 2019 from the [recorded table of calls](../recordings/README.md#tarragona), as if it had been read at the end of each UTC day. No rule was changed for this year.',
      '',
      `- **Calls**: ${calls.length.toLocaleString('en-US')}, ${berthed.length.toLocaleString('en-US')} of them berthed, ${anchored.length} after a stay at anchor; from arrival to berth ${meanHours(berthed)} h on average, or ${meanHours(parts)} h if the ${sum(gaps)} gaps of more than ${GAP_HOURS} h divided their calls.`,
      `- **Waits** count the time at anchor of the ${typed.length.toLocaleString('en-US')} berthed calls whose type is known; ${untyped.length} have no type.`,
      `- **The worst week** was that of ${worst.firstDay}: ${worst.of.length} vessels took ${meanHours(worst.of)} h from arrival to berth; alerts raised in it: ${inWorst.length}. By waits, the worst is that of ${waitWeek.firstDay}, ${meanHours(waitWeek.of)} h; that of ${worst.firstDay} has ${meanHours(waitsInWorst)} h, because ${untypedInWorst.length} of its vessels, which took ${meanHours(untypedInWorst)} h, have no type.`,
      `- **Alerts**: ${alerts.length}; closures: ${closures.length}, ${high.length} of them \`high\`. The ${longest.length} longest times without a berthing that counts lasted ${longest.map(({ hours }) => hours.toFixed(1)).join(', ')} h; ${longest.filter(isFound).length} was alerted.`,
      '',
      tableLink(months),
      '',
      tableLink(said),
      '',
      tableLink(forecasts),
    ].join('\n'),
    plot: svgPlot({
      title: 'Tarragona, 2019: average wait, and alerts as they were raised',
      xLabel: 'day of the year',
      yLabel: 'avg_wait_hours',
      curves: [{ name: 'avg_wait_hours', style: 'line', points: waits }],
      marks: alerts.map(({ metric, steps: [{ asOfAt }] }) => ({
        x: dayOfYear(asOfAt),
        name: metric,
      })),
    }),
    plotText: 'Average wait by day, with the alerts of the year',
  };
}
