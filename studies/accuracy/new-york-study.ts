/**
 * The engine on real positions: New York, an hour of 2020-06-30 and the week from 2020-12-01, against stays judged by
 * hand (`recordings/noaa-new-york/judged.csv`). The ports and places are those of the live source that serves New York.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { openLedger } from '../../core/calls/ledger.ts';
import { applyReport } from '../../core/calls/reconstruct.ts';
import { occupancyAt } from '../../core/metrics/occupancy.ts';
import { NOAA_LAYOUT } from '../../core/positions/decoders/csv-layouts.ts';
import { CsvPositions } from '../../core/positions/decoders/csv-positions.ts';
import { Engine } from '../../core/positions/engine.ts';
import { fixedDegrees, metresBetween } from '../../core/positions/geometry.ts';
import { DEFAULT_PARAMETERS } from '../../core/positions/parameters.ts';
import { NAUTICAL_MILE, stayPorts } from '../../core/positions/port-areas.ts';
import { type StayParts, trackStays, type VesselStay } from '../../core/positions/stays.ts';
import { toRecords } from '../../core/positions/vessel-calls.ts';
import { type VesselClass, vesselClass } from '../../core/positions/vessel-class.ts';
import { PORTS } from '../../core/reference/ports.ts';
import { type Interval, MINUTE_MS, parseInstant } from '../../core/reference/time.ts';
import { NOAA_FORMAT } from '../../core/sources/noaa-marinecadastre-ais/source.ts';
import { OPEN_WATERS_FEED } from '../../core/sources/open-waters-ais/source.ts';
import { decompressor } from '../../core/upstream/files/compression.ts';

const NEW_YORK = 'USNYC';
/** A border of a stay may be this far off. */
const TOLERANCE_MS = 15 * MINUTE_MS;
const CARGO = 70;

export type Recording = 'hour' | 'week';

/** What a vessel did, by hand; times are absent where its rows begin or end within the stay. */
export interface JudgedStay {
  readonly mmsi: number;
  readonly name: string;
  readonly kind: 'wait' | 'berth' | 'none';
  readonly fromAt: number | undefined;
  readonly toAt: number | undefined;
  /** It is a merchant vessel. */
  readonly counts: boolean;
  readonly reason: string;
}

/** A stay as the engine finds it. */
export interface FoundStay {
  readonly mmsi: number;
  readonly class: VesselClass;
  readonly kind: 'wait' | 'berth';
  readonly startAt: number;
  /** Undefined while the vessel is there. */
  readonly endAt: number | undefined;
  readonly port: string | undefined;
  /** Nautical miles from the port's point. */
  readonly miles: number;
}

export interface Comparison {
  readonly found: FoundStay | undefined;
  readonly judged: JudgedStay | undefined;
  /** Empty where nothing is wrong. */
  readonly wrong: readonly string[];
}

const readSpan = ({ fromAt = 0, toAt = Number.MAX_SAFE_INTEGER }: JudgedStay): Interval => ({ fromAt, toAt });

const overlap = (a: Interval, b: Interval): number => Math.min(a.toAt, b.toAt) - Math.max(a.fromAt, b.fromAt);

const isCounted = (of: VesselClass): boolean => of === 'cargo';

function borderError(what: string, foundAt: number, judgedAt: number | undefined): string[] {
  if (judgedAt === undefined || Math.abs(foundAt - judgedAt) <= TOLERANCE_MS) return [];
  return [`${what} ${Math.round((foundAt - judgedAt) / MINUTE_MS)} min off`];
}

function faults(found: FoundStay, judged: JudgedStay): string[] {
  const counted = isCounted(found.class);
  const kind = found.kind === judged.kind ? [] : [`found as a ${found.kind}`];
  if (!judged.counts) return counted ? ['counts, and is no merchant vessel', ...kind] : [];
  return [
    ...(counted ? [] : ['does not count: its type is not stated']),
    ...kind,
    ...(found.port === undefined ? [`no port: ${found.miles.toFixed(1)} nm from its point`] : []),
    ...borderError('start', found.startAt, judged.fromAt),
    ...borderError('end', found.endAt ?? readSpan(judged).toAt, judged.toAt),
  ];
}

/** Each found stay beside the judged one that it overlaps most, and each judged one that is missed. */
export function compareStays(found: readonly FoundStay[], judged: readonly JudgedStay[]): Comparison[] {
  const taken = new Set<JudgedStay>();
  const pairs = found.map((stay): Comparison => {
    const span = { fromAt: stay.startAt, toAt: stay.endAt ?? Number.MAX_SAFE_INTEGER };
    const [best] = judged
      .filter(
        (judgement) => judgement.mmsi === stay.mmsi && !taken.has(judgement) && judgement.kind !== 'none',
      )
      .toSorted((a, b) => overlap(readSpan(b), span) - overlap(readSpan(a), span));
    if (best === undefined || overlap(readSpan(best), span) <= 0)
      return {
        found: stay,
        judged: undefined,
        wrong: isCounted(stay.class) ? ['not judged, or invented'] : [],
      };
    taken.add(best);
    return { found: stay, judged: best, wrong: faults(stay, best) };
  });
  const missed = judged
    .filter((judgement) => judgement.counts && judgement.kind !== 'none' && !taken.has(judgement))
    .map((judgement): Comparison => ({ found: undefined, judged: judgement, wrong: ['missed'] }));
  return [...pairs, ...missed];
}

/** The judgements of one recording, in the order of the file. */
function judgedStays(folder: string, recording: Recording): JudgedStay[] {
  const rows: Record<string, string>[] = parse(readFileSync(join(folder, 'judged.csv')), { columns: true });
  return rows
    .filter(({ file }) => file === recording)
    .map(({ mmsi, name = '', kind, from = '', to = '', counts, reason = '' }) => {
      if (kind !== 'wait' && kind !== 'berth' && kind !== 'none')
        throw new RangeError(`judged.csv: ${mmsi} has kind ${kind}`);
      const [fromAt, toAt] = [parseInstant(from), parseInstant(to)];
      return { mmsi: Number(mmsi), name, kind, fromAt, toAt, counts: counts === 'yes', reason };
    });
}

const FILES: Readonly<Record<Recording, RegExp>> = {
  hour: /^ais-2020-06-30\.csv\.zst$/,
  week: /^ais-2020-12-\d\d\.csv\.zst$/,
};
const ENDS: Readonly<Record<Recording, number>> = {
  hour: Date.parse('2020-06-30T01:00:00Z'),
  week: Date.parse('2020-12-08T00:00:00Z'),
};

/** The parameters and places of the live source. */
const LIVE_PARTS: StayParts = {
  parameters: DEFAULT_PARAMETERS,
  places: OPEN_WATERS_FEED.places,
  ports: stayPorts(PORTS, OPEN_WATERS_FEED.boxes),
  approaches: OPEN_WATERS_FEED.approaches ?? [],
};

interface Rows {
  readonly engine: Engine;
  readonly rows: number;
  /** Types by MMSI that the rows state. */
  readonly types: ReadonlyMap<number, number>;
}

/** All rows of a recording through the engine; `given` are vessels whose type is set to cargo. */
function readRows(folder: string, recording: Recording, given: ReadonlySet<number>): Rows {
  const engine = new Engine({ latest: ENDS[recording] / 1000 });
  const types = new Map<number, number>();
  let rows = 0;
  for (const file of readdirSync(folder).filter((name) => FILES[recording].test(name))) {
    const reader = new CsvPositions(NOAA_LAYOUT, (fix) => {
      if (fix.vesselType !== 0) types.set(fix.mmsi, fix.vesselType);
      if (given.has(fix.mmsi)) fix.vesselType = CARGO;
      engine.push(fix);
    });
    const content = decompressor(file, (chunk) => reader.push(chunk), NOAA_FORMAT.limits);
    content.push(readFileSync(join(folder, file)));
    content.end();
    const { fixes, broken } = reader.end();
    if (broken > 0) throw new RangeError(`${file}: ${broken} rows cannot be read`);
    rows += fixes;
  }
  engine.flush();
  return { engine, rows, types };
}

const point = PORTS.find(({ locode }) => locode === NEW_YORK);

function milesFromPoint({ latitude, longitude }: VesselStay): number {
  if (point === undefined) return Number.NaN;
  const [north, east] = [fixedDegrees(point.latitude), fixedDegrees(point.longitude)];
  return metresBetween(north, east, latitude, longitude) / NAUTICAL_MILE;
}

/** The stays of all vessels, as they stand at `time`, Unix seconds. */
export function staysIn(engine: Engine, time: number): FoundStay[] {
  return [...engine.vessels.values()].flatMap((vessel) =>
    vessel.tracks.flatMap((track) =>
      trackStays(track, time, LIVE_PARTS).map((stay) => ({
        mmsi: vessel.mmsi,
        class: vessel.class,
        kind: stay.kind,
        startAt: stay.start * 1000,
        endAt: stay.end === undefined ? undefined : stay.end * 1000,
        port: stay.port,
        miles: milesFromPoint(stay),
      })),
    ),
  );
}

/** The snapshot of New York at the end of the rows. */
function countsAt(engine: Engine, at: number) {
  const records = [...engine.vessels.values()]
    .flatMap((vessel) => toRecords(vessel, at / 1000, LIVE_PARTS))
    .filter(({ port }) => port === NEW_YORK)
    .map(({ record }) => record);
  const { ledger } = applyReport(openLedger(), {
    kind: 'call-batch',
    port: NEW_YORK,
    observedAt: at,
    coveredFromAt: at - MINUTE_MS,
    records,
  });
  return occupancyAt(ledger.calls.values(), at);
}

export interface RealStudy {
  readonly rows: number;
  readonly vessels: number;
  readonly comparisons: readonly Comparison[];
  /** Stays of vessels that were not judged, because they state no type and carry the flag of no merchant vessel. */
  readonly uncounted: readonly FoundStay[];
  readonly judged: readonly JudgedStay[];
  readonly types: ReadonlyMap<number, number>;
  readonly counts: ReturnType<typeof countsAt>;
}

/** Runs the engine over one recording. The week states no types: the judged merchant vessels are given one. */
export function studyNewYork(folder: string, recording: Recording): RealStudy {
  const judged = judgedStays(folder, recording);
  const given = recording === 'week' ? new Set(judged.map(({ mmsi }) => mmsi)) : new Set<number>();
  const { engine, rows, types } = readRows(folder, recording, given);
  const at = ENDS[recording];
  const found = staysIn(engine, at / 1000);
  const known = new Set(judged.map(({ mmsi }) => mmsi));
  const isListed = (stay: FoundStay): boolean => known.has(stay.mmsi) || isCounted(stay.class);
  return {
    rows,
    vessels: engine.vessels.size,
    comparisons: compareStays(found.filter(isListed), judged),
    uncounted: found.filter((stay) => !isListed(stay)),
    judged,
    types,
    counts: countsAt(engine, at),
  };
}

/** Vessels that are ferries by the types given. */
export const ferriesIn = (types: ReadonlyMap<number, number>): ReadonlySet<number> =>
  new Set([...types].filter(([, type]) => vesselClass(type) === 'ferry').map(([mmsi]) => mmsi));
