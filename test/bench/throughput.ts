/** Requests a second of a 30-day trend through the local gateway, against a bare server that sends the same bytes. */
import type { Figure } from './figure.ts';
import { runLoad, startBareServer, startMeasuredService } from './service-process.ts';
import type { ServiceSettings } from './service-program.ts';
import { median } from './statistics.ts';

const PATH = '/v1/ports/USLAX/trend?window=30d';
const CONNECTIONS = 16;

export interface Rate {
  /** Median of the rounds. */
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** To the bare server in the same round; median of the rounds. */
  readonly ratio: number;
  /** Microseconds of processor time of the server's process a request, all threads; and the bare server's over it. */
  readonly cpuMicros: number;
  readonly cpuRatio: number;
}

export interface ThroughputFigures {
  readonly answerBytes: number;
  readonly connections: number;
  readonly rounds: number;
  readonly bare: Rate;
  /** By what is sent to the service. */
  readonly rates: Readonly<Record<string, Rate>>;
}

/** The 200 of the trend as it goes over the wire, without what Node adds by itself. */
async function answerOf(url: string, key: string) {
  const reply = await fetch(url, { headers: { 'X-API-Key': key } });
  const body = await reply.text();
  if (reply.status !== 200) throw new Error(`the trend answers ${reply.status}: ${body}`);
  const headers: Record<string, string> = {};
  reply.headers.forEach((value, name) => {
    if (!['date', 'connection', 'keep-alive'].includes(name)) headers[name] = value;
  });
  return { headers, body };
}

const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));

export interface ThroughputPlan {
  readonly seconds: number;
  readonly rounds: number;
  /** Services that are measured beside one another, by what is special about them. */
  readonly services: Readonly<Record<string, ServiceSettings>>;
}

/** Every service and the bare server in turn, so that a busy moment of the machine hits all of them. */
export async function throughput({ seconds, rounds, services }: ThroughputPlan): Promise<ThroughputFigures> {
  const running = [];
  for (const [name, settings] of Object.entries(services))
    running.push({ name, service: await startMeasuredService(settings) });
  const first = running[0]?.service;
  if (first === undefined) throw new Error('there is no service to measure');
  const answer = await answerOf(`${first.url}${PATH}`, first.benchKey);
  const bareServer = await startBareServer(answer);
  const targets = [
    { name: 'bare', process: bareServer, url: bareServer.url },
    ...running.flatMap(({ name, service }) => {
      const target = { process: service, url: `${service.url}${PATH}` };
      return [
        { ...target, name: `${name}, no limiter`, key: service.benchKey },
        { ...target, name: `${name}, exact limiter`, key: service.limitedKey },
      ];
    }),
  ];
  try {
    const samples = new Map(targets.map(({ name }) => [name, [] as Rate[]]));
    for (let round = -1; round < rounds; round += 1) {
      let [bareRate, bareMicros] = [Number.NaN, Number.NaN];
      for (const { name, process, ...load } of targets) {
        // The round before the first warms everything up.
        const time = round < 0 ? Math.ceil(seconds / 2) : seconds;
        const before = (await process.usage()).cpu;
        const { failed, ...figures } = await runLoad({ ...load, connections: CONNECTIONS, seconds: time });
        const after = (await process.usage()).cpu;
        if (failed > 0) throw new Error(`${name}: ${failed} requests failed`);
        const cpuMicros =
          (after.user + after.system - before.user - before.system) / (figures.requestsPerSecond * time);
        if (name === 'bare') [bareRate, bareMicros] = [figures.requestsPerSecond, cpuMicros];
        const ratio = figures.requestsPerSecond / bareRate;
        if (round >= 0)
          samples.get(name)?.push({ ...figures, ratio, cpuMicros, cpuRatio: bareMicros / cpuMicros });
      }
    }
    const rateOf = (name: string): Rate => {
      const of = (field: keyof Rate): number =>
        median((samples.get(name) ?? []).map((sample) => sample[field]));
      return {
        requestsPerSecond: Math.round(of('requestsPerSecond')),
        p50Ms: of('p50Ms'),
        p99Ms: of('p99Ms'),
        ratio: rounded(of('ratio'), 4),
        cpuMicros: rounded(of('cpuMicros'), 1),
        cpuRatio: rounded(of('cpuRatio'), 4),
      };
    };
    return {
      answerBytes: Buffer.byteLength(answer.body),
      connections: CONNECTIONS,
      rounds,
      bare: rateOf('bare'),
      rates: Object.fromEntries(targets.slice(1).map(({ name }) => [name, rateOf(name)])),
    };
  } finally {
    await bareServer.stop();
    for (const { service } of running) await service.stop();
  }
}

/** Goals by service and key, for this kind of machine. */
const LEAST_RATIO = 0.35;
const LEAST_LIMITED = 600;

export function throughputFigures({
  bare,
  rates,
  answerBytes,
  connections,
  rounds,
}: ThroughputFigures): Figure[] {
  const how = `${connections} connections, median of ${rounds} rounds`;
  return [
    {
      what: 'bare server',
      value: bare.requestsPerSecond,
      unit: 'requests/s',
      against: `the same ${answerBytes} bytes, ${how}; ${bare.cpuMicros} µs of processor time each`,
    },
    ...Object.entries(rates).flatMap(([name, rate]): Figure[] => {
      const limited = name.endsWith('exact limiter');
      const { p50Ms, p99Ms, cpuMicros } = rate;
      return [
        {
          what: name,
          value: rate.requestsPerSecond,
          unit: 'requests/s',
          against: `p50 ${p50Ms} ms, p99 ${p99Ms} ms; ${cpuMicros} µs of processor time each`,
          ...(limited && { atLeast: LEAST_LIMITED }),
        },
        {
          what: `${name}: ratio of rates`,
          value: rate.ratio,
          unit: '',
          against: 'the bare server in the same round',
          ...(!limited && { atLeast: LEAST_RATIO }),
        },
        {
          what: `${name}: ratio of processor times`,
          value: rate.cpuRatio,
          unit: '',
          against: 'the bare server over this',
        },
      ];
    }),
  ];
}
