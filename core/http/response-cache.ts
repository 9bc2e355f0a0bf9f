/**
 * The optional response cache of a function instance, so that a run of equal requests reads the store once. A cached
 * response may be as old as the set time, on top of the time that clients may keep it.
 */
import type { ReadParameters } from './request.ts';
import type { Representation } from './response.ts';

export const LONGEST_LIFETIME_MS = 10_000;
/** Responses that are cached at a time; the oldest is dropped first. */
const LARGEST_SIZE = 200;

/** The cached response to these parameters, else what `make` resolves with. A rejection is never cached. */
export type ResponseCache = (
  parameters: ReadParameters,
  make: () => Promise<Representation>,
) => Promise<Representation>;

/** Milliseconds of a setting such as `5`, in seconds; 0 when it is absent. Throws unless it is from 0 to 10. */
export function lifetimeMsOf(setting: string | undefined): number {
  const lifetimeMs = Number(setting ?? 0) * 1000;
  if (!(lifetimeMs >= 0 && lifetimeMs <= LONGEST_LIFETIME_MS))
    throw new Error(`responses may be cached for 0 to ${LONGEST_LIFETIME_MS / 1000} seconds, not ${setting}`);
  return lifetimeMs;
}

/** @param stopwatch monotonic milliseconds */
export function createResponseCache(lifetimeMs: number, stopwatch: () => number): ResponseCache {
  if (lifetimeMs === 0) return (_parameters, make) => make();
  const entries = new Map<string, { readonly response: Promise<Representation>; readonly until: number }>();
  return ({ path, query }, make) => {
    const name = JSON.stringify([path, query]);
    const now = stopwatch();
    const cached = entries.get(name);
    if (cached !== undefined && cached.until > now) return cached.response;
    const entry = { response: make(), until: now + lifetimeMs };
    entries.delete(name);
    entries.set(name, entry);
    const [oldest] = entries.keys();
    if (entries.size > LARGEST_SIZE && oldest !== undefined) entries.delete(oldest);
    entry.response.catch(() => {
      if (entries.get(name) === entry) entries.delete(name);
    });
    return entry.response;
  };
}
