/** The reader's session with the API: the key, in memory only, and a pace that leaves the key's allotment to others. */
import { type Fetcher, type Limits, type Outcome, send } from './outcome.ts';

/** So many requests of a minute's allotment are left for the reader's own clicks. */
const RESERVE = 10;
/** A token comes back a second. */
const PACE_MS = 1100;

export interface Session {
  readonly key: string;
  /** Newest statement of the allotment. */
  readonly limits: Limits | undefined;
  setKey(key: string): void;
  onChange(listener: () => void): void;
  /** At once: what the reader asked for. */
  ask(path: string, signal?: AbortSignal): Promise<Outcome>;
  /** When the allotment has room: what the page would like to show as well. */
  askPatiently(path: string, signal: AbortSignal): Promise<Outcome>;
}

/** Milliseconds to wait before a request that can wait. */
export const pause = (limits: Limits | undefined): number =>
  limits !== undefined && limits.remaining <= RESERVE ? PACE_MS : 0;

export function createSession(fetcher: Fetcher, wait: (ms: number) => Promise<void>): Session {
  let key = '';
  let limits: Limits | undefined;
  const listeners: (() => void)[] = [];
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  const ask = async (path: string, signal?: AbortSignal): Promise<Outcome> => {
    const outcome = await send(path, key, fetcher, signal);
    if (outcome.kind !== 'silence' && outcome.limits !== undefined) {
      limits = outcome.limits;
      notify();
    }
    return outcome;
  };
  return {
    get key() {
      return key;
    },
    get limits() {
      return limits;
    },
    setKey(given) {
      key = given.trim();
      limits = undefined;
      notify();
    },
    onChange: (listener) => void listeners.push(listener),
    ask,
    async askPatiently(path, signal) {
      const ms = pause(limits);
      if (ms > 0) await wait(ms);
      return ask(path, signal);
    },
  };
}
