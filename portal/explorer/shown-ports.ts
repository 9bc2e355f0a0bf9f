/** The ports that the first screen shows: with the newest figures or those of a day as they were known at its end, and those that can be read. */
import type { PortChange } from '../../core/contracts/changes.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import { DAY_MS } from '../../core/reference/time.ts';
import { type MovedPort, type ReadablePort, UNKNOWN_FIGURES, unheldRecord } from '../api/files.ts';
import { type Failure, type Outcome, requestPath } from '../api/responses.ts';
import { memoized } from '../view/memo.ts';
import { latestOf } from '../view/text.ts';
import { type Explorer, findNamed } from './explorer.ts';

// The covered ports with their newest figures and their changes within a week: two requests, however many ports there
// are.

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
const worstFirst = (a: Ranked, b: Ranked): number =>
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

export interface ShownPorts {
  /** Stopped ones, and then worst first. */
  readonly ports: readonly MovedPort[];
  /** The ports for which this service holds figures of any day. */
  readonly held: ReadonlySet<string>;
}

/** The ports that the service lists, and once they are known those that a deployment can read. */
function portsNow(
  served: readonly PortRecord[],
  readable: readonly ReadablePort[],
  changes: readonly PortChange[],
): MovedPort[] {
  const changeOf = new Map(changes.map((change) => [change.port, change.congestion_score_change]));
  const known = new Set(served.map(({ port }) => port));
  const others = served.length === 0 ? [] : readable.filter(({ port }) => !known.has(port));
  return [...served, ...others.map(unheldRecord)].map((port) => ({
    ...port,
    congestion_score_change: changeOf.get(port.port) ?? null,
  }));
}

function portsThen(then: readonly MovedPort[], now: readonly MovedPort[]): MovedPort[] {
  const records = then.map((port): MovedPort => {
    const evidence = findNamed(now, port.port)?.evidence ?? 'recorded';
    return { ...port, evidence: evidence === 'observed' ? 'recorded' : evidence };
  });
  const known = new Set(then.map(({ port }) => port));
  const others = now.filter(({ port }) => !known.has(port));
  return [
    ...records,
    ...others.map((port) => ({ ...port, ...UNKNOWN_FIGURES, congestion_score_change: null })),
  ];
}

const shownPorts = memoized(
  (
    served: readonly PortRecord[],
    readable: readonly ReadablePort[] | undefined,
    changes: readonly PortChange[] | undefined,
    then: readonly MovedPort[] | 'loading' | undefined,
  ): ShownPorts => {
    const now = portsNow(served, readable ?? [], changes ?? []);
    const ports = then === undefined ? now : then === 'loading' ? [] : portsThen(then, now);
    const observed = served.filter(({ as_of }) => as_of !== null);
    return { ports: ports.sort(worstFirst), held: new Set(observed.map(({ port }) => port)) };
  },
);

/** `day`: undefined for the newest figures. */
export function readShownPorts(explorer: Explorer, day: string | undefined): ShownPorts {
  // The changes are of now, and not asked for on another day.
  const changes = day === undefined ? readChanges(explorer).records : undefined;
  const then = day === undefined ? undefined : (explorer.days.portsOn(day) ?? 'loading');
  return shownPorts(readPorts(explorer).records, explorer.readable(), changes, then);
}

/** Why a port has no score. */
export function absenceText({ port, as_of }: PortRecord, held: ReadonlySet<string>): string {
  if (as_of !== null) return 'no score yet';
  return held.has(port) ? 'no figures of this day' : 'can be read, nothing held';
}
