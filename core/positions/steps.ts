/** Turns a poll or a day of positions, and the state before it, into calls and the next state. */

import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import type { CallRecord, CallsObservation, Notice } from '../calls/observation.ts';
import type { Locode } from '../reference/codes.ts';
import type { Approach, Area, PortBox } from '../reference/port-boxes.ts';
import { PORTS, type Port } from '../reference/ports.ts';
import {
  type Day,
  endOfDay,
  type Instant,
  type Interval,
  parseInstant,
  startOfDay,
} from '../reference/time.ts';
import { DAY_FILE, type DayNote, readDayNote } from '../upstream/files/notes.ts';
import { replyJson } from '../upstream/files/text.ts';
import {
  type ArchivedFetch,
  type Counts,
  type DayInput,
  type DayStep,
  type DaySteps,
  type FetchedFiles,
  type ListCount,
  type ParsedFetch,
  type PositionStep,
  type Refusal,
  Refusals,
  RefusedReply,
  sumCounts,
} from '../upstream/source.ts';
import { cutName, DayCut, type DayFormat } from './day-files.ts';
import { CsvPositions, NOAA_LAYOUT } from './decoders/csv-positions.ts';
import { Engine, readState, UnusableState, type Vessel, writeState } from './engine.ts';
import {
  DEFAULT_PARAMETERS,
  type EngineParameters,
  type FixSink,
  POLL_PARAMETERS,
  UnreadablePositions,
} from './fix.ts';
import { fixedDegrees, metresBetween } from './geometry.ts';
import { KnownVessels, missingFault, pollFault, stoppedVessels } from './plausibility.ts';
import { CLOCK_SECONDS, type Poll, type PollFeed, readPositions } from './poll-read.ts';
import {
  type AnchorageArea,
  approachesTo,
  isInside,
  MAX_PORT_METRES,
  nearestPort,
  type PortPoint,
  stayPoints,
} from './port-areas.ts';
import {
  DAY_MEMORY,
  outagesIn,
  outsideReach,
  type ReceptionStep,
  type Receptions,
  receive,
  receivePoll,
  receptionShape,
  withoutSilentApproaches,
} from './reception.ts';
import {
  type CallOfPort,
  changedRecords,
  type PublishedRecord,
  type PublishedRecords,
  publishedShape,
  type RecordChanges,
  recordKey,
  type StayParts,
  settleVessels,
  toRecords,
} from './vessel-calls.ts';

// The state between two steps: the engine's vessels, the published calls, and how each port is usually received. It pins what its
// calls depend on, port by port, so that a change at one port leaves the calls of the others.

/** Where positions are read, and what decides about them. */
export interface StepAreas {
  readonly parameters: EngineParameters;
  readonly boxes: readonly PortBox[];
  readonly approaches: readonly Approach[];
  /** A stay inside one of them is a wait. */
  readonly anchorageAreas?: readonly AnchorageArea[] | undefined;
}

const pinsShape = z.object({
  /** Digest of the parameters. A state made with others cannot be used. */
  engine: z.string(),
  /** Bounds by name of the port or approach: its usual reception was learned within them. */
  areas: z.record(z.string(), z.string()),
  /** By port, digest of what decides which stays belong to it. If that changes, calls still in the state are corrected. */
  ports: z.record(z.string(), z.string()),
  /** Digest of the anchorage areas. Absent in states of earlier versions. */
  anchorages: z.string().optional(),
});
export type Pins = z.infer<typeof pinsShape>;

const contentDigest = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 12);

const bounds = ({ south, west, north, east }: Area): string => contentDigest([south, west, north, east]);

/** A stay lies within `MAX_PORT_METRES` of its port, and of any port that takes it over. */
const REACH_METRES = 2 * MAX_PORT_METRES;

function portDigest(
  port: Locode,
  approaches: readonly Approach[],
  points: readonly (PortPoint & { readonly row: readonly unknown[] })[],
): string {
  const own = points.filter(({ locode }) => locode === port);
  const near = points.filter((point) =>
    own.some(
      ({ latitude, longitude }) =>
        metresBetween(latitude, longitude, point.latitude, point.longitude) <= REACH_METRES,
    ),
  );
  const roads = approaches
    .filter(({ ports }) => ports.includes(port))
    .map(({ kind, ports, ...area }) => [kind, ports, bounds(area)]);
  return contentDigest([near.map(({ row }) => row).sort(), roads]);
}

/** Returns the pins of areas whose stays are assigned by `points`. The engine's version pins the code. */
export function pinAreas(
  { parameters, boxes, approaches, anchorageAreas = [] }: StepAreas,
  points: readonly PortPoint[],
): Pins {
  const fixed = points.map(({ locode, latitude, longitude }) => ({
    locode,
    latitude: fixedDegrees(latitude),
    longitude: fixedDegrees(longitude),
    row: [locode, latitude, longitude],
  }));
  const counted = boxes.flatMap((box) => box.ports.map((port) => ({ port, box })));
  return {
    engine: contentDigest(parameters),
    areas: Object.fromEntries([
      ...counted.map(({ port, box }) => [port, bounds(box)]),
      ...approaches.map((approach) => [approach.name, bounds(approach)]),
    ]),
    ports: Object.fromEntries(counted.map(({ port }) => [port, portDigest(port, approaches, fixed)])),
    anchorages: contentDigest(anchorageAreas.map(({ corners }) => corners)),
  };
}

/** Returns the ports that were added, removed, or get other stays. */
const changedPorts = (before: Pins['ports'], now: Pins['ports']): Locode[] =>
  [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .filter((port) => before[port] !== now[port])
    .sort();

export interface PositionState {
  readonly vessels: Map<number, Vessel>;
  readonly published: PublishedRecords;
  /** How each port or approach is received, by its name. */
  readonly receptions: Receptions;
}

/** The first line of a state; the engine's vessels follow. */
const headShape = z.object({
  pins: pinsShape,
  receptions: z.record(z.string(), receptionShape),
  published: z.array(publishedShape),
});

function stateText({ vessels, published, receptions }: PositionState, pins: Pins): string {
  const head = { pins, receptions, published: [...published.values()] };
  return `${JSON.stringify(head)}\n${writeState(vessels)}`;
}

/** Gzip at its fastest level, because every step writes a state. */
const writePositionState = (text: string): Uint8Array => gzipSync(text, { level: 1 });

function unpacked<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UnusableState(`the state does not ${what}`, { cause: error });
  }
}

/** Reads a state and its pins. Throws `UnusableState`: damaged, of another engine, or of other parameters. */
function readPositionState(
  bytes: Uint8Array,
  engine: string,
): { readonly state: PositionState; readonly made: Pins } {
  const text = unpacked('decompress', () => gunzipSync(bytes).toString('utf8'));
  const end = text.indexOf('\n');
  const vessels = readState(text.slice(end + 1));
  const { pins, published, ...head } = unpacked('parse', () =>
    headShape.parse(JSON.parse(text.slice(0, end))),
  );
  if (pins.engine !== engine)
    throw new UnusableState(`the state is of parameters ${pins.engine}, these are parameters ${engine}`);
  const byKey = new Map(published.map((record) => [recordKey(record.port, record.callId), record]));
  return { state: { vessels, published: byKey, ...head }, made: pins };
}

/** Drops the usual reception of bounds that are no longer read, and the calls of ports that no longer count. Vessels stay. */
function withPins({ vessels, published, receptions }: PositionState, made: Pins, pins: Pins): PositionState {
  const isSameArea = (name: string): boolean =>
    pins.areas[name] !== undefined && made.areas[name] === pins.areas[name];
  return {
    vessels,
    published: new Map([...published].filter(([, { port }]) => pins.ports[port] !== undefined)),
    receptions: Object.fromEntries(Object.entries(receptions).filter(([name]) => isSameArea(name))),
  };
}

function changeNotices(made: Pins, pins: Pins): Notice[] {
  const notices: Notice[] = [];
  const ports = changedPorts(made.ports, pins.ports);
  if (ports.length > 0)
    notices.push({
      reason: 'ports-changed',
      detail: `${ports.join(', ')}: calls still in the state are corrected, those of other ports stay`,
    });
  if (made.anchorages !== undefined && made.anchorages !== pins.anchorages)
    notices.push({
      reason: 'anchorages-changed',
      detail: 'other anchorage areas decide which stays are waits: calls still in the state are corrected',
    });
  return notices;
}

/** Returns the state before a step, with notices about it. It is empty if there is none, or if it cannot be used: a notice says why. */
export function stateBefore(
  bytes: Uint8Array | undefined,
  pins: Pins,
): { readonly state: PositionState; readonly notices: Notice[] } {
  const fresh = { vessels: new Map(), published: new Map(), receptions: {} };
  if (bytes === undefined) return { state: fresh, notices: [] };
  try {
    const { state, made } = readPositionState(bytes, pins.engine);
    return { state: withPins(state, made, pins), notices: changeNotices(made, pins) };
  } catch (error) {
    if (!(error instanceof UnusableState)) throw error;
    return { state: fresh, notices: [{ reason: 'state-reset', detail: error.message }] };
  }
}

/** Makes what all steps over the areas share. */
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
 * Returns the calls at `time`, in Unix seconds, that differ from `recorded`; then settles and forgets what is over. Calls of
 * ports that are not covered stay as published.
 */
function recordChanges(
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
 * Takes the calls of covered ports from `now`, and others from `before` with their ends as known now, so that a call that is over is
 * not withdrawn when its vessel is forgotten.
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
 * Returns numbers of fixes: `taken` into a track; of `otherVessels`, which never count; dropped as `repeated` or `late`; and refused
 * for their `mmsi`, `position` or `time`. `unknownTypes` is the number of stopped vessels without a type, which do not count.
 */
export function stepCounts({ counts, vessels }: Engine): Counts {
  const { taken, other: otherVessels, repeated, late, mmsi, position, time } = counts;
  const unknownTypes = [...vessels.values()].filter(
    (vessel) => vessel.class === 'unknown' && vessel.tracks.some(({ open }) => open?.confirmed === true),
  ).length;
  return { taken, otherVessels, repeated, late, mmsi, position, time, unknownTypes };
}

// The calls of a step: one form, archived as it is and read again, so that a process that died repeats no step.

/** What a step leaves in the place of its positions. */
export interface StepCalls {
  /** Why no calls were made. */
  readonly refused?: Refusal;
  /** End of the newest known day, for steps over days. */
  readonly asOfAt?: Instant;
  readonly batches: readonly CallsObservation[];
  readonly refusals: readonly Refusal[];
  /** Rows of a poll. */
  readonly lists?: readonly ListCount[];
  readonly notices: readonly Notice[];
  /** Absent if the positions could not be read. */
  readonly counts?: Counts;
}

const writeCalls = (calls: StepCalls): Uint8Array => new TextEncoder().encode(`${JSON.stringify(calls)}\n`);

/** Reads the file `name`, written by a step. Throws `RefusedReply` with the reason for which the step refused the positions. */
function readCalls(files: FetchedFiles, name: string, maxBytes: number): StepCalls {
  const file = files.get(name);
  if (file === undefined)
    throw new RefusedReply('no-step', 'the calls of these positions have not been made');
  const limits = { maxReplyBytes: maxBytes, maxRows: Number.POSITIVE_INFINITY };
  const calls = replyJson(name, file, limits) as StepCalls;
  const { refused } = calls;
  if (refused !== undefined) throw new RefusedReply(refused.reason, refused.detail, calls);
  return calls;
}

/** Returns the changed calls of each covered port; `covered` says since when it is. */
const callBatches = (
  changed: readonly CallOfPort[],
  covered: ReadonlyMap<Locode, Instant>,
  observedAt: Instant,
): CallsObservation[] =>
  [...covered]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([port, coveredFromAt]) => ({
      kind: 'call-batch',
      port,
      observedAt,
      coveredFromAt,
      records: changed.filter((change) => change.port === port).map(({ record }) => record),
    }));

/** Returns the changed calls of an older day, as of the end of the newest one. */
const corrections = (
  changed: readonly CallOfPort[],
  covered: readonly Locode[],
  asOfAt: Instant,
): CallsObservation[] =>
  callBatches(changed, new Map(covered.map((port) => [port, asOfAt] as const)), asOfAt).filter(
    ({ records }) => records.length > 0,
  );

/** Joins the batches of one port and span; the later of two records of one call counts. */
function mergeBatches(batches: readonly CallsObservation[]): CallsObservation[] {
  const merged = new Map<string, { batch: CallsObservation; records: Map<string, CallRecord> }>();
  for (const batch of batches) {
    const key = `${batch.port} ${batch.observedAt} ${batch.coveredFromAt}`;
    const known = merged.get(key) ?? { batch, records: new Map() };
    for (const record of batch.records) known.records.set(record.callId, record);
    merged.set(key, known);
  }
  return [...merged.values()].map(({ batch, records }) => ({ ...batch, records: [...records.values()] }));
}

// Polls: each is a step.

/** The file that a step makes and `parse` reads. */
export const CALLS_FILE = 'calls.json';

/** Returns the ports that a poll covers. A silent poll covers none, and does not change the usual reception. */
export function receivedIn(
  feed: PollFeed,
  { received, silence }: Poll,
  before: Receptions,
  polledAt: Instant,
): ReceptionStep {
  if (silence !== undefined) return { receptions: before, covered: new Map() };
  const { boxes, approaches = [] } = feed;
  // An approach is received under its own name.
  const areas = [...boxes, ...approaches.map(({ name }) => ({ ports: [name] }))];
  const { receptions, covered } = receivePoll(before, areas, received, polledAt);
  return { receptions, covered: withoutSilentApproaches(covered, receptions, approaches) };
}

/** Makes a step over a poll. Pure: the same poll and state give the same bytes. */
function stepPoll(
  feed: PollFeed,
  { pins, stays, isOutside }: StepParts,
  fetched: ArchivedFetch,
  stateBytes: Uint8Array | undefined,
): PositionStep {
  const { state, notices } = stateBefore(stateBytes, pins);
  const made = (calls: StepCalls, next: PositionState): PositionStep => ({
    calls: new Map([[CALLS_FILE, writeCalls(calls)]]),
    state: writePositionState(stateText(next, pins)),
  });
  const { fetchedAt } = fetched;
  let poll: Poll;
  try {
    poll = readPositions(feed, fetched);
  } catch (error) {
    if (!(error instanceof RefusedReply)) throw error;
    const refused = { reason: error.reason, detail: error.message };
    return made({ refused, batches: [], refusals: [], notices }, state);
  }
  const time = fetchedAt / 1000;
  const read = { lists: [poll.list], notices: [...notices, ...poll.notices] };
  const refused = poll.silence ?? pollFault(poll.fixes, state.vessels);
  if (refused !== undefined)
    return made({ refused, batches: [], refusals: [], ...read, counts: poll.counts }, state);
  const { receptions, covered } = receivedIn(feed, poll, state.receptions, fetchedAt);
  const outages = outagesIn(feed.boxes, receptions, fetchedAt);
  const engine = new Engine({
    parameters: POLL_PARAMETERS,
    latest: time + CLOCK_SECONDS,
    polledAt: time,
    vessels: state.vessels,
    outages,
    isOutside,
  });
  for (const fix of poll.fixes) engine.push(fix);
  const { changed, published } = recordChanges(engine, { ...stays, outages }, time, covered, state.published);
  const counts = { ...stepCounts(engine), ...poll.counts };
  const calls = { batches: callBatches(changed, covered, fetchedAt), refusals: [], ...read, counts };
  return made(calls, { ...state, published, receptions });
}

/** How a source of polls reads its fetches. */
export function pollReader(feed: PollFeed, reference: readonly Port[] = PORTS) {
  // Made with the first step: most processes that load a source make none.
  let parts: StepParts | undefined;
  const { boxes, approaches = [], anchorageAreas } = feed;
  return {
    feed,
    step(fetched: ArchivedFetch, state: Uint8Array | undefined): PositionStep {
      parts ??= stepParts({ parameters: POLL_PARAMETERS, boxes, approaches, anchorageAreas }, reference);
      return stepPoll(feed, parts, fetched, state);
    },
    /** Reads the calls that the step has made. Throws `RefusedReply` with the reason for which it refused the poll. */
    parse({ fetchedAt, files }: ArchivedFetch): ParsedFetch {
      const calls = readCalls(files, CALLS_FILE, feed.declaration.maxReplyBytes);
      const { batches: observations, refusals, lists = [], notices, counts } = calls;
      return { asOfAt: fetchedAt, observations, refusals: new Refusals(...refusals), lists, notices, counts };
    },
  };
}
export type PollReader = ReturnType<typeof pollReader>;

// Days: each is a step in every region.

/** Returns the receptions after a day, in whole vessel-hours, so that equal figures give equal states. */
export const receiveDay = (
  before: Receptions,
  boxes: readonly PortBox[],
  heard: DayNote['heard'],
  span: Interval,
): ReceptionStep =>
  receive(
    before,
    boxes.flatMap(({ ports }) => ports.map((port) => [port, heard[port] ?? 0] as const)),
    DAY_MEMORY,
    () => span,
  );

const callsName = (region: string, day: Day): string => `calls-${region}-${day}.json`;
const CALLS_NAME = /^calls-.+\.json$/;
/** Largest size of the calls of one day and region; usually some hundred kilobytes. */
const MAX_CALLS = 256_000_000;

/** Adds the calls of an earlier step over the day. Their digests are unknown, so each is made again or withdrawn. */
function withReplaced(published: PublishedRecords, replaced: FetchedFiles | undefined): PublishedRecords {
  const records = new Map(published);
  for (const name of replaced?.keys() ?? []) {
    if (replaced === undefined || !CALLS_NAME.test(name)) continue;
    for (const { port, records: made } of readCalls(replaced, name, MAX_CALLS).batches)
      for (const { callId, vesselId, traffic } of made) {
        const known: PublishedRecord = { port, callId, vesselId, traffic, ended: 0, digest: '' };
        records.set(recordKey(port, callId), known);
      }
  }
  return records;
}

/** Reads the rows of a region. Returns a fault of the cut instead of throwing it, so that later days do not wait. */
export function pushRows(cut: FetchedFiles, region: string, sink: FixSink): Refusal[] {
  const name = cutName(region);
  try {
    const reader = new CsvPositions(NOAA_LAYOUT, sink);
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

/** A publisher's days of positions. */
export interface DayFeed {
  readonly format: DayFormat;
  /** Name of the publisher's own file, with its day as the first group. A replay folder may have it instead of a cut. */
  readonly fileName: RegExp;
  /** Grounds in which a stay is a wait; none when absent. */
  readonly anchorageAreas?: readonly AnchorageArea[];
}

const PIECE = 1024 * 1024;

/** How a source of day files reads its fetches. */
export function dayReader(feed: DayFeed) {
  /** Cuts of the publisher's own files: each is read once. */
  const cuts = new WeakMap<FetchedFiles, FetchedFiles>();
  /** By region, made with the first step over it. */
  const parts = new Map<string, StepParts>();

  function makeCut(files: FetchedFiles): FetchedFiles {
    const file = [...files.keys()].find((name) => feed.fileName.test(name));
    const day = file === undefined ? undefined : feed.fileName.exec(file)?.[1];
    if (file === undefined || day === undefined)
      throw new RefusedReply('empty', 'neither a day file nor the cut of one');
    const bytes = files.get(file) ?? new Uint8Array();
    const cut = new DayCut({ day, file, version: '' }, feed.format);
    for (let at = 0; at < bytes.length; at += PIECE) cut.push(bytes.subarray(at, at + PIECE));
    return cut.end();
  }

  /** Returns the cut of a fetch and its note; makes them if the fetch has the publisher's own file. Throws `RefusedReply`. */
  function cutIn(files: FetchedFiles): FetchedFiles {
    if (files.has(DAY_FILE)) return files;
    const cut = cuts.get(files) ?? makeCut(files);
    cuts.set(files, cut);
    return cut;
  }

  function noteIn(files: FetchedFiles): DayNote {
    const note = readDayNote(cutIn(files));
    if (note === undefined) throw new RefusedReply('malformed', `no ${DAY_FILE}`);
    return note;
  }

  function dayOf(files: FetchedFiles): Day | undefined {
    try {
      const { day, refused } = noteIn(files);
      return refused === undefined ? day : undefined;
    } catch (error) {
      if (error instanceof RefusedReply) return undefined;
      throw error;
    }
  }

  function regionParts(region: string, boxes: readonly PortBox[]): StepParts {
    const approaches = approachesTo(boxes.flatMap(({ ports }) => ports));
    const { anchorageAreas } = feed;
    const areas = { parameters: DEFAULT_PARAMETERS, boxes, approaches, anchorageAreas };
    const known = parts.get(region) ?? stepParts(areas, PORTS);
    parts.set(region, known);
    return known;
  }

  function step({ region, files, before, asOfAt, recordedAt, replaced }: DayInput): DayStep {
    const cut = cutIn(files);
    const { day = '', heard } = noteIn(files);
    const endsAt = endOfDay(day);
    const boxes = feed.format.regions[region] ?? [];
    const { pins, stays, isOutside } = regionParts(region, boxes);
    const { state, notices } = stateBefore(before, pins);
    const span = { fromAt: startOfDay(day), toAt: endsAt };
    const { receptions, covered } = receiveDay(state.receptions, boxes, heard, span);
    const outages = outagesIn(boxes, receptions, endsAt);
    const latest = endsAt / 1000;
    const engine = new Engine({ latest, vessels: state.vessels, outages, isOutside });
    const received = boxes.filter(({ ports }) => ports.every((port) => covered.has(port)));
    const stopped = stoppedVessels(engine.vessels.values(), startOfDay(day) / 1000, (track) =>
      received.some((box) => isInside(box, track)),
    );
    const known = new KnownVessels();
    const seen = new Set<number>();
    const damage = pushRows(cut, region, (fix) => {
      if (!seen.has(fix.mmsi)) known.take(fix, engine.vessels.get(fix.mmsi));
      seen.add(fix.mmsi);
      engine.push(fix);
    });
    const missing = stopped.filter(({ mmsi }) => !seen.has(mmsi)).length;
    const fault = known.fault() ?? missingFault(missing, stopped.length);
    if (fault !== undefined) throw new RefusedReply(fault.reason, fault.detail);

    const recorded = withReplaced(state.published, replaced);
    const made = recordChanges(engine, { ...stays, outages }, latest, covered, state.published, recorded);
    const changed = made.changed.map((call) => ({ ...call, record: { ...call.record, recordedAt } }));
    const batches =
      asOfAt === endsAt
        ? callBatches(changed, covered, endsAt)
        : [...callBatches([], covered, endsAt), ...corrections(changed, [...covered.keys()], asOfAt)];
    const regional = notices.map(({ reason, detail }) => ({ reason, detail: `${region}: ${detail}` }));
    const text = stateText({ ...state, published: made.published, receptions }, pins);
    const calls = { asOfAt, batches, refusals: damage, notices: regional, counts: stepCounts(engine) };
    return {
      calls: new Map([[callsName(region, day), writeCalls(calls)]]),
      state: writePositionState(text),
      digest: createHash('sha256').update(text).digest('hex'),
    };
  }

  function parse({ files, fetchedAt }: ArchivedFetch): ParsedFetch {
    const { day, refused, refusals, upTo } = noteIn(files);
    if (refused !== undefined) throw new RefusedReply(refused.reason, refused.detail);
    const regions = [...files.keys()]
      .filter((name) => CALLS_NAME.test(name))
      .sort()
      .map((name) => readCalls(files, name, MAX_CALLS));
    const stated = [
      day === undefined ? undefined : endOfDay(day),
      upTo === undefined ? undefined : parseInstant(upTo),
      ...regions.map((calls) => calls.asOfAt),
    ].filter((at) => at !== undefined);
    return {
      asOfAt: stated.length === 0 ? fetchedAt : Math.max(...stated),
      observations: mergeBatches(regions.flatMap(({ batches }) => batches)),
      refusals: new Refusals(...refusals, ...regions.flatMap((calls) => calls.refusals)),
      lists: [],
      notices: regions.flatMap((calls) => calls.notices),
      counts: sumCounts(regions.map((calls) => calls.counts)),
    };
  }

  const days: DaySteps = { dayOf, step };
  return { feed, days, parse, cutIn };
}
export type DayReader = ReturnType<typeof dayReader>;
