/** The reader's session with the API: the key, in memory only, and the newest statement of its limit. */
import { type Fetcher, type Limits, type Outcome, send } from './outcome.ts';

export interface Session {
  readonly key: string;
  /** Newest statement of the allotment. */
  readonly limits: Limits | undefined;
  setKey(key: string): void;
  onChange(listener: () => void): void;
  ask(path: string, signal?: AbortSignal): Promise<Outcome>;
}

export function createSession(fetcher: Fetcher): Session {
  let key = '';
  let limits: Limits | undefined;
  const listeners: (() => void)[] = [];
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  const ask = async (path: string, signal?: AbortSignal): Promise<Outcome> => {
    const outcome = await send(path, key, fetcher, signal);
    if (outcome.kind !== 'no-response' && outcome.limits !== undefined) {
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
  };
}
