/** Turns a day of positions of one region, and the state of the day before, into call records and the next state. */
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';

import type { PortBox } from '../reference/port-boxes.ts';
import { PORTS } from '../reference/ports.ts';
import { type Day, endOfDay, type Interval, parseInstant, startOfDay } from '../reference/time.ts';
import { DAY_FILE, type DayNote, readDayNote } from '../upstream/files/notes.ts';
import { type Refusal, Refusals } from '../upstream/refusals.ts';
import {
  type ArchivedFetch,
  type DayInput,
  type DayStep,
  type DaySteps,
  type FetchedFiles,
  type ParsedFetch,
  RefusedReply,
  sumCounts,
} from '../upstream/source.ts';
import { cutName, DayCut, type DayFormat } from './day-cut.ts';
import { NOAA_LAYOUT } from './decoders/csv-layouts.ts';
import { CsvPositions } from './decoders/csv-positions.ts';
import { type FixSink, UnreadablePositions } from './decoders/decoded.ts';
import { Engine } from './engine.ts';
import { DEFAULT_PARAMETERS } from './parameters.ts';
import { type AnchorageArea, approachesTo, isInside } from './port-areas.ts';
import { DAY_MEMORY, outagesIn, type ReceptionStep, type Receptions, receive } from './reception.ts';
import { recordChanges, type StepParts, stepCounts, stepParts } from './step.ts';
import { callBatches, corrections, mergeBatches, readCalls, writeCalls } from './step-reply.ts';
import { stateBefore, stateText, writePositionState } from './step-state.ts';
import { type PublishedRecord, type PublishedRecords, recordKey } from './vessel-calls.ts';
import { KnownVessels, missingFault, stoppedVessels } from './vessel-plausibility.ts';

/** The receptions after a day: whole vessel-hours, so that equal figures give equal states. */
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

/** Records that an earlier step made. Their digest is unknown, so each is made again or withdrawn. */
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

/** Reads the rows of a region; a fault of the cut is returned, because later days must not wait for it. */
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
  /** Name of the publisher's own file, with its day as the first group: a replay folder may have it instead of a cut. */
  readonly fileName: RegExp;
  /** Grounds in which a stay is a wait; none when absent. */
  readonly anchorageAreas?: readonly AnchorageArea[];
}

const PIECE = 1024 * 1024;

/** How a source of day files reads its fetches. */
export function dayReader(feed: DayFeed) {
  /** Cuts of the publisher's own files, so that each is read once. */
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

  /** The cut of a fetch and its note, made here of the publisher's own file. Throws `RefusedReply` when it cannot be used. */
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
    const changed = made.changed.map(({ port, record }) => ({ port, record: { ...record, recordedAt } }));
    const batches =
      asOfAt === endsAt
        ? callBatches(changed, covered, endsAt)
        : [...callBatches([], covered, endsAt), ...corrections(changed, [...covered.keys()], asOfAt)];
    const regional = notices.map(({ reason, detail }) => ({ reason, detail: `${region}: ${detail}` }));
    const text = stateText({ ...state, published: made.published, receptions }, pins);
    const reply = { asOfAt, batches, refusals: damage, notices: regional, counts: stepCounts(engine) };
    return {
      calls: new Map([[callsName(region, day), writeCalls(reply)]]),
      state: writePositionState(text),
      digest: createHash('sha256').update(text).digest('hex'),
    };
  }

  function parse({ files, fetchedAt }: ArchivedFetch): ParsedFetch {
    const { day, refused, refusals, upTo } = noteIn(files);
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
      refusals: new Refusals(...refusals, ...replies.flatMap((reply) => reply.refusals)),
      lists: [],
      notices: replies.flatMap((reply) => reply.notices),
      counts: sumCounts(replies.map((reply) => reply.counts)),
    };
  }

  const days: DaySteps = { dayOf, step };
  return { feed, days, parse, cutIn };
}
export type DayReader = ReturnType<typeof dayReader>;
