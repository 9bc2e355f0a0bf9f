/** The covered ports with their newest figures and their changes within a week: two requests, however many ports there are. */
import type { PortChange } from '../../core/contracts/changes.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import { type Outcome, requestPath, type Session } from '../api/session.ts';

type Failure = Exclude<Outcome, { kind: 'data' }>;

/** The records of one request. */
export interface Loaded<T> {
  readonly records: readonly T[];
  readonly failure: Failure | undefined;
  /** False until the response has arrived. */
  readonly complete: boolean;
}

const NOTHING_YET = { records: [], failure: undefined, complete: false } as const;

export interface PortIndex {
  /** Worst first; ports without a score last, by name. */
  readonly ports: Loaded<PortRecord>;
  /** The largest change first; ports without one last. */
  readonly changes: Loaded<PortChange>;
}

const byScore = (a: PortRecord, b: PortRecord): number =>
  (b.congestion_score ?? -1) - (a.congestion_score ?? -1) || a.name.localeCompare(b.name);

export interface PortIndexLoader {
  current(): PortIndex;
  /** Requests what has not been requested with the session's key; nothing without a key. */
  load(what: 'ports' | 'all'): void;
  /** The ports, once their response has arrived. */
  ports(): Promise<Loaded<PortRecord>>;
  /** Forgets everything, and requests it again with the next `load`. */
  reset(): void;
}

const MAX_CHANGES = '500';

/** `changed` is called when a response has arrived. */
export function createPortIndex(session: Session, changed: () => void): PortIndexLoader {
  let index: PortIndex = { ports: NOTHING_YET, changes: NOTHING_YET };
  let run = new AbortController();
  let asked = new Map<keyof PortIndex, Promise<void>>();

  const request = async <K extends keyof PortIndex>(
    name: K,
    path: string,
    order: (records: PortIndex[K]['records']) => PortIndex[K]['records'],
  ): Promise<void> => {
    const { signal } = run;
    const outcome = await session.ask(path, signal);
    if (outcome === undefined) return;
    const loaded =
      outcome.kind === 'data'
        ? { records: order(JSON.parse(outcome.text)), failure: undefined, complete: true }
        : { records: [], failure: outcome, complete: true };
    index = { ...index, [name]: loaded };
    changed();
  };
  const REQUESTS = {
    ports: () => request('ports', requestPath('ports'), (ports) => ports.toSorted(byScore)),
    changes: () => request('changes', requestPath('changes', { limit: MAX_CHANGES }), (changes) => changes),
  };
  const once = (name: keyof PortIndex): Promise<void> => {
    if (session.key === '') return Promise.resolve();
    const running = asked.get(name) ?? REQUESTS[name]();
    asked.set(name, running);
    return running;
  };

  return {
    current: () => index,
    load(what) {
      void once('ports');
      if (what === 'all') void once('changes');
    },
    async ports() {
      await once('ports');
      return index.ports;
    },
    reset() {
      run.abort();
      run = new AbortController();
      asked = new Map();
      index = { ports: NOTHING_YET, changes: NOTHING_YET };
    },
  };
}
