/** A step over positions, the same for a poll and for a day: what it depends on, and the records that it changes. */
import type { Locode } from '../reference/locode.ts';
import type { Port } from '../reference/ports.ts';
import type { Instant } from '../reference/time.ts';
import type { Counts } from '../upstream/source.ts';
import type { Engine } from './engine.ts';
import { nearestPort, stayPoints } from './port-areas.ts';
import { outsideReach } from './reception.ts';
import type { StayParts } from './stays.ts';
import { pinAreas, type StepAreas } from './step-state.ts';
import {
  changedRecords,
  type PublishedRecords,
  type RecordChanges,
  settleVessels,
  toRecords,
} from './vessel-calls.ts';

/** What is the same for every step over the areas. */
export function stepParts(areas: StepAreas, reference: readonly Port[]) {
  const { parameters, boxes, approaches, anchorageAreas } = areas;
  const points = stayPoints(reference, boxes);
  const ports = nearestPort(points);
  return {
    pins: pinAreas(areas, points),
    stays: { parameters, anchorageAreas, ports, approaches },
    isOutside: outsideReach(boxes, ports),
  };
}
export type StepParts = ReturnType<typeof stepParts>;

/**
 * Records of the vessels at `time`, in Unix seconds, that differ from `recorded`; then settles and forgets what is
 * over. At a port that is not covered the records of `published` stay.
 */
export function recordChanges(
  engine: Engine,
  stays: StayParts,
  time: number,
  covered: ReadonlyMap<Locode, Instant>,
  published: PublishedRecords,
  recorded = published,
): RecordChanges {
  const records = [...engine.vessels.values()].flatMap((vessel) => toRecords(vessel, time, stays));
  const made = changedRecords(recorded, records, time, stays.parameters);
  settleVessels(engine.vessels.values(), time, stays, (port) => covered.has(port));
  engine.forget(time);
  return { changed: made.changed, published: publishedAfter(published, made.published, covered) };
}

/**
 * Records of the covered ports come from `now`, others from `before` with their ends as known now: a call that is over
 * is not withdrawn when its vessel is forgotten.
 */
export function publishedAfter(
  before: PublishedRecords,
  now: PublishedRecords,
  covered: ReadonlyMap<Locode, Instant>,
): PublishedRecords {
  const published = new Map([...now].filter(([, { port }]) => covered.has(port)));
  for (const [key, record] of before)
    if (!covered.has(record.port))
      published.set(key, { ...record, ended: now.get(key)?.ended ?? record.ended });
  return new Map([...published].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * `taken` into a track; `otherVessels` never count; `repeated` and `late` were dropped; `mmsi`, `position` and `time`
 * could not be true. `unknownTypes`: stopped vessels that do not count, because no type was received.
 */
export function stepCounts({ counts, vessels }: Engine): Counts {
  const { taken, other: otherVessels, repeated, late, mmsi, position, time } = counts;
  const unknownTypes = [...vessels.values()].filter(
    (vessel) => vessel.class === 'unknown' && vessel.tracks.some(({ open }) => open?.confirmed === true),
  ).length;
  return { taken, otherVessels, repeated, late, mmsi, position, time, unknownTypes };
}
