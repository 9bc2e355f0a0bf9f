/** The ports that the first screen shows: with the newest figures or those of a day as they were known at its end, and those that can be read. */
import type { PortChange } from '../../core/contracts/changes.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { PortThen } from '../api/known-days.ts';
import { type ReadablePort, UNKNOWN_FIGURES, unheldRecord } from '../api/readable-ports.ts';
import { memoized } from '../view/memo.ts';
import { type Explorer, findNamed } from './explorer.ts';
import { type Loaded, readChanges, readPorts, worstFirst } from './port-index.ts';

export interface ShownPorts {
  readonly ports: Loaded<PortRecord>;
  readonly changes: Loaded<PortChange>;
  /** The ports of which this service holds figures, of whatever day. */
  readonly held: ReadonlySet<string>;
}

const withReadable = memoized(
  (served: Loaded<PortRecord>, readable: readonly ReadablePort[] | undefined): Loaded<PortRecord> => {
    if (readable === undefined || served.records.length === 0) return served;
    const known = new Set(served.records.map(({ port }) => port));
    const rest = readable.filter(({ port }) => !known.has(port)).map(unheldRecord);
    return { ...served, records: [...served.records, ...rest].sort(worstFirst) };
  },
);

/** The ports that the service lists, and once they are known those that a deployment can read. */
const readAllPorts = (explorer: Explorer): Loaded<PortRecord> =>
  withReadable(readPorts(explorer), explorer.readable());

const heldPorts = memoized(
  (ports: readonly PortRecord[]): ReadonlySet<string> =>
    new Set(ports.flatMap(({ port, as_of }) => (as_of === null ? [] : [port]))),
);

const LOADING = { records: [], complete: false };

const portsThen = memoized((then: readonly PortThen[] | undefined, ports: readonly PortRecord[]) => {
  if (then === undefined) return { ports: LOADING, changes: LOADING };
  const records = then.map((port): PortRecord => {
    const evidence = findNamed(ports, port.port)?.evidence ?? 'recorded';
    return { ...port, evidence: evidence === 'observed' ? 'recorded' : evidence };
  });
  const known = new Set(records.map(({ port }) => port));
  const rest = ports.flatMap((port) => (known.has(port.port) ? [] : [{ ...port, ...UNKNOWN_FIGURES }]));
  const changes = then.map((port) => ({ ...port, congestion_score_change: port.weekChange }));
  return {
    ports: { records: [...records, ...rest].sort(worstFirst), complete: true },
    changes: { records: changes as unknown as PortChange[], complete: true },
  };
});

/** `day`: undefined for the newest figures. */
export function readShownPorts(explorer: Explorer, day: string | undefined): ShownPorts {
  const ports = readAllPorts(explorer);
  const held = heldPorts(readPorts(explorer).records);
  return day === undefined
    ? { ports, changes: readChanges(explorer), held }
    : { ...portsThen(explorer.days.portsOn(day), ports.records), held };
}

/** Why a port has no score. */
export function absenceText(
  { port, as_of }: Pick<PortRecord, 'port' | 'as_of'>,
  { held }: Pick<ShownPorts, 'held'>,
): string {
  if (as_of !== null) return 'no score yet';
  return held.has(port) ? 'no figures of this day' : 'can be read, nothing held';
}
