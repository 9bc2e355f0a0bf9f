/** What the record says in a sentence. */
import type { RecordScore, ServiceRecord } from '../../core/contracts/record.ts';

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
