/** Turns a day of positions of one region, and the state of the day before, into call records and the next state. */
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { Locode } from '../reference/locode.ts';
import { PORTS } from '../reference/ports.ts';
import { DAY_MS, type Day, endOfDay, type Interval, parseInstant, startOfDay } from '../reference/time.ts';
import { DAY_FILE, type DayNote, readDayNote } from '../upstream/files/notes.ts';
import {
  type ArchivedFetch,
  type DayInput,
  type DayStep,
  type DaySteps,
  type FetchedFiles,
  type FetchReception,
  type FixReader,
  type ParsedFetch,
  type Refusal,
  RefusedReply,
} from '../upstream/source.ts';
import { stepCounts, sumOfCounts } from './counts.ts';
import { cutName, DayCut, type DayFormat } from './day-cut.ts';
import { NOAA_LAYOUT } from './decoders/csv-layouts.ts';
import { csvPositions } from './decoders/csv-positions.ts';
import { type FixSink, UnreadablePositions } from './decoders/decoded.ts';
import { createEngine } from './engine.ts';
import {
  outagesIn,
  outsideReach,
  type PortReception,
  type ReceptionLimits,
  receptionAfter,
} from './outages.ts';
import { DEFAULT_PARAMETERS } from './parameters.ts';
import type { Places } from './places.ts';
import { approachesTo, nearestPort, type PortBox, stayPoints } from './port-areas.ts';
import { DAY_MEMORY, receiveAt, type UsualReception } from './reception.ts';
import type { StayParts } from './stays.ts';
import {
  callBatches,
  corrections,
  mergeBatches,
  publishedAfter,
  readCalls,
  writeCalls,
} from './step-reply.ts';
import { type Pins, pinAreas, stateBefore, stateText, writePositionState } from './step-state.ts';
import {
  changedRecords,
  type PublishedRecord,
  type PublishedRecords,
  settle,
  toRecords,
} from './vessel-calls.ts';

/** Vessel-hours that are usual at each port; in whole hours, so that equal figures are equal states. */
type Receptions = Readonly<Record<Locode, UsualReception & PortReception>>;

function receiveDay(
  before: Receptions,
  boxes: readonly PortBox[],
  heard: DayNote['heard'],
  span: Interval,
): { readonly receptions: Receptions; readonly covered: readonly Locode[] } {
  const receptions: Record<Locode, UsualReception & PortReception> = { ...before };
  const covered: Locode[] = [];
  for (const port of boxes.flatMap(({ ports }) => ports)) {
    const { reception, isCovered } = receiveAt(before[port], heard[port] ?? 0, DAY_MEMORY);
    if (isCovered) covered.push(port);
    receptions[port] = { ...reception, ...receptionAfter(before[port], isCovered ? span : undefined) };
  }
  return { receptions, covered };
}

const callsName = (region: string, day: Day): string => `calls-${region}-${day}.json`;
const CALLS_NAME = /^calls-.+\.json$/;
/** The calls of one day of one region are some hundred kilobytes. */
const MAX_CALLS = 256_000_000;

/** Records that an earlier step made: with an unknown digest each is made again, or withdrawn. */
function withReplaced(published: PublishedRecords, replaced: FetchedFiles | undefined): PublishedRecords {
  const records = new Map(published);
  for (const name of replaced?.keys() ?? []) {
    if (replaced === undefined || !CALLS_NAME.test(name)) continue;
    for (const { port, records: made } of readCalls(replaced, name, MAX_CALLS).batches)
      for (const { callId, vesselId, traffic } of made) {
        const known: PublishedRecord = { port, callId, vesselId, traffic, ended: 0, digest: '' };
        records.set(`${port} ${callId}`, known);
      }
  }
  return records;
}

/** Reads the rows of a region; what is wrong with the cut is returned, because later days must not wait for it. */
function pushRows(cut: FetchedFiles, region: string, sink: FixSink): Refusal[] {
  const name = cutName(region);
  try {
    const reader = csvPositions(NOAA_LAYOUT, sink);
    reader.push(gunzipSync(cut.get(name) ?? new Uint8Array()));
    reader.end();
    return [];
  } catch (error) {
    if (!(error instanceof UnreadablePositions) && !isZlibError(error)) throw error;
    return [{ reason: 'damaged-cut', detail: `${name} cannot be read: ${(error as Error).message}` }];
  }
}

const isZlibError = (error: unknown): boolean =>
  String((error as NodeJS.ErrnoException).code).startsWith('Z_');

export interface DaySource {
  readonly format: DayFormat;
  /** Name of the publisher's own file, with its day as the first group: a replay folder may have it instead of a cut. */
  readonly fileName: RegExp;
  readonly places: Places;
}

/** What a source of days reads of its fetches. */
export interface DayReader {
  readonly days: DaySteps;
  readonly fixes: FixReader;
  parse(fetched: ArchivedFetch): ParsedFetch;
}

/** What is the same for every day of a region. */
interface RegionParts {
  readonly parts: StayParts;
  readonly pins: Pins;
  readonly isOutside: ReceptionLimits['isOutside'];
}

/** Bytes of a file that are read at a time. */
const PIECE = 1024 * 1024;

class Reader {
  /** Cuts of the publisher's own files, so that each is read once. */
  private readonly cuts = new WeakMap<FetchedFiles, FetchedFiles>();
  private readonly partsOf = new Map<string, RegionParts>();
  readonly days: DaySteps = {
    dayOf: (files) => this.dayOf(files),
    step: (input) => this.step(input),
  };
  readonly fixes: FixReader;

  constructor(private readonly source: DaySource) {
    this.fixes = {
      parameters: DEFAULT_PARAMETERS,
      regions: source.format.regions,
      endOf: ({ files }) => this.endOf(files),
      push: ({ files }, region, sink) => {
        const [damage] = pushRows(this.cutOf(files), region, sink);
        if (damage !== undefined) throw new RefusedReply(damage.reason, damage.detail);
      },
      usualUnit: 'vessel-hours a day',
      receive: () => this.receive(),
    };
  }

  /** The cut and its note, made here where a fetch has the publisher's own file. */
  private cutOf(files: FetchedFiles): FetchedFiles {
    if (files.has(DAY_FILE)) return files;
    const known = this.cuts.get(files);
    if (known !== undefined) return known;
    const cut = this.cut(files);
    this.cuts.set(files, cut);
    return cut;
  }

  private cut(files: FetchedFiles): FetchedFiles {
    const file = [...files.keys()].find((name) => this.source.fileName.test(name));
    const day = file === undefined ? undefined : this.source.fileName.exec(file)?.[1];
    if (file === undefined || day === undefined)
      throw new RefusedReply('empty', 'neither a day file nor the cut of one');
    const bytes = files.get(file) ?? new Uint8Array();
    const cut = new DayCut({ day, file, version: '' }, this.source.format);
    for (let at = 0; at < bytes.length; at += PIECE) cut.push(bytes.subarray(at, at + PIECE));
    return cut.end();
  }

  private noteOf(files: FetchedFiles): DayNote {
    const note = readDayNote(this.cutOf(files));
    if (note === undefined) throw new RefusedReply('malformed', `no ${DAY_FILE}`);
    return note;
  }

  private dayOf(files: FetchedFiles): Day | undefined {
    try {
      const { day, refused } = this.noteOf(files);
      return refused === undefined ? day : undefined;
    } catch (error) {
      if (error instanceof RefusedReply) return undefined;
      throw error;
    }
  }

  private receive(): (fetched: ArchivedFetch) => FetchReception {
    const boxes = Object.values(this.source.format.regions).flat();
    let receptions: Receptions = {};
    return ({ files }) => {
      const toAt = this.endOf(files) * 1000;
      const span = { fromAt: toAt - DAY_MS, toAt };
      const received = receiveDay(receptions, boxes, this.noteOf(files).heard, span);
      receptions = received.receptions;
      return {
        span,
        covered: new Map(received.covered.map((port) => [port, span.fromAt])),
        usual: new Map(Object.entries(receptions).map(([port, { usual }]) => [port, usual])),
      };
    };
  }

  private endOf(files: FetchedFiles): number {
    const { day, refused } = this.noteOf(files);
    if (refused !== undefined) throw new RefusedReply(refused.reason, refused.detail);
    if (day === undefined) throw new RefusedReply('empty', 'no day file');
    return endOfDay(day) / 1000;
  }

  private stayParts(region: string, boxes: readonly PortBox[]): RegionParts {
    const known = this.partsOf.get(region);
    if (known !== undefined) return known;
    const { places } = this.source;
    const points = stayPoints(PORTS, boxes);
    const approaches = approachesTo(boxes.flatMap(({ ports }) => ports));
    const ports = nearestPort(points);
    const made = {
      parts: { parameters: DEFAULT_PARAMETERS, places, ports, approaches },
      pins: pinAreas(DEFAULT_PARAMETERS, { boxes, approaches, points }, places),
      isOutside: outsideReach(boxes, ports),
    };
    this.partsOf.set(region, made);
    return made;
  }

  private step({ region, files, before, asOfAt, recordedAt, replaced }: DayInput): DayStep {
    const cut = this.cutOf(files);
    const { day = '', heard } = this.noteOf(files);
    const endsAt = endOfDay(day);
    const boxes = this.source.format.regions[region] ?? [];
    const { pins, isOutside, ...regional } = this.stayParts(region, boxes);
    const { state, notices } = stateBefore<Receptions[Locode]>(before, pins);
    const span = { fromAt: startOfDay(day), toAt: endsAt };
    const { receptions, covered } = receiveDay(state.receptions, boxes, heard, span);
    const outages = outagesIn(boxes, receptions, endsAt);
    const [latest, parts] = [endsAt / 1000, { ...regional.parts, outages }];
    const engine = createEngine({ latest, vessels: state.vessels, outages, isOutside });
    const damage = pushRows(cut, region, (fix) => engine.push(fix));

    const records = [...engine.vessels.values()].flatMap((vessel) => toRecords(vessel, latest, parts));
    const recorded = withReplaced(state.published, replaced);
    const made = changedRecords(recorded, records, latest, parts.parameters);
    settle(engine.vessels.values(), latest, parts, (port) => covered.includes(port));
    engine.forget(latest);
    const changed = made.changed.map(({ port, record }) => ({ port, record: { ...record, recordedAt } }));
    const isNewest = asOfAt === endsAt;
    const ofDay = new Map(covered.map((port) => [port, startOfDay(day)] as const));
    const batches = isNewest
      ? callBatches(changed, ofDay, endsAt)
      : [...callBatches([], ofDay, endsAt), ...corrections(changed, covered, asOfAt)];
    const ofRegion = notices.map(({ reason, detail }) => ({ reason, detail: `${region}: ${detail}` }));
    const published = publishedAfter(state.published, made.published, ofDay);
    const text = stateText({ ...state, published, receptions }, pins);
    const reply = { asOfAt, batches, refusals: damage, notices: ofRegion, counts: stepCounts(engine) };
    return {
      calls: new Map([[callsName(region, day), writeCalls(reply)]]),
      state: writePositionState(text),
      digest: createHash('sha256').update(text).digest('hex'),
    };
  }

  /** Reads the calls of a fetch beside its note. */
  parse({ files, fetchedAt }: ArchivedFetch): ParsedFetch {
    const { day, refused, refusals, upTo } = this.noteOf(files);
    if (refused !== undefined) throw new RefusedReply(refused.reason, refused.detail);
    const replies = [...files.keys()]
      .filter((name) => CALLS_NAME.test(name))
      .sort()
      .map((name) => readCalls(files, name, MAX_CALLS));
    const stated = [
      day === undefined ? undefined : endOfDay(day),
      upTo === undefined ? undefined : parseInstant(upTo),
      ...replies.map((reply) => reply.asOfAt),
    ].filter((at) => at !== undefined);
    return {
      asOfAt: stated.length === 0 ? fetchedAt : Math.max(...stated),
      reports: mergeBatches(replies.flatMap(({ batches }) => batches)),
      refusals: [...refusals, ...replies.flatMap((reply) => reply.refusals)],
      notices: replies.flatMap((reply) => reply.notices ?? []),
      counts: sumOfCounts(replies.map((reply) => reply.counts)),
    };
  }
}

export const dayReader = (source: DaySource): DayReader => {
  const reader = new Reader(source);
  return { days: reader.days, fixes: reader.fixes, parse: (fetched) => reader.parse(fetched) };
};
