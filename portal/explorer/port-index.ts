/** The covered ports with their newest figures, from one request. */
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { Outcome } from '../api/outcome.ts';
import { requestPath } from '../api/request-path.ts';
import type { Session } from '../api/session.ts';

export interface PortIndex {
  /** Worst first; ports without a score last, by name. */
  readonly ports: readonly PortRecord[];
  readonly failure: Exclude<Outcome, { kind: 'data' }> | undefined;
  /** False until the response has arrived. */
  readonly complete: boolean;
}

export const NOTHING_YET: PortIndex = { ports: [], failure: undefined, complete: false };

const byScore = (a: PortRecord, b: PortRecord): number =>
  (b.congestion_score ?? -1) - (a.congestion_score ?? -1) || a.name.localeCompare(b.name);

export async function loadPorts(session: Session, signal: AbortSignal): Promise<PortIndex> {
  const outcome = await session.ask(requestPath('ports'), signal);
  if (outcome.kind !== 'data') return { ports: [], failure: outcome, complete: true };
  const ports = (JSON.parse(outcome.text) as PortRecord[]).sort(byScore);
  return { ports, failure: undefined, complete: true };
}
