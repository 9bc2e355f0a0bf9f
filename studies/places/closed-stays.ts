/** The closed stays of cargo vessels in an archive of positions, found without places: places are learned from them. */

import { Engine } from '../../core/positions/engine.ts';
import type { Fix } from '../../core/positions/fix.ts';
import type { EngineParameters } from '../../core/positions/parameters.ts';
import { indexPlaces } from '../../core/positions/places.ts';
import { approachesTo, stayPorts } from '../../core/positions/port-areas.ts';
import { type StayParts, trackStays, type VesselStay } from '../../core/positions/stays.ts';
import { settleVessels } from '../../core/positions/vessel-calls.ts';
import type { PortBox } from '../../core/reference/port-boxes.ts';
import { PORTS } from '../../core/reference/ports.ts';
import { DAY_MS } from '../../core/reference/time.ts';
import type { ArchivedFetch } from '../../core/upstream/source.ts';
import { type FetchCounts, walkFetches } from './fetch-walk.ts';
import type { FixReader } from './fix-reader.ts';
import type { ClosedStay } from './learn-places.ts';
import { NO_PLACES } from './place-file.ts';

/** A stop is settled three days after its end: a look each day sees all of them, and the berths that follow. */
const LOOK_SECONDS = DAY_MS / 1000;

function closedStay(mmsi: number, { kind, latitude, longitude, port, portKnown }: VesselStay): ClosedStay {
  const isFollowed = kind === 'wait' && portKnown && port !== undefined;
  return { mmsi, kind, latitude, longitude, ...(isFollowed ? { nextPort: port } : {}) };
}

/** One region: its vessels, and their stays by vessel and start. */
class RegionStays {
  readonly stays = new Map<string, ClosedStay>();
  private readonly engine: Engine;
  private readonly parts: StayParts;
  private lookedAt: number | undefined;

  constructor(parameters: EngineParameters, boxes: readonly PortBox[]) {
    this.engine = new Engine({ parameters });
    const approaches = approachesTo(boxes.flatMap(({ ports }) => ports));
    const ports = stayPorts(PORTS, boxes);
    this.parts = { parameters, places: indexPlaces(NO_PLACES), ports, approaches };
  }

  readonly push = (fix: Fix): void => {
    this.engine.push(fix);
  };

  lookDaily(time: number): void {
    this.lookedAt ??= time;
    if (time - this.lookedAt >= LOOK_SECONDS) this.look(time);
  }

  look(time: number): void {
    this.lookedAt = time;
    for (const { mmsi, class: traffic, tracks } of this.engine.vessels.values())
      for (const track of traffic === 'cargo' ? tracks : [])
        for (const stay of trackStays(track, time, this.parts)) {
          const key = `${mmsi} ${stay.start}`;
          // A vessel that was silent for long is there again: its stay is not closed yet.
          if (stay.end === undefined) this.stays.delete(key);
          else this.stays.set(key, closedStay(mmsi, stay));
        }
    settleVessels(this.engine.vessels.values(), time, this.parts);
    this.engine.forget(time);
  }

  finish(time: number): void {
    this.engine.flush();
    this.look(time);
  }
}

export interface StaySurvey extends FetchCounts {
  readonly stays: readonly ClosedStay[];
}

/** The same fetches give the same stays in the same order. */
export async function surveyStays(
  { parameters, regions, endOf, push }: FixReader,
  fetches: AsyncIterable<ArchivedFetch>,
): Promise<StaySurvey> {
  const all = Object.entries(regions).map(
    ([region, boxes]) => [region, new RegionStays(parameters, boxes)] as const,
  );
  const { counts, last } = await walkFetches(fetches, endOf, (fetched, end) => {
    for (const [region, stays] of all) push(fetched, region, stays.push);
    for (const [, stays] of all) stays.lookDaily(end);
  });
  for (const [, stays] of all) stays.finish(last);
  return { stays: all.flatMap(([, { stays }]) => [...stays.values()]), ...counts };
}
