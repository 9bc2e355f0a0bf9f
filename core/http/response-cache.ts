/**
 * The response cache of a function instance, so that a run of equal requests reads the store once. A cached
 * response may be as old as the set time, on top of the time that clients may keep it.
 */
import type { ReadParameters } from './request.ts';
import type { Representation } from './response.ts';

export const MAX_LIFETIME_MS = 10_000;
/** Limits of the cache: responses, and characters of their bodies; the oldest is dropped first. */
const MAX_RESPONSES = 200;
const MAX_CHARACTERS = 16_000_000;

interface Entry {
  readonly response: Promise<Representation>;
  /** Time on the stopwatch. */
  readonly until: number;
  /** Length of the body; 0 while it is being made. */
  characters: number;
}

/** The cached response to these parameters, of this version of the data, else what `make` resolves with. A rejection is never cached. */
export type ResponseCache = (
  parameters: ReadParameters,
  make: () => Promise<Representation>,
  version?: string,
) => Promise<Representation>;

/** Milliseconds of a setting such as `5`, in seconds; 0 when it is absent. Throws unless it is from 0 to 10. */
export function readLifetimeMs(setting: string | undefined): number {
  const lifetimeMs = Number(setting ?? 0) * 1000;
  if (!(lifetimeMs >= 0 && lifetimeMs <= MAX_LIFETIME_MS))
    throw new Error(`responses may be cached for 0 to ${MAX_LIFETIME_MS / 1000} seconds, not ${setting}`);
  return lifetimeMs;
}

/** @param stopwatch monotonic milliseconds */
export function createResponseCache(lifetimeMs: number, stopwatch: () => number): ResponseCache {
  if (lifetimeMs === 0) return (_parameters, make) => make();
  const entries = new Map<string, Entry>();
  let characters = 0;

  const drop = (name: string): void => {
    characters -= entries.get(name)?.characters ?? 0;
    entries.delete(name);
  };
  const dropOldest = (): void => {
    const [oldest] = entries.keys();
    if (oldest !== undefined) drop(oldest);
  };

  /** The length of a body is known once the response is made. */
  const weigh = (name: string, entry: Entry, body: string): void => {
    if (entries.get(name) !== entry) return;
    entry.characters = body.length;
    characters += body.length;
    while (characters > MAX_CHARACTERS) dropOldest();
  };

  return ({ path, query, base }, make, version) => {
    const name = JSON.stringify([path, query, base, version]);
    const now = stopwatch();
    const cached = entries.get(name);
    if (cached !== undefined && cached.until > now) return cached.response;
    const entry: Entry = { response: make(), until: now + lifetimeMs, characters: 0 };
    drop(name);
    entries.set(name, entry);
    if (entries.size > MAX_RESPONSES) dropOldest();
    entry.response.then(
      ({ body }) => weigh(name, entry, body),
      () => {
        if (entries.get(name) === entry) drop(name);
      },
    );
    return entry.response;
  };
}
