/** The covered ports with their newest figures and their changes within a week: two requests, however many ports there are. */
import type { PortChange } from '../../core/contracts/changes.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import { DAY_MS } from '../../core/reference/time.ts';
import { type Failure, type Outcome, requestPath } from '../api/responses.ts';
import { memoized } from '../view/memo.ts';
import { latestOf } from '../view/text.ts';
import type { Explorer } from './explorer.ts';

interface Loaded<T> {
  readonly records: readonly T[];
  readonly failure: Failure | undefined;
  /** False until the response has arrived. */
  readonly complete: boolean;
}

export const PORTS = requestPath('ports');
export const CHANGES = requestPath('changes', { limit: '500' });

function loaded<T>(outcome: Outcome | undefined): Loaded<T> {
  if (outcome?.kind === 'data') return { records: outcome.body as T[], failure: undefined, complete: true };
  return { records: [], failure: outcome, complete: outcome !== undefined };
}

type Ranked = Pick<PortRecord, 'name' | 'congestion_score' | 'stopped_since'>;
/** Stopped ports, and then worst first; ports without a score last, by name. */
export const worstFirst = (a: Ranked, b: Ranked): number =>
  Number(b.stopped_since !== null) - Number(a.stopped_since !== null) ||
  (b.congestion_score ?? -1) - (a.congestion_score ?? -1) ||
  a.name.localeCompare(b.name);

/** Greatest age of a ranked port's newest observation, before the newest of any port. */
const RANKED_MS = 7 * DAY_MS;

/** Returns the ports that are ranked: those observed within the week before the newest observation of any. */
export function ranked<P extends Pick<PortRecord, 'as_of'>>(ports: readonly P[]): P[] {
  const newestAt = Date.parse(latestOf(ports.map(({ as_of }) => as_of)) ?? '');
  return ports.filter(({ as_of }) => as_of !== null && newestAt - Date.parse(as_of) <= RANKED_MS);
}

const loadedPorts = memoized((outcome: Outcome | undefined) => {
  const ports = loaded<PortRecord>(outcome);
  return { ...ports, records: ports.records.toSorted(worstFirst) };
});
const loadedChanges = memoized(loaded<PortChange>);

export const readPorts = ({ responses }: Explorer): Loaded<PortRecord> => loadedPorts(responses.read(PORTS));

/** The largest change first; ports without one last. */
export const readChanges = ({ responses }: Explorer): Loaded<PortChange> =>
  loadedChanges(responses.read(CHANGES));
