/**
 * Answers that one function instance keeps for a moment, so that a run of equal requests asks the store once. Off
 * unless a stage turns it on: an answer may then be as old as the set time, on top of what clients may keep it.
 */
import type { Answer } from './answer.ts';
import type { ReadParameters } from './request.ts';

/** Nobody may keep an answer longer than this. */
export const LONGEST_KEPT_MS = 10_000;
/** Answers that are kept at once; the oldest goes first. */
const MOST_KEPT = 200;

/** The answer to these parameters: one that is kept, or what `make` makes. What `make` rejects with is never kept. */
export type AnswerCache = (parameters: ReadParameters, make: () => Promise<Answer>) => Promise<Answer>;

/** Milliseconds of a setting such as `5`, in seconds; 0 when it is absent. Throws at anything beyond 0 to 10. */
export function keptMsOf(setting: string | undefined): number {
  const keptMs = Number(setting ?? 0) * 1000;
  if (!(keptMs >= 0 && keptMs <= LONGEST_KEPT_MS))
    throw new Error(`answers may be kept for 0 to ${LONGEST_KEPT_MS / 1000} seconds, not ${setting}`);
  return keptMs;
}

/** @param stopwatch monotonic milliseconds */
export function createAnswerCache(keptMs: number, stopwatch: () => number): AnswerCache {
  if (keptMs === 0) return (_parameters, make) => make();
  const kept = new Map<string, { readonly answer: Promise<Answer>; readonly until: number }>();
  return ({ path, query }, make) => {
    const name = JSON.stringify([path, query]);
    const now = stopwatch();
    const held = kept.get(name);
    if (held !== undefined && held.until > now) return held.answer;
    const entry = { answer: make(), until: now + keptMs };
    kept.delete(name);
    kept.set(name, entry);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    entry.answer.catch(() => {
      if (kept.get(name) === entry) kept.delete(name);
    });
    return entry.answer;
  };
}
