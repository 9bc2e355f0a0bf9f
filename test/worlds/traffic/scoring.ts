/** Stays found against true stays: matched one to one by overlap, and how far the matched ones are off. */
import type { Interval } from '../../../core/reference/time.ts';
import { receivedMs } from './daily-outages.ts';
import type { TrueStay } from './world-types.ts';

/** A stay as an engine found it. */
export interface FoundStay {
  readonly mmsi: number;
  readonly kind: 'wait' | 'berth';
  readonly startAt: number;
  readonly endAt: number;
  readonly port: string | undefined;
}

export interface Score {
  readonly truth: number;
  readonly found: number;
  /** Share of true stays that were found, and of found stays that are true. */
  readonly recall: number;
  readonly precision: number;
  /** Share of matched stays with the right kind, of all of them and of the waits. */
  readonly kind: number;
  /** 95th percentile of the absolute error in minutes, of borders that lie inside the data. */
  readonly startP95: number;
  readonly endP95: number;
  /** Share of matched stays of the right kind with the right port; waits alone; waits whose berth the data show. */
  readonly port: number;
  readonly waitPort: number;
  readonly berthedWaitPort: number;
  /** Matched waits after which the data show no berth, and those of them with the right port. */
  readonly unberthedWaits: number;
  readonly unberthedRight: number;
}

/** Intersection over union that a match needs. */
const MIN_OVERLAP = 0.5;
const MINUTE_MS = 60_000;

interface Match {
  readonly truth: TrueStay;
  readonly found: FoundStay;
  readonly overlap: number;
}

/** Intersection over union within the time of reception, because a stay's start or end within an outage is unknown. */
function overlapOf(a: TrueStay, b: FoundStay, outages: readonly Interval[]): number {
  const [fromAt, toAt] = [Math.max(a.startAt, b.startAt), Math.min(a.endAt, b.endAt)];
  const both = toAt <= fromAt ? 0 : receivedMs(fromAt, toAt, outages);
  if (both <= 0) return 0;
  return both / receivedMs(Math.min(a.startAt, b.startAt), Math.max(a.endAt, b.endAt), outages);
}

/** Best overlaps first; each stay of either side is matched once. */
function matches(
  truth: readonly TrueStay[],
  found: readonly FoundStay[],
  outages: readonly Interval[],
): Match[] {
  const pairs = truth
    .flatMap((stay) =>
      found.map((other) => ({ truth: stay, found: other, overlap: overlapOf(stay, other, outages) })),
    )
    .filter(({ overlap }) => overlap > MIN_OVERLAP)
    .sort((a, b) => b.overlap - a.overlap);
  const taken = new Set<TrueStay | FoundStay>();
  return pairs.filter((pair) => {
    if (taken.has(pair.truth) || taken.has(pair.found)) return false;
    taken.add(pair.truth).add(pair.found);
    return true;
  });
}

const share = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);

function p95(values: number[]): number {
  values.sort((a, b) => a - b);
  return values[Math.ceil(values.length * 0.95) - 1] ?? 0;
}

export const groupedByMmsi = <Stay extends { readonly mmsi: number }>(
  stays: readonly Stay[],
): Map<number, Stay[]> => {
  const grouped = new Map<number, Stay[]>();
  for (const stay of stays) {
    const of = grouped.get(stay.mmsi);
    if (of) of.push(stay);
    else grouped.set(stay.mmsi, [stay]);
  }
  return grouped;
};

/** Least received part of a stay that counts. */
const MIN_RECEIVED_MS = { berth: 60 * MINUTE_MS, wait: 180 * MINUTE_MS };

interface ReceivedWindow {
  readonly startAt: number;
  readonly endAt: number;
  /** Nothing was received in these spans, so a stay counts when it lasted long enough outside of them. */
  readonly outages?: readonly Interval[];
}

/** Scores `found` against `truth`, both of the data from `startAt` to `endAt`. */
export function scoreStays(
  all: readonly TrueStay[],
  allFound: readonly FoundStay[],
  { startAt, endAt, outages = [] }: ReceivedWindow,
): Score {
  const foundOf = groupedByMmsi(allFound);
  const pairs = [...groupedByMmsi(all)].flatMap(([mmsi, of]) =>
    matches(of, foundOf.get(mmsi) ?? [], outages),
  );
  const isReceived = ({ kind, ...stay }: TrueStay): boolean =>
    receivedMs(stay.startAt, stay.endAt, outages) >= MIN_RECEIVED_MS[kind];
  const truth = all.filter(isReceived);
  const unreceived = new Set(pairs.filter((pair) => !isReceived(pair.truth)).map((pair) => pair.found));
  const matched = pairs.filter((pair) => !unreceived.has(pair.found));
  const found = allFound.filter((stay) => !unreceived.has(stay));
  const right = matched.filter((pair) => pair.truth.kind === pair.found.kind);
  const waits = right.filter((pair) => pair.truth.kind === 'wait');
  const isBerthed = ({ truth: wait }: Match): boolean =>
    truth.some((stay) => stay.vessel === wait.vessel && stay.kind === 'berth' && stay.startAt > wait.startAt);
  const berthed = waits.filter(isBerthed);
  const unberthed = waits.filter((wait) => !isBerthed(wait));
  const samePort = (pair: Match): boolean => pair.truth.port === pair.found.port;
  const inside = 10 * MINUTE_MS;
  const starts = matched.filter((pair) => pair.truth.startAt > startAt + inside);
  const ends = matched.filter((pair) => pair.truth.endAt < endAt - inside);
  return {
    truth: truth.length,
    found: found.length,
    recall: share(matched.length, truth.length),
    precision: share(matched.length, found.length),
    kind: share(right.length, matched.length),
    startP95: p95(starts.map((pair) => Math.abs(pair.truth.startAt - pair.found.startAt) / MINUTE_MS)),
    endP95: p95(ends.map((pair) => Math.abs(pair.truth.endAt - pair.found.endAt) / MINUTE_MS)),
    port: share(right.filter(samePort).length, right.length),
    waitPort: share(waits.filter(samePort).length, waits.length),
    berthedWaitPort: share(berthed.filter(samePort).length, berthed.length),
    unberthedWaits: unberthed.length,
    unberthedRight: unberthed.filter(samePort).length,
  };
}
