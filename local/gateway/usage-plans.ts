/**
 * The native limits of usage plans: a token bucket and a monthly count for each key on its plan. AWS promises best
 * effort only, so an application may have an exact limiter in its functions, which should be the one that rejects. The
 * bucket here therefore returns a token when the function itself returns 429, and has headroom for requests in flight.
 */
import * as z from 'zod';
import { readJsonFile, writeJsonFile } from '../json-file.ts';
import type { UsagePlan } from '../keys/control-plane.ts';

export type UsagePlans = ReturnType<typeof openUsagePlans>;

/** Requests in flight beyond the plan's burst before the gateway itself rejects. */
const HEADROOM = 50;

/** Counts of one calendar month, by plan and key. */
const counts = z.object({ month: z.string(), used: z.record(z.string(), z.number()) });
const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);
const REMEDY = 'put a copy of it back, or remove this file alone: the counts of the month then begin at zero';

/** Opens the counts in `file` (in memory only when undefined); throws `StartError` when they are damaged. */
export function openUsagePlans(file: string | undefined) {
  const buckets = new Map<string, { tokens: number; at: number }>();
  const saved = file === undefined ? undefined : readJsonFile(file, counts, REMEDY);
  let month = saved?.month ?? '';
  let used = new Map(Object.entries(saved?.used ?? {}));
  let changed = false;

  /** A new month (UTC) starts at zero. */
  const turnTo = (at: number): void => {
    const current = monthOf(at);
    if (current === month) return;
    month = current;
    used = new Map();
  };

  const takeToken = ({ throttle, id }: UsagePlan, keyId: string, at: number): boolean => {
    if (!throttle) return true;
    const most = throttle.burst + HEADROOM;
    const name = `${id}/${keyId}`;
    const bucket = buckets.get(name) ?? { tokens: most, at };
    const refilled = bucket.tokens + (Math.max(0, at - bucket.at) * throttle.ratePerSecond) / 1000;
    const tokens = Math.min(most, refilled);
    const admitted = tokens >= 1;
    buckets.set(name, { tokens: admitted ? tokens - 1 : tokens, at: Math.max(at, bucket.at) });
    return admitted;
  };

  return {
    /** Takes a token and counts the request in the month. `at` is in epoch milliseconds of the machine's clock. */
    admit(plan: UsagePlan, keyId: string, at: number): 'admitted' | 'throttled' | 'exhausted' {
      const { monthlyQuota } = plan;
      turnTo(at);
      const name = `${plan.id}/${keyId}`;
      const count = used.get(name) ?? 0;
      if (monthlyQuota !== undefined && count >= monthlyQuota) return 'exhausted';
      if (!takeToken(plan, keyId, at)) return 'throttled';
      if (monthlyQuota !== undefined) used.set(name, count + 1);
      changed = true;
      return 'admitted';
    },
    /** Returns the token of a request for which the function itself returned 429. */
    giveBack({ id }: UsagePlan, keyId: string): void {
      const bucket = buckets.get(`${id}/${keyId}`);
      if (bucket) bucket.tokens += 1;
    },
    usedOf(planId: string, keyId: string, at: number): number {
      turnTo(at);
      return used.get(`${planId}/${keyId}`) ?? 0;
    },
    /** Sets the requests of the month so far, as API Gateway's UpdateUsage does. */
    setUsed(planId: string, keyId: string, at: number, count: number): void {
      turnTo(at);
      used.set(`${planId}/${keyId}`, count);
      changed = true;
    },
    /** Writes the counts to disk. Throws `StartError` when it cannot: the next call writes them. */
    save(): void {
      if (file === undefined || !changed) return;
      writeJsonFile(file, { month, used: Object.fromEntries(used) });
      changed = false;
    },
  };
}
