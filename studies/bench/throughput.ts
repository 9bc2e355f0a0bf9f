/** Requests a second of a 30-day trend through the local gateway, by service and key, beside a bare server that answers with the same bytes. */
import type { Figure } from './figure.ts';
import { type MeasuredProcess, runLoad, startBareServer, startMeasuredService } from './service-process.ts';
import type { ServiceSettings } from './service-program.ts';
import { median } from './statistics.ts';

const PATH = '/v1/ports/USLAX/trend?window=30d';
const CONNECTIONS = 16;

interface Rate {
  /** Median of the rounds. */
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Microseconds of processor time of the server's process a request, all threads. */
  readonly cpuMicros: number;
}

const BARE = 'a bare node:http server with the same bytes and a log line';

export interface ThroughputFigures {
  readonly connections: number;
  readonly rounds: number;
  /** By what is sent to the service. */
  readonly rates: Readonly<Record<string, Rate>>;
}

const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));

export interface ThroughputPlan {
  readonly seconds: number;
  readonly rounds: number;
  /** Services that are measured beside one another, by what is special about them. */
  readonly services: Readonly<Record<string, ServiceSettings>>;
}

/** Every service in turn, so that a busy moment of the machine hits all of them. */
export async function throughput({ seconds, rounds, services }: ThroughputPlan): Promise<ThroughputFigures> {
  const running: MeasuredProcess[] = [];
  try {
    const targets: { process: MeasuredProcess; name: string; url: string; key: string }[] = [];
    for (const [name, settings] of Object.entries(services)) {
      const service = await startMeasuredService(settings);
      running.push(service);
      const [url, key] = [`${service.url}${PATH}`, service.benchKey];
      if (targets.length === 0) {
        const bare = await startBareServer({ url, key });
        running.push(bare);
        targets.push({ process: bare, name: BARE, url: bare.url, key });
      }
      const target = { process: service, url };
      targets.push({ ...target, name: `${name}, no limiter`, key });
      targets.push({ ...target, name: `${name}, exact limiter`, key: service.limitedKey });
    }
    const samples = new Map(targets.map(({ name }) => [name, [] as Rate[]]));
    for (let round = -1; round < rounds; round += 1) {
      for (const { name, process, ...load } of targets) {
        // The round before the first warms everything up.
        const time = round < 0 ? Math.ceil(seconds / 2) : seconds;
        const before = (await process.usage()).cpu;
        const { failed, ...figures } = await runLoad({ ...load, connections: CONNECTIONS, seconds: time });
        const after = (await process.usage()).cpu;
        if (failed > 0) throw new Error(`${name}: ${failed} requests failed`);
        const cpuMicros =
          (after.user + after.system - before.user - before.system) / (figures.requestsPerSecond * time);
        if (round >= 0) samples.get(name)?.push({ ...figures, cpuMicros });
      }
    }
    const rateOf = (name: string): Rate => {
      const of = (field: keyof Rate): number =>
        median((samples.get(name) ?? []).map((sample) => sample[field]));
      return {
        requestsPerSecond: Math.round(of('requestsPerSecond')),
        p50Ms: of('p50Ms'),
        p99Ms: of('p99Ms'),
        cpuMicros: rounded(of('cpuMicros'), 1),
      };
    };
    return {
      connections: CONNECTIONS,
      rounds,
      rates: Object.fromEntries(targets.map(({ name }) => [name, rateOf(name)])),
    };
  } finally {
    for (const process of running) await process.stop();
  }
}

export const throughputFigures = ({ rates, connections, rounds }: ThroughputFigures): Figure[] =>
  Object.entries(rates).map(([name, { requestsPerSecond, p50Ms, p99Ms, cpuMicros }]) => ({
    what: name,
    value: requestsPerSecond,
    unit: 'requests/s',
    against: `${Math.round((100 * requestsPerSecond) / (rates[BARE]?.requestsPerSecond ?? Number.NaN))} % of the bare server; p50 ${p50Ms} ms, p99 ${p99Ms} ms; ${cpuMicros} µs of processor time each; ${connections} connections, median of ${rounds} rounds`,
  }));
