/**
 * Which limit is reached first with 100,000 keys and 10,000 requests a second: the limiter itself runs over a table in memory on a
 * simulated clock, as in many function instances that share only the table. The other demands follow from the same traffic.
 */

import { PLANS } from '../../core/contracts/plans.ts';
import { createTokenBuckets } from '../../core/limits/bucket-table.ts';
import type { BucketLimits, Micros } from '../../core/limits/token-bucket.ts';
import { logNormal, randomStream } from '../../core/sources/sample-simulator/random.ts';
import type { Change, Key } from '../../core/store/table.ts';
import { MemoryTable } from '../builders/memory-table.ts';
import { functionCosts, type PriceList } from './cost.ts';
import type { Figure } from './figure.ts';

const LIMITS: BucketLimits = PLANS.starter;
const AUTHORIZER_CACHE_SECONDS = 60;
/** Requests of this time are in flight together. */
const SLOT_MICROS: Micros = 5000;

/** AWS's defaults; what an account can have raised is so named on the page. */
const AWS_LIMITS = {
  gatewayKeys: 10_000,
  stageRate: 1000,
  accountRate: 10_000,
  smallRegionRate: 2500,
  concurrency: 1000,
  tableWrites: 4000,
  tableReads: 12_000,
  partitionWrites: 1000,
} as const;

class CountingTable extends MemoryTable {
  writes = 0;
  reads = 0;
  override async update(key: Key, change: Change) {
    this.writes += 1;
    return super.update(key, change);
  }
  override async get(key: Key) {
    this.reads += 1;
    return super.get(key);
  }
}

export interface ScalePlan {
  readonly keys: number;
  readonly ratePerSecond: number;
  readonly seconds: number;
  readonly instances: number;
}

export interface ScaleRun extends ScalePlan {
  readonly admitted: number;
  readonly refused: number;
  /** Keys that were admitted more often than the burst and the rate allow. */
  readonly overAdmitted: number;
  /** A second; an attempt whose condition fails is a write as well. */
  readonly writes: number;
  readonly consistentReads: number;
  /** Of the busiest key, a second. */
  readonly busiestKeyRequests: number;
  /** Decisions of the authorizer, a second, in the long run. */
  readonly authorizations: number;
}

/** Index of the first cumulated share above `at`. */
function pick(cumulated: Float64Array, at: number): number {
  let [low, high] = [0, cumulated.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cumulated[middle] ?? 1) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Keys differ in their rates as a log-normal: half of them ask little, a few more than they may. */
export async function simulateScale(plan: ScalePlan): Promise<ScaleRun> {
  const { keys, ratePerSecond, seconds, instances } = plan;
  const random = randomStream('scale', keys);
  const weights = Array.from({ length: keys }, () => logNormal(random, 1, 1.5));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const rates = weights.map((weight) => (weight / total) * ratePerSecond);
  let upTo = 0;
  const cumulated = Float64Array.from(rates, (rate) => {
    upTo += rate / ratePerSecond;
    return upTo;
  });
  const table = new CountingTable('rateLimits');
  const fleet = Array.from({ length: instances }, () => createTokenBuckets(table));
  const admittedByKey = new Map<number, number>();
  let [admitted, refused] = [0, 0];
  for (let slot: Micros = 0; slot < seconds * 1e6; slot += SLOT_MICROS) {
    const now = Date.UTC(2026, 0, 5) * 1000 + slot;
    const requests = (ratePerSecond * SLOT_MICROS) / 1e6;
    await Promise.all(
      Array.from({ length: requests }, async () => {
        const key = pick(cumulated, random());
        const spent = await fleet[Math.floor(random() * instances)]?.spend(String(key), LIMITS, () => now);
        if (spent?.admitted) {
          admitted += 1;
          admittedByKey.set(key, (admittedByKey.get(key) ?? 0) + 1);
        } else refused += 1;
      }),
    );
  }
  const most = LIMITS.burst + LIMITS.ratePerSecond * seconds;
  return {
    ...plan,
    admitted,
    refused,
    overAdmitted: [...admittedByKey.values()].filter((count) => count > most).length,
    writes: table.writes / seconds,
    consistentReads: table.reads / seconds,
    busiestKeyRequests: Math.max(...rates),
    // A decision is asked for, then cached: one a cache time and mean gap to the next request.
    authorizations: rates.reduce((sum, rate) => sum + rate / (1 + AUTHORIZER_CACHE_SECONDS * rate), 0),
  };
}

/** The demand beside each limit, the largest share first; a share above 1 is a limit that refuses. */
export function scaleFigures(run: ScaleRun, list: PriceList): Figure[] {
  const { keys, ratePerSecond, seconds, writes, authorizations, busiestKeyRequests } = run;
  const busy = (cpuMs: number): number => functionCosts(list, 512, cpuMs).warmMs / 1000;
  const cpuMs = (name: string): number => list.measured[name]?.value ?? Number.NaN;
  const concurrency =
    ratePerSecond * busy(cpuMs('readCpuMs')) + authorizations * busy(cpuMs('authorizerCpuMs'));
  const shares: [string, number, number][] = [
    ['keys of the gateway', keys, AWS_LIMITS.gatewayKeys],
    ['stage throttle, requests a second', ratePerSecond, AWS_LIMITS.stageRate],
    ['account in some regions, requests a second', ratePerSecond, AWS_LIMITS.smallRegionRate],
    ["limiter's table when new, writes a second", writes, AWS_LIMITS.tableWrites],
    ['account, requests a second', ratePerSecond, AWS_LIMITS.accountRate],
    ['concurrent executions', concurrency, AWS_LIMITS.concurrency],
    ['table of keys when new, read units a second', authorizations, AWS_LIMITS.tableReads],
    ['partition of the busiest key, writes a second', busiestKeyRequests, AWS_LIMITS.partitionWrites],
  ];
  return [
    {
      what: 'keys that were admitted too often',
      value: run.overAdmitted,
      unit: '',
      against: `of ${keys}; ${run.admitted} admitted and ${run.refused} refused in ${seconds} s, ${run.instances} instances`,
      atMost: 0,
    },
    {
      what: 'limiter writes a request',
      value: writes / ratePerSecond,
      unit: '',
      against: `${(run.consistentReads / ratePerSecond).toFixed(3)} reads`,
    },
    ...shares
      .sort(([, a, limitA], [, b, limitB]) => b / limitB - a / limitA)
      .map(
        ([what, demand, limit]): Figure => ({
          what,
          value: demand / limit,
          unit: 'of the limit',
          against: `${Math.round(demand)} of ${limit}`,
        }),
      ),
  ];
}
