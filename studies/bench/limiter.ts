/** The exact limiter as clients meet it: 64 of them on one key, over services that share only the table. */
import { Agent, get } from 'node:http';
import type { Figure } from './figure.ts';
import { startMeasuredService } from './service-process.ts';
import { median } from './statistics.ts';

const [CLIENTS, HOSTS] = [64, 2];
const BURST = 300;
const PATHS = [
  '/v1/ports/USLAX/trend?window=30d',
  '/v1/ports/USLAX/trend?window=30d&format=csv',
  '/v1/ports/SGSIN/snapshot',
];

export interface LimitedClients {
  readonly clients: number;
  readonly hosts: number;
  readonly seconds: number;
  readonly admitted: number;
  readonly refused: number;
  /** The burst, and one for each whole second from the first request sent to the last admission received. */
  readonly most: number;
  /** Median milliseconds of the same read without and with the limiter, one at a time, in turn. */
  readonly aloneMs: number;
  readonly limitedMs: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });

/** The status of a GET; the body is read to its end. */
function statusOf(url: string, key: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { 'X-API-Key': key } }, (reply) => {
      reply.resume();
      reply.once('end', () => resolve(reply.statusCode ?? 0));
    }).once('error', reject);
  });
}

async function timed(url: string, key: string): Promise<number> {
  const beganAt = performance.now();
  const status = await statusOf(url, key);
  if (status !== 200) throw new Error(`${url} returns ${status}`);
  return performance.now() - beganAt;
}

/** @param seconds how long all clients ask, @param reads pairs of reads for the latency */
export async function limitedClients(seconds = 20, reads = 300): Promise<LimitedClients> {
  const service = await startMeasuredService({ hosts: HOSTS });
  try {
    const pairs: [number, number][] = [];
    for (let read = -20; read < reads; read += 1) {
      const url = `${service.url}${PATHS[0]}`;
      const pair: [number, number] = [
        await timed(url, service.benchKey),
        await timed(url, service.limitedKey),
      ];
      if (read >= 0) pairs.push(pair);
    }
    let [admitted, refused, lastAt] = [0, 0, 0];
    const beganAt = performance.now();
    const client = async (number: number): Promise<void> => {
      const url = `${service.urls[number % HOSTS]}${PATHS[number % PATHS.length]}`;
      while (performance.now() - beganAt < seconds * 1000) {
        const status = await statusOf(url, service.starterKey);
        if (status === 200) {
          admitted += 1;
          lastAt = performance.now();
        } else if (status === 429) refused += 1;
        else throw new Error(`${url} returns ${status}`);
        if (status === 429) await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
    return {
      clients: CLIENTS,
      hosts: HOSTS,
      seconds,
      admitted,
      refused,
      most: BURST + Math.floor((lastAt - beganAt) / 1000),
      aloneMs: median(pairs.map(([alone]) => alone)),
      limitedMs: median(pairs.map(([, limited]) => limited)),
    };
  } finally {
    agent.destroy();
    await service.stop();
  }
}

export const limitedFigures = (found: LimitedClients): Figure[] => {
  const against = `${found.clients} clients on one key for ${found.seconds} s, ${found.hosts} services on one store; ${found.refused} refused`;
  return [
    {
      what: 'admitted',
      value: found.admitted,
      unit: 'requests',
      against,
      atMost: found.most,
      atLeast: Math.ceil(0.98 * found.most),
    },
    {
      what: 'of the tokens of the bucket',
      value: found.admitted / found.most,
      unit: '',
      against: `${found.most}: the burst and a token a second`,
      atMost: 1,
      atLeast: 0.98,
    },
    {
      what: 'median of a read with the limiter',
      value: found.limitedMs / found.aloneMs,
      unit: '',
      against: `the same read without it, ${found.aloneMs.toFixed(1)} ms`,
      atMost: 1.5,
    },
  ];
};
