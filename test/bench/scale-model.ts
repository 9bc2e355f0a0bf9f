/**
 * A simulation of the deployed service under a steady rate: requests arrive at random, and each limit in turn
 * admits or refuses them. Seeded: the same settings give the same figures.
 */
import { randomStream } from '../../core/sources/sample-simulator/random.ts';

/** Limits of one deployment; rates a second. */
export interface Limits {
  /** The account's quota at the gateway, in one region. */
  readonly accountRate: number;
  readonly accountBurst: number;
  /** The throttle of the stage, for all keys together. */
  readonly stageRate: number;
  readonly stageBurst: number;
  /** Functions that run at the same time, in the whole account. */
  readonly concurrency: number;
  /** Instances that may be added to one function in ten seconds. */
  readonly scalePerTenSeconds: number;
  /** Read units that one partition gives. */
  readonly partitionReads: number;
  /** Writes that the limiter's table takes: on demand, what it was warmed up to. */
  readonly limiterTableWrites: number;
  /** Seconds for which a function instance caches responses. */
  readonly answerCacheSeconds: number;
}

/** The work of requests, as measured. */
export interface Workload {
  readonly ratePerSecond: number;
  readonly seconds: number;
  readonly ports: number;
  /** Endpoint by its share of the requests, with the read units of one, and whether they are of one port. */
  readonly mix: readonly {
    readonly operation: string;
    readonly share: number;
    readonly readUnits: number;
    readonly byPort: boolean;
  }[];
  readonly warmMs: number;
  readonly coldMs: number;
}

export const GATES = [
  'account quota',
  'stage throttle',
  'concurrency',
  'hot partition',
  'limiter writes',
] as const;
export type Gate = (typeof GATES)[number];

export interface ScaleRun {
  readonly requests: number;
  readonly served: number;
  /**
   * Shares of all requests that each gate refused; at the limiter's writes they are not refused, but admitted under the
   * cap of the instance instead of the exact count.
   */
  readonly refused: Readonly<Record<Gate, number>>;
  /** Most that was used of each gate in any second, as a share of its limit; above 1 it refuses. */
  readonly peakUse: Readonly<Record<Gate, number>>;
  readonly coldShare: number;
}

/** The first index at which the cumulated shares exceed `at`. */
function pick(cumulated: readonly number[], at: number): number {
  const index = cumulated.findIndex((upTo) => at < upTo);
  return index === -1 ? cumulated.length - 1 : index;
}

const cumulate = (shares: readonly number[]): number[] => {
  const sum = shares.reduce((total, share) => total + share, 0);
  let upTo = 0;
  return shares.map((share) => {
    upTo += share / sum;
    return upTo;
  });
};

/** A token bucket on the simulated clock, in seconds. */
function bucket(rate: number, burst: number): (at: number) => boolean {
  let tokens = burst;
  let last = 0;
  return (at) => {
    tokens = Math.min(burst, tokens + (at - last) * rate);
    last = at;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

/** Units used in the second that runs; refuses beyond the limit, and remembers the highest demand. */
function perSecond(limit: number): { take(second: number, units: number): boolean; peakUse(): number } {
  let [current, used, demanded, peak] = [-1, 0, 0, 0];
  return {
    take(second, units) {
      if (second !== current) [current, used, demanded] = [second, 0, 0];
      demanded += units;
      peak = Math.max(peak, demanded);
      if (used + units > limit) return false;
      used += units;
      return true;
    },
    peakUse: () => peak / limit,
  };
}

interface Instance {
  freeAt: number;
}

/** The instances of one function: the one that was free last is taken first, as Lambda tends to. */
class Fleet {
  private readonly idle: Instance[] = [];
  private readonly busy: Instance[] = [];
  private started = 0;
  private windowAt = 0;
  /** Instances under way. */
  get running(): number {
    return this.busy.length;
  }

  /** Brings back the instances that have ended by `at`. */
  release(at: number): void {
    while (this.busy[0] !== undefined && this.busy[0].freeAt <= at) {
      const [instance] = this.busy.splice(0, 1);
      if (instance !== undefined) this.idle.push(instance);
    }
  }

  /** Runs one request; how it was taken up, or undefined where no instance may be added. */
  take(at: number, warm: number, cold: number, perTenSeconds: number): 'warm' | 'cold' | undefined {
    const instance = this.idle.pop();
    if (instance !== undefined) {
      this.add(instance, at + warm);
      return 'warm';
    }
    if (at - this.windowAt >= 10) [this.windowAt, this.started] = [at, 0];
    if (this.started >= perTenSeconds) return undefined;
    this.started += 1;
    this.add({ freeAt: 0 }, at + cold);
    return 'cold';
  }

  /** Keeps `busy` in the order in which instances end; nearly always the new one ends last. */
  private add(instance: Instance, freeAt: number): void {
    instance.freeAt = freeAt;
    let place = this.busy.length;
    while (place > 0 && (this.busy[place - 1]?.freeAt ?? 0) > freeAt) place -= 1;
    this.busy.splice(place, 0, instance);
  }
}

/** Popularity of ports by Zipf's law: the n-th is requested 1/n as often as the first. */
const popularity = (ports: number): number[] =>
  cumulate(Array.from({ length: ports }, (_, rank) => 1 / (rank + 1)));

export function simulate(workload: Workload, limits: Limits, seed = 1): ScaleRun {
  const random = randomStream('scale', seed);
  const { ratePerSecond, seconds, mix } = workload;
  const account = bucket(limits.accountRate, limits.accountBurst);
  const stage = bucket(limits.stageRate, limits.stageBurst);
  const offered = { account: perSecond(limits.accountRate), stage: perSecond(limits.stageRate) };
  const limiterTable = perSecond(limits.limiterTableWrites);
  const fleets = mix.map(() => new Fleet());
  const partitions = new Map<string, ReturnType<typeof perSecond>>();
  /** Requests for each response within the lifetime of the cache. */
  const asked = new Map<string, { readonly second: number; count: number }>();
  const operations = cumulate(mix.map(({ share }) => share));
  const ports = popularity(workload.ports);
  const refused: Record<Gate, number> = {
    'account quota': 0,
    'stage throttle': 0,
    concurrency: 0,
    'hot partition': 0,
    'limiter writes': 0,
  };
  let [requests, served, cold, mostRunning, mostPartition] = [0, 0, 0, 0, 0];

  /**
   * Whether an instance has cached the response. Each instance has a cache of its own: of the requests for one response
   * within its lifetime, as many miss as there are instances.
   */
  const isCached = (name: string, at: number, instances: number): boolean => {
    if (limits.answerCacheSeconds === 0) return false;
    const second = Math.floor(at / limits.answerCacheSeconds);
    const known = asked.get(name);
    const entry = known?.second === second ? known : { second, count: 0 };
    asked.set(name, entry);
    entry.count += 1;
    return entry.count > Math.max(1, instances);
  };

  for (let at = 0; ; ) {
    at += -Math.log(1 - random()) / ratePerSecond;
    if (at >= seconds) break;
    requests += 1;
    const second = Math.floor(at);
    const operation = pick(operations, random());
    const { readUnits = 0, byPort = false, operation: name = '' } = mix[operation] ?? {};
    const target = byPort ? `${name} ${pick(ports, random())}` : name;
    const fleet = fleets[operation];
    if (fleet === undefined) throw new Error('an operation has no function');

    offered.account.take(second, 1);
    if (!account(at)) {
      refused['account quota'] += 1;
      continue;
    }
    offered.stage.take(second, 1);
    if (!stage(at)) {
      refused['stage throttle'] += 1;
      continue;
    }
    let running = 1;
    for (const each of fleets) {
      each.release(at);
      running += each.running;
    }
    mostRunning = Math.max(mostRunning, running);
    const taken =
      running > limits.concurrency
        ? undefined
        : fleet.take(at, workload.warmMs / 1000, workload.coldMs / 1000, limits.scalePerTenSeconds);
    if (taken === undefined) {
      refused.concurrency += 1;
      continue;
    }
    if (taken === 'cold') cold += 1;
    if (!limiterTable.take(second, 1)) refused['limiter writes'] += 1;
    if (!isCached(target, at, fleet.running)) {
      const partition = partitions.get(target) ?? perSecond(limits.partitionReads);
      partitions.set(target, partition);
      const read = partition.take(second, readUnits);
      mostPartition = Math.max(mostPartition, partition.peakUse());
      if (!read) {
        refused['hot partition'] += 1;
        continue;
      }
    }
    served += 1;
  }
  const share = (count: number): number => count / requests;
  return {
    requests,
    served: share(served),
    refused: Object.fromEntries(GATES.map((gate) => [gate, share(refused[gate])])) as Record<Gate, number>,
    peakUse: {
      'account quota': offered.account.peakUse(),
      'stage throttle': offered.stage.peakUse(),
      concurrency: mostRunning / limits.concurrency,
      'hot partition': mostPartition,
      'limiter writes': limiterTable.peakUse(),
    },
    coldShare: share(cold),
  };
}
