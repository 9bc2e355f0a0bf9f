/**
 * The native limits of usage plans: a token bucket and a monthly count for each key on its plan. AWS promises best
 * effort only, so an application may have an exact limiter in its functions, which should be the one that rejects. The
 * bucket here therefore returns a token when the function itself returns 429, and has headroom for requests in flight.
 */
import * as z from 'zod';
import { readJsonFile, writeJsonFile } from '../json-file.ts';
import type { UsagePlan } from '../keys/control-plane.ts';

type PlanDecision = 'admitted' | 'throttled' | 'exhausted';

export interface UsagePlans {
  /** Takes a token and counts the request in the month. `at` is in epoch milliseconds of the machine's clock. */
  admit(plan: UsagePlan, keyId: string, at: number): PlanDecision;
  /** Returns the token of a request for which the function itself returned 429. */
  giveBack(plan: UsagePlan, keyId: string): void;
  /** Requests of the month so far. */
  usedOf(planId: string, keyId: string, at: number): number;
  /** Sets the requests of the month so far, as API Gateway's UpdateUsage does. */
  setUsed(planId: string, keyId: string, at: number, count: number): void;
  /** Writes the counts to disk. Throws `StartError` when it cannot: the next call writes them. */
  save(): void;
}

/** Requests in flight beyond the plan's burst before the gateway itself rejects. */
const HEADROOM = 50;

/** Counts of one calendar month, by plan and key. */
const counts = z.object({ month: z.string(), used: z.record(z.string(), z.number()) });
const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);
const DAY_MS = 86_400_000;
const REMEDY = 'put a copy of it back, or remove this file alone: the counts of the month then begin at zero';

/** Opens the counts in `file` (in memory only when undefined); throws `StartError` when they are damaged. */
export function openUsagePlans(file: string | undefined): UsagePlans {
  const buckets = new Map<string, { tokens: number; at: number }>();
  const saved = file === undefined ? undefined : readJsonFile(file, counts, REMEDY);
  let month = saved?.month ?? '';
  /** Days since the epoch: the month is checked once a day, not with every request. */
  let day = Number.NaN;
  let used = new Map(Object.entries(saved?.used ?? {}));
  let changed = false;

  /** A new month (UTC) starts at zero. */
  const turnTo = (at: number): void => {
    const today = Math.floor(at / DAY_MS);
    if (today === day) return;
    day = today;
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
    admit(plan, keyId, at) {
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
    giveBack({ id }, keyId) {
      const bucket = buckets.get(`${id}/${keyId}`);
      if (bucket) bucket.tokens += 1;
    },
    usedOf(planId, keyId, at) {
      turnTo(at);
      return used.get(`${planId}/${keyId}`) ?? 0;
    },
    setUsed(planId, keyId, at, count) {
      turnTo(at);
      used.set(`${planId}/${keyId}`, count);
      changed = true;
    },
    save() {
      if (file === undefined || !changed) return;
      writeJsonFile(file, { month, used: Object.fromEntries(used) });
      changed = false;
    },
  };
}
