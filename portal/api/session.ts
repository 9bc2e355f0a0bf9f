/** The reader's session with the API: the key, only in memory, and a pace that leaves part of the key's allotment. */
import { type Fetcher, type Limits, type Outcome, send } from './outcome.ts';

/** Requests of a minute's allotment that are reserved for the reader's own clicks. */
const RESERVE = 10;
/** The bucket refills by one token a second. */
const PACE_MS = 1100;

export interface Session {
  readonly key: string;
  /** Newest statement of the allotment. */
  readonly limits: Limits | undefined;
  setKey(key: string): void;
  onChange(listener: () => void): void;
  /** Sends at once: for requests by the reader. */
  ask(path: string, signal?: AbortSignal): Promise<Outcome>;
  /** Sends when the allotment has room: for additional content of the page. */
  askPatiently(path: string, signal: AbortSignal): Promise<Outcome>;
}

/** Delay of a request that can wait, in milliseconds. */
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
