/** Requests at a steady rate, whether or not the ones before have a response: waiting in a queue counts as latency. */
import { Agent, request } from 'node:http';
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

export interface Load {
  readonly url: string;
  readonly key: string;
  readonly paths: readonly string[];
  readonly ratePerSecond: number;
  readonly seconds: number;
}

export interface LoadFigures {
  /** Microseconds from the time at which a request was due to the end of its response. */
  readonly latency: RecordableHistogram;
  readonly statuses: ReadonlyMap<number, number>;
  /** Requests without a response, by error. */
  readonly broken: ReadonlyMap<string, number>;
}

const TICK_MS = 5;
const CONNECTIONS = 32;

/** Resolves when all have been sent and have a response. */
export async function runSteadyLoad({ url, key, paths, ratePerSecond, seconds }: Load): Promise<LoadFigures> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const latency = createHistogram();
  const statuses = new Map<number, number>();
  const broken = new Map<string, number>();
  const add = <K>(counts: Map<K, number>, name: K): void =>
    void counts.set(name, (counts.get(name) ?? 0) + 1);
  const underWay = new Set<Promise<void>>();

  const send = (number: number, dueAt: number): Promise<void> =>
    new Promise((resolve) => {
      const sent = request(`${url}${paths[number % paths.length]}`, { agent, headers: { 'X-API-Key': key } });
      const fail = (error: Error): void => {
        add(broken, error.message);
        resolve();
      };
      sent.on('error', fail);
      sent.on('response', (reply) => {
        reply.on('error', fail);
        reply.on('end', () => {
          latency.record(Math.max(1, Math.round((performance.now() - dueAt) * 1000)));
          add(statuses, reply.statusCode ?? 0);
          resolve();
        });
        reply.resume();
      });
      sent.end();
    });

  const startedAt = performance.now();
  const all = Math.round(ratePerSecond * seconds);
  for (let sent = 0; sent < all; await delay(TICK_MS)) {
    const due = Math.min(all, Math.floor(((performance.now() - startedAt) / 1000) * ratePerSecond));
    for (; sent < due; sent += 1) {
      const one = send(sent, startedAt + (sent / ratePerSecond) * 1000);
      underWay.add(one);
      one.then(() => underWay.delete(one));
    }
  }
  await Promise.all(underWay);
  agent.destroy();
  return { latency, statuses, broken };
}
