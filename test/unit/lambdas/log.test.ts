/** The lines of a function's log, which alarms, metric filters and the runbook read. */
import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Log, METRIC_NAMESPACE } from '../../../core/contracts/log.ts';
import { createLog } from '../../../lambdas/log.ts';

const AT = Date.UTC(2025, 9, 4, 12);
const environment = { ...process.env };
afterEach(() => {
  process.env = { ...environment };
});

/** What `use` writes. */
function written(use: (log: Log) => void): string[] {
  const lines: string[] = [];
  use(createLog({ service: 'pcd', write: (line) => void lines.push(line), now: () => AT }));
  return lines;
}

const line = (level: string, message: string, rest = ''): string =>
  `{"level":"${level}","message":"${message}","timestamp":"2025-10-04T12:00:00.000Z","service":"pcd"${rest}}\n`;

describe('a line', () => {
  it('has level, message, time and service first, then its fields without the empty ones', () => {
    const fields = { count: 0, ok: false, place: undefined, note: '', none: null };
    const lines = written((log) => {
      log.info('pass', fields);
      log.info('pass', { ...fields, list: ['a'], port: { id: 'HKHKG' } });
      log.warn('pass', fields);
      log.error('pass');
    });
    expect(lines).toEqual([
      line('INFO', 'pass', ',"count":0,"ok":false'),
      line('INFO', 'pass', ',"count":0,"ok":false,"list":["a"],"port":{"id":"HKHKG"}'),
      line('WARN', 'pass', ',"count":0,"ok":false'),
      line('ERROR', 'pass'),
    ]);
  });

  it('has name, message, stack and cause of an error', () => {
    const error = new TypeError('broken', { cause: new Error('no reply') });
    const [text = ''] = written((log) => log.info('pass', { error }));
    expect(JSON.parse(text).error).toMatchObject({
      name: 'TypeError',
      message: 'broken',
      stack: error.stack,
      cause: { name: 'Error', message: 'no reply' },
    });
  });

  it('is the same whether Powertools writes it or not', () => {
    const value = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constantFrom(null, undefined));
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,9}$/), value), (fields) => {
        const [info] = written((log) => log.info('pass', fields)).slice(-1);
        const [warn] = written((log) => log.warn('pass', fields)).slice(-1);
        expect(info).toBe(warn?.replace('{"level":"WARN"', '{"level":"INFO"'));
      }),
    );
  });

  it('does not depend on the variables of the shell', () => {
    Object.assign(process.env, { POWERTOOLS_DEV: 'true', LOG_LEVEL: 'CRITICAL', TZ: 'Asia/Tokyo' });
    const lines = written((log) => {
      log.info('pass', { list: [1] });
      log.metric('Passes', 1);
    });
    expect(lines[0]).toBe(line('INFO', 'pass', ',"list":[1]'));
    expect(lines[1]).toContain('"Passes":1');
  });
});

describe('a metric', () => {
  it('has its own dimensions beside the service, and leaves none to the next', () => {
    const lines = written((log) => {
      log.metric('AgeOfData', 12.5, 'None', { source: 'hk-marine-department' });
      log.metric('Throttles', 1);
    });
    const emf = (name: string, unit: string, dimensions: string[]) => ({
      _aws: {
        Timestamp: AT,
        CloudWatchMetrics: [
          { Namespace: METRIC_NAMESPACE, Dimensions: [dimensions], Metrics: [{ Name: name, Unit: unit }] },
        ],
      },
    });
    expect(lines.map((text) => JSON.parse(text))).toEqual([
      {
        ...emf('AgeOfData', 'None', ['service', 'source']),
        service: 'pcd',
        source: 'hk-marine-department',
        AgeOfData: 12.5,
      },
      { ...emf('Throttles', 'Count', ['service']), service: 'pcd', Throttles: 1 },
    ]);
  });
});
