/** Identifies the vessel of a row: a call sign that changes under one IMO number is the same vessel. */
import { groupBy } from '../reference/grouping.ts';
import type { Ledger } from './ledger.ts';
import type { PortPoll } from './observation.ts';
import type { PortCall } from './port-call.ts';

interface Identity {
  readonly imo?: string;
  /** Ids in the rows of this poll, other than the vessel's own. */
  readonly otherIds: readonly string[];
}

const isBefore = (a: PortCall, b: PortCall): boolean =>
  a.firstAtaAt < b.firstAtaAt || (a.firstAtaAt === b.firstAtaAt && a.callId < b.callId);

const findFirst = (texts: Iterable<string>): string | undefined => [...texts].sort()[0];

/** IMO numbers of the in-port list by listed id. If several are stated for one id, the smallest wins. */
function statedImos({ inPort = [] }: PortPoll): Map<string, string> {
  const stated = new Map<string, string>();
  for (const { vesselId, imo } of inPort) {
    const known = stated.get(vesselId);
    if (imo !== undefined && (known === undefined || imo < known)) stated.set(vesselId, imo);
  }
  return stated;
}

/**
 * The vessels' own ids by the listed ids, where they differ: by a known call with the same IMO number; else by one that
 * has the listed id as a further one; of two new ids under one IMO number, the first.
 */
function ownIds(calls: readonly PortCall[], poll: PortPoll, imos: ReadonlyMap<string, string>) {
  const { inPort = [], arrived = [], departed = [], unreadable = [] } = poll;
  const listed = [...inPort, ...arrived, ...departed].map(({ vesselId }) => vesselId);
  const byImo = new Map<string | undefined, string>();
  const byOtherId = new Map<string, string>();
  for (const { imo, vesselId, otherIds = [] } of calls) {
    if (imo !== undefined && !byImo.has(imo)) byImo.set(imo, vesselId);
    for (const otherId of otherIds) byOtherId.set(otherId, vesselId);
  }
  for (const [imo, stated] of groupBy(imos, ([, imo]) => imo)) {
    const first = findFirst(stated.map(([vesselId]) => vesselId));
    if (first !== undefined && !byImo.has(imo)) byImo.set(imo, byOtherId.get(first) ?? first);
  }
  const own = [...listed, ...unreadable].flatMap((listedId): [string, string][] => {
    const ownId = byImo.get(imos.get(listedId)) ?? byOtherId.get(listedId) ?? listedId;
    return ownId === listedId ? [] : [[listedId, ownId]];
  });
  return new Map(own);
}

/** By the vessels' own ids. */
function readIdentities(
  imos: ReadonlyMap<string, string>,
  ownIdOf: (listedId: string) => string,
): Map<string, Identity> {
  const identities = new Map<string, Identity>();
  for (const [listedId, imo] of imos) {
    const ownId = ownIdOf(listedId);
    const { otherIds = [] } = identities.get(ownId) ?? {};
    identities.set(ownId, { imo, otherIds: listedId === ownId ? otherIds : [...otherIds, listedId].sort() });
  }
  return identities;
}

/**
 * `poll` and the ledger's calls, oldest first, with one id for each vessel, its own; and the calls that are duplicates of
 * another one under another id.
 */
export function identify(ledger: Ledger, poll: PortPoll) {
  const known = [...ledger.calls.values()].sort((a, b) => (isBefore(a, b) ? -1 : 1));
  const imos = statedImos(poll);
  const own = ownIds(known, poll, imos);
  const ownIdOf = (listedId: string): string => own.get(listedId) ?? listedId;
  const withOwnId = <Row extends { readonly vesselId: string }>(row: Row): Row =>
    own.has(row.vesselId) ? { ...row, vesselId: ownIdOf(row.vesselId) } : row;

  const calls: PortCall[] = [];
  const duplicates: PortCall[] = [];
  for (const call of known) {
    const imo = imos.get(call.vesselId);
    const isOfImo = imo !== undefined && (call.imo === undefined || call.imo === imo);
    const moved = isOfImo ? withOwnId(call) : call;
    const isDuplicate =
      moved !== call &&
      known.some(
        (other) => other.vesselId === moved.vesselId && other.ataAt === call.ataAt && !other.ataInferred,
      );
    if (isDuplicate && !call.ataInferred) duplicates.push(call);
    else calls.push(moved);
  }

  return {
    calls,
    duplicates,
    identities: readIdentities(imos, ownIdOf),
    poll: {
      ...poll,
      inPort: poll.inPort?.map(withOwnId),
      arrived: poll.arrived?.map(withOwnId),
      departed: poll.departed?.map(withOwnId),
      unreadable: poll.unreadable?.map(ownIdOf),
    },
  };
}

/** `call` with the known identity of its vessel. A known IMO number does not change. */
export function withIdentity(call: PortCall, identity: Identity | undefined): PortCall {
  if (identity === undefined) return call;
  const { imo = identity.imo, otherIds = [] } = call;
  const ids = [...new Set([...otherIds, ...identity.otherIds])].sort();
  return { ...call, imo, otherIds: ids.length > 0 ? ids : undefined };
}
