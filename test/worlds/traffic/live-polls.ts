/** Generated traffic as replies of Open Waters: one archived poll every few minutes. */
import type { PortBox } from '../../../core/reference/port-boxes.ts';
import type { ArchivedFetch } from '../../../core/upstream/source.ts';
import type { GeneratedFix, World } from './world-types.ts';

export interface PollOptions {
  readonly startAt: number;
  readonly days: number;
  readonly everyMinutes: number;
  /** Areas that are asked for; everywhere when absent. */
  readonly boxes?: readonly PortBox[];
  /** Content of the `/health` file of a poll; no file where undefined. */
  readonly healthAt?: (at: number) => string | undefined;
  /** Fixes that the feed does not show at that time. */
  readonly isHidden?: (fix: GeneratedFix, at: number) => boolean;
}

const MINUTE_MS = 60_000;
const MAX_AGE_MS = 30 * MINUTE_MS;

const featureOf = (fix: GeneratedFix): object => ({
  type: 'Feature',
  id: fix.mmsi,
  geometry: { type: 'Point', coordinates: [fix.longitude, fix.latitude] },
  properties: {
    mmsi: fix.mmsi,
    kind: 'vessel',
    seen: `${new Date(fix.at).toISOString().slice(0, 19)}Z`,
    source: 'aishub',
    ...(fix.speed === undefined ? {} : { sog: fix.speed }),
    ...(fix.heading === undefined ? {} : { heading: fix.heading }),
    ...(fix.status === undefined ? {} : { nav_status: fix.status }),
    ...(fix.vesselType === undefined ? {} : { type: fix.vesselType }),
  },
});

/** A tug in Rotterdam, one of the busy ports whose silence means that the feed is silent. */
const canaryFix = (at: number): GeneratedFix => ({
  mmsi: 244_000_001,
  at: at - MINUTE_MS,
  latitude: 51.92,
  longitude: 4.2,
  speed: 0,
  heading: undefined,
  status: 0,
  vesselType: 52,
});

const encoder = new TextEncoder();

/** Polls from the first full interval on, each with the newest fix of every vessel that was received lately. */
export function* livePolls(world: Pick<World, 'fixes'>, options: PollOptions): Generator<ArchivedFetch> {
  const { startAt, days, everyMinutes, healthAt = () => undefined, isHidden = () => false, boxes } = options;
  const isAsked = ({ latitude, longitude }: GeneratedFix): boolean =>
    boxes === undefined ||
    boxes.some(
      ({ south, west, north, east }) =>
        latitude >= south && latitude <= north && longitude >= west && longitude <= east,
    );
  const latest = new Map<number, GeneratedFix>();
  const fixes = world.fixes[Symbol.iterator]();
  let next = fixes.next();
  const endAt = startAt + days * 24 * 60 * MINUTE_MS;
  for (let at = startAt + everyMinutes * MINUTE_MS; at <= endAt; at += everyMinutes * MINUTE_MS) {
    for (; next.done !== true && next.value.at <= at; next = fixes.next()) {
      const fix = next.value;
      if (Math.abs(fix.latitude) <= 90 && fix.at >= (latest.get(fix.mmsi)?.at ?? 0))
        latest.set(fix.mmsi, fix);
    }
    const known = [...latest.values(), canaryFix(at)];
    const shown = known.filter((fix) => at - fix.at <= MAX_AGE_MS && isAsked(fix) && !isHidden(fix, at));
    const body = {
      type: 'FeatureCollection',
      features: shown.map(featureOf),
      attribution: {},
      truncated: false,
    };
    const files = new Map([['vessels-1.geojson', encoder.encode(JSON.stringify(body))]]);
    const health = healthAt(at);
    if (health !== undefined) files.set('health.txt', encoder.encode(health));
    yield { fetchedAt: at, files };
  }
}
