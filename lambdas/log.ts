/** The log of a function, by Powertools: JSON lines, and on the same output metrics in CloudWatch's embedded format (EMF). */
import { LogFormatter, Logger, LogItem } from '@aws-lambda-powertools/logger';
import type { LogAttributes, UnformattedAttributes } from '@aws-lambda-powertools/logger/types';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { type Fields, type Log, METRIC_NAMESPACE } from '../core/contracts/log.ts';
import type { Clock } from '../core/reference/time.ts';

export interface LogOptions {
  /** Value of the field `service`, and of that dimension of every metric. */
  readonly service: string;
  /** Gets one line at a time, with its end. */
  readonly write: (line: string) => void;
  /** The wall clock. */
  readonly now: Clock;
}

/** The fields that our alarms and pages read; the time is that of the wiring's clock. */
class LineFormatter extends LogFormatter {
  constructor(readonly now: Clock) {
    super();
  }

  override formatAttributes(line: UnformattedAttributes, fields: LogAttributes): LogItem {
    const { logLevel: level, message, serviceName: service } = line;
    const timestamp = new Date(this.now()).toISOString();
    return new LogItem({ attributes: { level, message, timestamp, service, ...fields } });
  }
}

/** Powertools prints to the process; several services in one process have a log each. */
class LineLogger extends Logger {
  readonly #write: LogOptions['write'];

  constructor({ service, write, now }: LogOptions) {
    // Stated here, so that no variable of a user's shell changes the log.
    super({
      serviceName: service,
      logLevel: 'INFO',
      sampleRateValue: 0,
      logFormatter: new LineFormatter(now),
    });
    this.#write = write;
  }

  protected override printLog(_level: number, item: LogItem): void {
    item.prepareForPrint();
    this.#write(`${JSON.stringify(item.getAttributes(), this.getJsonReplacer())}\n`);
  }
}

/** Fields that Powertools sets itself. */
const OWN_FIELDS = new Set(['level', 'message', 'timestamp', 'service', 'sampling_rate']);

/**
 * The line of Powertools for fields of plain values; undefined for others. Powertools takes three times as long, and every request
 * writes such a line.
 */
function plainLine({ service, now }: LogOptions, message: string, fields: Fields): string | undefined {
  const timestamp = new Date(now()).toISOString();
  const line: Record<string, unknown> = { level: 'INFO', message, timestamp, service };
  for (const name in fields) {
    const value = fields[name];
    if (value === undefined || value === '') continue;
    if (typeof value === 'object' || typeof value === 'bigint' || OWN_FIELDS.has(name)) return undefined;
    line[name] = value;
  }
  return `${JSON.stringify(line)}\n`;
}

export function createLog(options: LogOptions): Log {
  const { service, write, now } = options;
  const logger = new LineLogger(options);
  const metrics = new Metrics({ namespace: METRIC_NAMESPACE, serviceName: service, logger });
  return {
    info(message, fields = {}) {
      const line = plainLine(options, message, fields);
      if (line === undefined) logger.info(message, fields);
      else write(line);
    },
    warn: (message, fields = {}) => logger.warn(message, fields),
    error: (message, fields = {}) => logger.error(message, fields),
    metric(name, value, unit = 'Count', dimensions = {}) {
      for (const [dimension, is] of Object.entries(dimensions)) metrics.addDimension(dimension, is);
      metrics.addMetric(name, unit, value);
      const { _aws, ...values } = metrics.serializeMetrics();
      write(`${JSON.stringify({ _aws: { ..._aws, Timestamp: now() }, ...values })}\n`);
      metrics.clearMetrics();
      metrics.clearDimensions();
    },
  };
}
