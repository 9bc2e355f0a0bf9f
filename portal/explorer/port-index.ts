/** The covered ports and their newest scores: one list, then a snapshot a port, at a pace that leaves requests over. */
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { Snapshot } from '../../core/contracts/snapshot.ts';
import type { Outcome } from '../api/outcome.ts';
import type { Session } from '../api/session.ts';
import { buildRequest } from '../request/built-request.ts';

export interface IndexedPort extends PortRecord {
  readonly snapshot?: Snapshot;
}

type Failure = Exclude<Outcome, { kind: 'answer' }>;

export interface PortIndex {
  readonly ports: readonly IndexedPort[];
  readonly failure: Failure | undefined;
  /** True once every snapshot has been asked for. */
  readonly complete: boolean;
}

export const NOTHING_YET: PortIndex = { ports: [], failure: undefined, complete: false };

/** So many snapshots are under way at a time. */
const AT_ONCE = 4;

/** Worst first; ports without a score last, by name. */
const byScore = (a: IndexedPort, b: IndexedPort): number =>
  (b.snapshot?.congestion_score ?? -1) - (a.snapshot?.congestion_score ?? -1) || a.name.localeCompare(b.name);

/**
 * Calls `show` with the list, then again after each snapshot. A refused key or limit ends the run; a port without a
 * snapshot does not.
 */
export async function loadPorts(
  session: Session,
  signal: AbortSignal,
  show: (index: PortIndex) => void,
): Promise<void> {
  const listed = await session.ask(buildRequest('ports', {}).path, signal);
  if (listed.kind !== 'answer') {
    show({ ports: [], failure: listed, complete: true });
    return;
  }
  const found = new Map<string, IndexedPort>(
    (JSON.parse(listed.text) as PortRecord[]).map((port) => [port.port, port]),
  );
  let failure: Failure | undefined;
  const update = (complete: boolean): void =>
    show({ ports: [...found.values()].sort(byScore), failure, complete });
  update(false);
  const waiting = [...found.values()].filter(({ last_observed }) => last_observed !== undefined);
  const work = async (): Promise<void> => {
    for (let port = waiting.shift(); port && failure === undefined; port = waiting.shift()) {
      const outcome = await session.askPatiently(
        buildRequest('snapshot', { UNLOCODE: port.port }).path,
        signal,
      );
      if (signal.aborted) return;
      if (outcome.kind === 'answer') found.set(port.port, { ...port, snapshot: JSON.parse(outcome.text) });
      else if (outcome.kind === 'silence' || outcome.status !== 404) failure = outcome;
      update(false);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (!signal.aborted) update(true);
}
