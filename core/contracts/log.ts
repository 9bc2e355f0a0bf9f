/** The log of a function: JSON lines, and metrics in CloudWatch's embedded format (EMF), which are read from the same output. */
import { METRIC_NAMESPACE } from './telemetry.ts';

type Fields = Readonly<Record<string, unknown>>;
type Unit = 'Count' | 'None';

export type Log = ReturnType<typeof createLog>;

interface LogOptions {
  /** Value of the field `service`, and of that dimension of every metric. */
  readonly service: string;
  /** Gets one line at a time, with its end. */
  readonly write: (line: string) => void;
  /** The wall clock, in epoch milliseconds. */
  readonly now: () => number;
}

/** An error as a value of JSON, with its causes. */
const errorFields = ({ name, message, stack, cause }: Error): object => ({ name, message, stack, cause });

const readable = (_name: string, value: unknown): unknown =>
  value instanceof Error ? errorFields(value) : value;

/** Only fields with an error need a replacer, which JSON calls for every value. */
const replacerOf = (fields: Fields = {}): typeof readable | undefined =>
  Object.values(fields).some((value) => value instanceof Error) ? readable : undefined;

/** Values of a field may be errors; undefined ones are left out. */
export function createLog({ service, write, now }: LogOptions) {
  const line =
    (level: 'INFO' | 'WARN' | 'ERROR') =>
    (message: string, fields?: Fields): void => {
      const timestamp = new Date(now()).toISOString();
      write(`${JSON.stringify({ level, message, timestamp, service, ...fields }, replacerOf(fields))}\n`);
    };
  return {
    info: line('INFO'),
    warn: line('WARN'),
    error: line('ERROR'),
    /** Publishes one value of a metric, with the dimension `service` and further ones. */
    metric(name: string, value: number, unit: Unit = 'Count', dimensions: Fields = {}): void {
      const all = { service, ...dimensions };
      const metrics = {
        Namespace: METRIC_NAMESPACE,
        Dimensions: [Object.keys(all)],
        Metrics: [{ Name: name, Unit: unit }],
      };
      write(
        `${JSON.stringify({ _aws: { Timestamp: now(), CloudWatchMetrics: [metrics] }, ...all, [name]: value })}\n`,
      );
    },
  };
}
