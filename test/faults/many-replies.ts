/** Sources of calls at three ports, and of imports, with some refused replies. */
import type { CallsObservation, Observation, TradeObservation } from '../../core/calls/observation.ts';
import { DAY_MS, HOUR_MS, type Instant } from '../../core/reference/time.ts';
import { randomStream } from '../../core/sources/sample-simulator/source.ts';
import type { ArchivedFetch, Source } from '../../core/upstream/source.ts';
import { scriptedSource } from '../builders/scripted-source.ts';
import { batchAt } from './batch-source.ts';
import { T0 } from './fault-run.ts';

export const WORLD = {
  ports: ['FIHEL', 'FIRAU', 'BRSSZ'],
  codes: ['01', '0102', '85', '8542', '854231', '94'],
} as const;

const sourceOf = (id: string, kind: 'events' | 'trade', ports: readonly string[]): Source => {
  const source = scriptedSource(id, ports);
  return { ...source, declaration: { ...source.declaration, kind } };
};
export const callSource: Source = sourceOf('calls-of-ports', 'events', WORLD.ports);
export const importSource: Source = sourceOf('imports-by-chapter', 'trade', []);

const fetchOf = (fetchedAt: Instant, text: string): ArchivedFetch => ({
  fetchedAt,
  files: new Map([['reply.json', new TextEncoder().encode(text)]]),
});
const replyOf = (asOfAt: Instant, observations: readonly Observation[]): string =>
  JSON.stringify({ asOfAt, observations });

/** A reply each half day; one in eight is a web page, one in eight of yesterday, one in eight lacks a port. */
export function portFetches(count: number, seed: number): ArchivedFetch[] {
  const random = randomStream('port-fetches', seed);
  return Array.from({ length: count }, (_, n) => {
    const at = T0 + n * 12 * HOUR_MS;
    const chance = random();
    if (n > 0 && chance < 0.125) return fetchOf(at, '<html>busy</html>');
    if (n > 0 && chance < 0.25) return fetchOf(at, replyOf(at - DAY_MS, []));
    const ports = chance < 0.375 ? WORLD.ports.slice(1) : WORLD.ports;
    const batches = ports.map((port, index): CallsObservation => {
      const batch = batchAt(at - DAY_MS, at, seed + index);
      // One call is at one port.
      const records = batch.records.map((record) => ({ ...record, callId: `${port} ${record.callId}` }));
      return { ...batch, port, records };
    });
    return fetchOf(at, replyOf(at, batches));
  });
}

/** A publication a month of the last 20, with revisions of the past; one in eight is a web page. */
export function tradeFetches(count: number, seed: number): ArchivedFetch[] {
  const random = randomStream('trade-fetches', seed);
  return Array.from({ length: count }, (_, n) => {
    const at = T0 + n * 30 * DAY_MS;
    if (n > 0 && random() < 0.125) return fetchOf(at, '<html>busy</html>');
    const values = WORLD.codes.flatMap((code) =>
      Array.from({ length: 20 }, (_, m) => {
        const month = new Date(at - (m + 2) * 30 * DAY_MS).toISOString().slice(0, 7);
        // No two months have the same value, as in real imports.
        const value = 1_000_000 * Number(code) + Number(month.replace('-', ''));
        return { code, month, value: value + (random() < 0.1 ? n : 0) };
      }),
    );
    const once = [...new Map(values.map((value) => [`${value.code} ${value.month}`, value])).values()];
    const report: TradeObservation = { kind: 'trade', measure: 'GEN_VAL_MO', observedAt: at, values: once };
    return fetchOf(at, replyOf(at, [report]));
  });
}
