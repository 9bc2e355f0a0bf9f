/** An engine's vessels as text and back: arrays of integers, vessels by MMSI, so that equal states are equal bytes. */
import { TRAFFIC } from '../calls/observation.ts';
import type { StayKind } from '../calls/port-call.ts';
import { isLocode } from '../reference/locode.ts';
import type { ClassClaim, Vessel } from './engine.ts';
import type { Fix } from './fix.ts';
import { driftRow, RowReader, readDrift, readSpread, spreadRow, UnusableState } from './spread-rows.ts';
import type { OpenStop, Stop, StopBegin } from './stops.ts';
import type { SettledCall, SettledStay, Track } from './tracks.ts';
import type { VesselClass } from './vessel-class.ts';

/** Rises with every change of the engine that makes other stays or another state of the same fixes. */
const ENGINE_VERSION = 6;

const KINDS: readonly StayKind[] = ['wait', 'berth'];
const CLASSES: readonly VesselClass[] = ['unknown', 'cargo', 'ferry', 'other'];

type Row = readonly unknown[];

const beginRow = ({ start, startKnown, firstTime, receivedArriving }: StopBegin): number[] => [
  start,
  Number(startKnown),
  firstTime,
  Number(receivedArriving),
];

const stopRow = (stop: Stop): number[] => [
  ...beginRow(stop),
  stop.end,
  Number(stop.endKnown),
  ...spreadRow(stop.spread),
];

const openRow = (stop: OpenStop): number[] => [
  ...beginRow(stop),
  Number(stop.confirmed),
  stop.firstLatitude,
  stop.firstLongitude,
  stop.lastSlowTime,
  stop.slowLatitude,
  stop.slowLongitude,
  stop.slowSpeed,
  stop.lastStillTime,
  stop.movedTime,
  stop.fast,
  stop.departureTime,
  stop.ahead,
  stop.restTime,
  stop.restLatitude,
  stop.restLongitude,
  ...spreadRow(stop.spread),
];

const settledStayRow = (stay: SettledStay): number[] => [
  ...beginRow(stay),
  stay.end,
  Number(stay.endKnown),
  KINDS.indexOf(stay.kind),
  stay.latitude,
  stay.longitude,
  stay.firstLatitude,
  stay.firstLongitude,
  Number(stay.portKnown),
];

const settledRow = ({ port, traffic, until, stays }: SettledCall): Row => [
  port,
  TRAFFIC.indexOf(traffic),
  until,
  stays.map(settledStayRow),
];

const trackRow = (track: Track): Row => [
  track.begin,
  track.fixes,
  track.time,
  track.latitude,
  track.longitude,
  track.speed,
  Number(track.receivedArriving),
  track.statusUnderWay,
  track.drift === undefined ? 0 : driftRow(track.drift),
  track.open === undefined ? 0 : openRow(track.open),
  track.stops.map(stopRow),
  track.settled === undefined ? 0 : settledRow(track.settled),
];

const fixRow = (fix: Fix): number[] => [
  fix.time,
  fix.latitude,
  fix.longitude,
  fix.speed,
  fix.heading,
  fix.status,
];

const claimRow = (claim: ClassClaim): Row => [CLASSES.indexOf(claim.class), claim.count, claim.time];

const vesselRow = (vessel: Vessel): Row => [
  vessel.mmsi,
  CLASSES.indexOf(vessel.class),
  vessel.claim === undefined ? 0 : claimRow(vessel.claim),
  vessel.imo,
  vessel.clockAhead,
  vessel.readTime,
  vessel.pending.map(fixRow),
  vessel.tracks.map(trackRow),
];

/** One line a vessel, after one that says how many there are. */
export function writeState(vessels: ReadonlyMap<number, Vessel>): string {
  const lines = [...vessels.values()]
    .sort((a, b) => a.mmsi - b.mmsi)
    .map((one) => JSON.stringify(vesselRow(one)));
  return `${[JSON.stringify({ engine: ENGINE_VERSION, vessels: lines.length }), ...lines].join('\n')}\n`;
}

const readBegin = (row: RowReader) => ({
  start: row.next(),
  startKnown: row.flag(),
  firstTime: row.next(),
  receivedArriving: row.flag(),
});

function readStop(content: unknown): Stop {
  const row = new RowReader(content);
  return { ...readBegin(row), end: row.next(), endKnown: row.flag(), spread: readSpread(row) };
}

function readOpen(content: unknown): OpenStop {
  const row = new RowReader(content);
  return {
    ...readBegin(row),
    confirmed: row.flag(),
    firstLatitude: row.next(),
    firstLongitude: row.next(),
    lastSlowTime: row.next(),
    slowLatitude: row.next(),
    slowLongitude: row.next(),
    slowSpeed: row.next(),
    lastStillTime: row.next(),
    movedTime: row.next(),
    fast: row.next(),
    departureTime: row.next(),
    ahead: row.next(),
    restTime: row.next(),
    restLatitude: row.next(),
    restLongitude: row.next(),
    spread: readSpread(row),
  };
}

function readSettledStay(content: unknown): SettledStay {
  const row = new RowReader(content);
  return {
    ...readBegin(row),
    end: row.next(),
    endKnown: row.flag(),
    kind: KINDS[row.next()] ?? 'berth',
    latitude: row.next(),
    longitude: row.next(),
    firstLatitude: row.next(),
    firstLongitude: row.next(),
    portKnown: row.flag(),
  };
}

function readSettled(content: readonly unknown[]): SettledCall {
  const [port, ...rest] = content;
  if (typeof port !== 'string' || !isLocode(port)) throw new UnusableState('a port is missing');
  const row = new RowReader(rest);
  const traffic = TRAFFIC[row.next()] ?? 'cargo';
  return { port, traffic, until: row.next(), stays: row.list().map(readSettledStay) };
}

function readTrack(content: unknown): Track {
  const row = new RowReader(content);
  const track = {
    begin: row.next(),
    fixes: row.next(),
    time: row.next(),
    latitude: row.next(),
    longitude: row.next(),
    speed: row.next(),
    receivedArriving: row.flag(),
    statusUnderWay: row.next(),
  };
  const drift = row.optionalList();
  const open = row.optionalList();
  const stops = row.list().map(readStop);
  const settled = row.optionalList();
  return {
    ...track,
    drift: drift && readDrift(drift),
    open: open && readOpen(open),
    stops,
    settled: settled && readSettled(settled),
  };
}

function readPending(content: unknown, mmsi: number): Fix {
  const row = new RowReader(content);
  return {
    mmsi,
    time: row.next(),
    latitude: row.next(),
    longitude: row.next(),
    speed: row.next(),
    heading: row.next(),
    status: row.next(),
    vesselType: 0,
    imo: 0,
  };
}

function readClaim(content: unknown): ClassClaim {
  const row = new RowReader(content);
  return { class: CLASSES[row.next()] ?? 'unknown', count: row.next(), time: row.next() };
}

function readVessel(line: string): Vessel {
  const row = new RowReader(JSON.parse(line));
  const mmsi = row.next();
  const vessel = { mmsi, class: CLASSES[row.next()] ?? ('unknown' as const) };
  const claim = row.optionalList();
  return {
    ...vessel,
    claim: claim && readClaim(claim),
    imo: row.next(),
    clockAhead: row.next(),
    readTime: row.next(),
    pending: row.list().map((one) => readPending(one, mmsi)),
    tracks: row.list().map(readTrack),
  };
}

/** The vessels of a written state. Throws `UnusableState` when it is cut short, damaged, or of another engine. */
export function readState(text: string): Map<number, Vessel> {
  const [head = '', ...lines] = text.split('\n');
  try {
    const { engine, vessels } = JSON.parse(head) as { engine?: unknown; vessels?: unknown };
    if (engine !== ENGINE_VERSION)
      throw new UnusableState(
        `the state is of engine ${String(engine)}, this is engine ${ENGINE_VERSION}: delete it, and positions are read again from the archive`,
      );
    if (lines.length !== Number(vessels) + 1 || lines.at(-1) !== '')
      throw new UnusableState(`${lines.length - 1} of ${String(vessels)} vessels`);
    return new Map(
      lines
        .slice(0, -1)
        .map((line) => readVessel(line))
        .map((vessel) => [vessel.mmsi, vessel]),
    );
  } catch (error) {
    if (error instanceof UnusableState) throw error;
    throw new UnusableState('the state does not parse', { cause: error });
  }
}
