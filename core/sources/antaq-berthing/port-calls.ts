/** Port calls from berthings, in their state at one instant. */
import { type CallRecord, foremostTraffic, type RecordedStop } from '../../calls/observation.ts';
import type { Instant } from '../../reference/time.ts';
import type { Berthing } from './berthing.ts';

/** ANTAQ's wait is in the port's anchorage, which it does not name. */
const ANCHORAGE = 'anchorage';

function stopUntil(asOfAt: Instant, stop: WholeStop): RecordedStop[] {
  const { atdAt, ...begun } = stop;
  if (stop.ataAt > asOfAt) return [];
  return [atdAt <= asOfAt ? stop : begun];
}

/**
 * The berthings of each call, in order. A berthing whose arrival lies before the vessel's last unberthing is a shift
 * within the same call: the vessel cannot have arrived again without having left.
 */
export function visitsOf(berthings: readonly Berthing[]): Berthing[][] {
  const open = new Map<string, { visit: Berthing[]; leftAt: Instant }>();
  const visits: Berthing[][] = [];
  for (const berthing of [...berthings].sort((a, b) => a.berthedAt - b.berthedAt || a.id - b.id)) {
    const key = `${berthing.port} ${berthing.vesselId}`;
    const last = open.get(key);
    if (last && berthing.arrivedAt < last.leftAt) {
      last.visit.push(berthing);
      last.leftAt = Math.max(last.leftAt, berthing.unberthedAt);
      continue;
    }
    const visit = [berthing];
    visits.push(visit);
    open.set(key, { visit, leftAt: berthing.unberthedAt });
  }
  return visits;
}

type WholeStop = RecordedStop & { readonly ataAt: Instant; readonly atdAt: Instant };

/**
 * The call in its state at `asOfAt`: later events are left out, so a vessel that was waiting then is
 * still waiting here. Undefined when it had not arrived.
 */
export function callAsOf(visit: readonly Berthing[], asOfAt: Instant): CallRecord | undefined {
  const [first] = visit;
  if (!first || first.arrivedAt > asOfAt) return undefined;
  const wait: WholeStop = {
    zone: 'anchorage',
    place: ANCHORAGE,
    ataAt: first.arrivedAt,
    atdAt: first.berthedAt,
  };
  const berths = visit.map(
    (each): WholeStop => ({
      zone: 'berth',
      place: each.berth,
      ataAt: each.berthedAt,
      atdAt: each.unberthedAt,
    }),
  );
  const planned = [...(wait.atdAt > wait.ataAt ? [wait] : []), ...berths];
  const lastAt = Math.max(...visit.map((each) => each.unberthedAt));
  return {
    callId: String(Math.min(...visit.map((each) => each.id))),
    vesselId: first.vesselId,
    traffic: foremostTraffic(visit),
    recordedAt: asOfAt,
    listedAt: first.unberthedAt,
    stops: planned.flatMap((stop) => stopUntil(asOfAt, stop)),
    ataAt: first.arrivedAt,
    atdAt: lastAt <= asOfAt ? lastAt : undefined,
  };
}
