/** The requests of the month by plan and key, as usage plans count them, with their state on disk. */
import * as z from 'zod';
import type { KeyRow } from '../core/keys/entitlements.ts';
import type { Instant } from '../core/reference/time.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';

export type Usage = ReturnType<typeof openUsage>;

/** Counts of one calendar month, by plan and key. */
const counts = z.object({ month: z.string(), used: z.record(z.string(), z.number()) });
const monthOf = (at: Instant): string => new Date(at).toISOString().slice(0, 7);
const nameOf = ({ planId, keyId }: Pick<KeyRow, 'planId' | 'keyId'>): string => `${planId}/${keyId}`;
const REMEDY = 'put a copy of it back, or remove this file alone: the counts of the month then begin at zero';

/** Opens the counts in `file` (in memory only when undefined); throws `StartError` when they are damaged. */
export function openUsage(file: string | undefined) {
  const saved = file === undefined ? undefined : readJsonFile(file, counts, REMEDY);
  let month = saved?.month ?? '';
  let used = new Map(Object.entries(saved?.used ?? {}));
  let isChanged = false;
  /** The month of the newest request, from its first instant to its end. */
  let [monthAt, monthEndAt] = [0, 0];

  /** A new month (UTC) starts at zero. */
  const turnTo = (at: Instant): void => {
    if (at >= monthAt && at < monthEndAt) return;
    const date = new Date(at);
    monthAt = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
    monthEndAt = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
    const current = monthOf(at);
    if (current === month) return;
    month = current;
    used = new Map();
  };

  return {
    /** Counts a request of a key with a quota. False: the quota is used up. `at` is of the wall clock. */
    count(key: KeyRow, quota: number | undefined, at: Instant): boolean {
      if (quota === undefined) return true;
      turnTo(at);
      const name = nameOf(key);
      const count = used.get(name) ?? 0;
      if (count >= quota) return false;
      used.set(name, count + 1);
      isChanged = true;
      return true;
    },
    usedOf(key: KeyRow, at: Instant): number {
      turnTo(at);
      return used.get(nameOf(key)) ?? 0;
    },
    /** Sets the requests of the month so far. */
    setUsed(key: KeyRow, at: Instant, count: number): void {
      turnTo(at);
      used.set(nameOf(key), count);
      isChanged = true;
    },
    /** Writes the counts to disk. Throws `StartError` when it cannot: the next call writes them. */
    save(): void {
      if (file === undefined || !isChanged) return;
      writeJsonFile(file, { month, used: Object.fromEntries(used) });
      isChanged = false;
    },
  };
}
