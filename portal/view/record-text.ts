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

/**
 * One line for the first screen: `The last 30 forecasts of the next day's wait at Kaohsiung were off by 1.1 h, the value of the day before by
 * 1.9 h.` Of the port, else of the port whose record is the first one. Undefined where none has thirty forecasts.
 */
export function recordLine({ next_day: records, ports }: ServiceRecord, port?: string): string | undefined {
  const found = port === undefined ? records[0] : records.find((record) => record.port === port);
  if (found === undefined) return undefined;
  const name = ports.find(({ port: code }) => code === found.port)?.name ?? found.port;
  const which = found.made === 'issued' ? 'forecasts' : 'forecasts, made afterwards from recordings,';
  const [error, before] = [found.error, found.persistence].map((hours) =>
    figureText('avg_wait_hours', hours),
  );
  return `The last 30 ${which} of the next day’s wait at ${name} were off by ${error}, the value of the day before by ${before}.`;
}
