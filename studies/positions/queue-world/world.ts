/**
 * The second generator of ports, traffic and faults, written from the published description of the detector's task
 * alone. Waits follow from a queue for berths; anchored vessels hang on a chain in wind and tide; transponders report
 * by the rules of class A.
 */
import type { GeneratedFix, GenerateWorld, TrueStay } from '../../../test/worlds/traffic/world-types.ts';
import { craft } from './craft.ts';
import { Dice } from './dice.ts';
import { type Roadstead, roadsteadsOf, toGeo } from './geography.ts';
import { type Reception, type Report, Transponder } from './transponder.ts';
import { cargoVessel, mmsiOf, type Vessel } from './vessel.ts';
import { sail } from './voyages.ts';

const HOUR = 3600;
/** Reports are put into the order of publication within spans of this many seconds. */
const BATCH_SECONDS = 600;
/** Shorter stays are not truth: they say nothing about a call. */
const MIN_SECONDS = { berth: 1 * HOUR, wait: 3 * HOUR };

/** One pair in 110 vessels transmits one MMSI, and three pairs in a small world; half of them are of one region. */
function shareIdentities(vessels: readonly (Vessel & { region: string })[], dice: Dice): void {
  const pairs = Math.max(3, Math.round(vessels.length / 110));
  const stride = Math.floor(vessels.length / pairs);
  for (let pair = 0; pair < pairs; pair++) {
    const own = vessels[pair * stride + (stride >> 1)];
    const near = pair % 2 === 0;
    const others = vessels.filter(
      (other) => !other.shared && other !== own && (other.region === own?.region) === near,
    );
    if (own === undefined || others.length === 0) continue;
    const other = dice.pick(others);
    other.mmsi = own.mmsi;
    other.shared = true;
    own.shared = true;
  }
}

function outagesOf(roadsteads: readonly Roadstead[], seed: number, startAt: number, endAt: number) {
  return new Map(
    roadsteads.map((roadstead) => {
      const dice = new Dice(seed, 'outages', roadstead.index);
      const spans: { fromAt: number; toAt: number }[] = [];
      for (let t = startAt; t < endAt; t += 24 * HOUR) {
        if (!dice.chance(0.3)) continue;
        const fromAt = t + dice.between(0, 24 * HOUR);
        spans.push({ fromAt, toAt: fromAt + dice.between(600, 7200) });
      }
      return [roadstead, spans] as const;
    }),
  );
}

function truthOf(vessel: Vessel, transponder: Transponder): TrueStay[] {
  const received = transponder.receivedWindow();
  return vessel.stays.flatMap(({ kind, fromAt, toAt, port }) => {
    const from = Math.max(fromAt, received.fromAt);
    const to = Math.min(toAt, received.toAt);
    if (to - from < MIN_SECONDS[kind]) return [];
    return [
      {
        mmsi: vessel.mmsi,
        vessel: vessel.name,
        kind,
        startAt: Math.round(from * 1000),
        endAt: Math.round(to * 1000),
        port: port.locode,
        shared: vessel.shared,
      },
    ];
  });
}

/** Base stations and buoys of the roadsteads, and a transponder that was never configured. */
function* fixedStations(roadstead: Roadstead, { seed, startAt, endAt }: Reception): Generator<Report> {
  const dice = new Dice(seed, 'stations', roadstead.index);
  const stations = [
    { mmsi: 2_190_000 + roadstead.index, ...toGeo(roadstead.origin, { x: -900, y: 300 }) },
    { mmsi: 992_190_000 + roadstead.index, ...toGeo(roadstead.origin, roadstead.seaBuoy) },
    { mmsi: 123_456_789, ...toGeo(roadstead.origin, { x: 500, y: 900 }) },
  ];
  for (let t = startAt; t < endAt; t += 180) {
    for (const { mmsi, latitude, longitude } of stations) {
      const at = Math.floor(t + dice.between(0, 60)) * 1000;
      const fix = { mmsi, at, latitude, longitude, speed: undefined, heading: undefined };
      yield { publishedAt: t + 60, fix: { ...fix, status: undefined, vesselType: undefined } };
    }
  }
}

/** Joins streams of reports that are each ordered by transmission to within minutes, by time of publication. */
function* published(
  streams: readonly Generator<Report>[],
  startAt: number,
  endAt: number,
): Generator<GeneratedFix> {
  const heads = streams.map((stream) => ({ stream, next: stream.next() }));
  let waiting: Report[] = [];
  for (let until = startAt + BATCH_SECONDS; until < endAt + 3 * BATCH_SECONDS; until += BATCH_SECONDS) {
    for (const head of heads) {
      while (!head.next.done && head.next.value.fix.at < until * 1000) {
        waiting.push(head.next.value);
        head.next = head.stream.next();
      }
    }
    const due = waiting.filter((report) => report.publishedAt < until);
    waiting = waiting.filter((report) => report.publishedAt >= until);
    due.sort((a, b) => a.publishedAt - b.publishedAt);
    for (const { fix } of due) yield fix;
  }
}

export const queueWorld: GenerateWorld = (options) => {
  const { seed, portsSeed = seed, vessels: count, fixSeconds, hard } = options;
  const startAt = options.startAt / 1000;
  const endAt = startAt + options.days * 24 * HOUR;
  const roadsteads = roadsteadsOf(portsSeed, count, hard);
  const ports = roadsteads.flatMap((roadstead) => roadstead.ports);
  const dice = new Dice(seed, 'world');
  const vessels = Array.from({ length: count }, (_, i) =>
    cargoVessel(seed, i, (ports[i % ports.length] as (typeof ports)[number]).roadstead.region, hard),
  );
  shareIdentities(vessels, dice);
  sail(vessels, roadsteads, { seed, startAt, endAt, rough: options.rough === true });
  const others = Array.from({ length: Math.round(count * 0.8) }, (_, i) =>
    craft(seed, i, roadsteads, { startAt, endAt }),
  );
  const taken = new Set(vessels.map((vessel) => vessel.mmsi));
  for (const other of others) {
    while (taken.has(other.mmsi)) other.mmsi = mmsiOf(dice);
    taken.add(other.mmsi);
  }
  const outages = outagesOf(roadsteads, seed, startAt, endAt);
  const reception: Reception = { seed, startAt, endAt, fixSeconds, hard, outages };
  const transponders = [...vessels, ...others].map((vessel) => new Transponder(vessel, reception));
  return {
    ports: ports.map(({ locode, latitude, longitude }) => ({ locode, latitude, longitude })),
    truth: vessels.flatMap((vessel, i) => truthOf(vessel, transponders[i] as Transponder)),
    fixes: {
      [Symbol.iterator]: () =>
        published(
          [
            ...transponders.map((transponder) => transponder.reports()),
            ...roadsteads.map((roadstead) => fixedStations(roadstead, reception)),
          ],
          startAt,
          endAt,
        ),
    },
  };
};
