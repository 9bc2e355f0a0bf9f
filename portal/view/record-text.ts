/** What the record says in a sentence. */
import type { RecordScore, RevisedMetric, Revision, ServiceRecord } from '../../core/contracts/record.ts';

export const METRIC_NAMES: Readonly<Record<RecordScore['metric'], string>> = {
  avg_wait_hours: 'average wait',
  at_anchor: 'vessels at anchor',
  congestion_score: 'congestion score',
};

export function figureText(metric: RecordScore['metric'], value: number): string {
  if (metric === 'congestion_score') return value.toFixed(3);
  return `${value.toFixed(1)}${metric === 'avg_wait_hours' ? ' h' : ''}`;
}

/** How far the last forecasts of a port were off, else of the first port of the record. Undefined where none has thirty forecasts. */
export function recordLine({ next_day: records, ports }: ServiceRecord, port?: string): string | undefined {
  const found = port === undefined ? records[0] : records.find((record) => record.port === port);
  if (found === undefined) return undefined;
  const name = ports.find(({ port: code }) => code === found.port)?.name ?? found.port;
  const which = found.made === 'issued' ? 'forecasts' : 'forecasts, made afterwards from recordings,';
  const error = figureText('avg_wait_hours', found.error);
  const before = figureText('avg_wait_hours', found.persistence);
  return `The last 30 ${which} of the next day’s wait at ${name} were off by ${error}, the value of the day before by ${before}.`;
}

/** After how many days the daily waits of a port are final; undefined where too few days are known. */
export function finalLine({ final = [] }: ServiceRecord, port: string): string | undefined {
  const found = final.find((known) => known.port === port);
  if (found === undefined) return undefined;
  const { age, days } = found;
  if (age === null) return `More than 1 % of daily waits still change after 30 days (${days} days compared).`;
  if (age === 0) return `99 % of daily waits are final when their day ends (${days} days compared).`;
  return `99 % of daily waits are final after ${age} ${age === 1 ? 'day' : 'days'} (${days} days compared).`;
}

export const REVISED_NAMES: Readonly<Record<RevisedMetric, string>> = {
  congestion_score: 'congestion score',
  avg_wait_hours: 'average wait',
  vessels: 'vessels in port',
  mean_hours: 'mean wait of the day',
  berthed: 'berthings of the day',
};

const UNITS: Readonly<Record<RevisedMetric, readonly [decimals: number, unit: string]>> = {
  congestion_score: [3, ''],
  avg_wait_hours: [2, ' h'],
  vessels: [2, ''],
  mean_hours: [2, ' h'],
  berthed: [2, ''],
};

/** The share of days that still changed, and by how much; a change that is too small for the decimals is not shown as none. */
export function revisionText({ metric, changed, difference }: Revision): string {
  const share = `${(100 * changed).toFixed(1)} %`;
  if (difference === null || changed === 0) return share;
  const [decimals, unit] = UNITS[metric];
  const least = 10 ** -decimals;
  const amount = difference < least / 2 ? `under ${least}` : difference.toFixed(decimals);
  return `${share}, ${amount}${unit}`;
}
