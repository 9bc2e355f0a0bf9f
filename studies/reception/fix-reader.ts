/** Reads archived fetches of positions offline, to report on reception. */

import type { FixSink } from '../../core/positions/fix.ts';
import { DEFAULT_PARAMETERS, type EngineParameters, POLL_PARAMETERS } from '../../core/positions/fix.ts';
import { readPositions } from '../../core/positions/poll-read.ts';
import { coveredFrom, type Receptions, vesselsAPoll } from '../../core/positions/reception.ts';
import {
  type DayReader,
  type PollReader,
  pushRows,
  receiveDay,
  receivedIn,
} from '../../core/positions/steps.ts';
import type { Locode } from '../../core/reference/codes.ts';
import type { PortBox } from '../../core/reference/port-boxes.ts';
import { DAY_MS, endOfDay, type Instant, type Interval } from '../../core/reference/time.ts';
import { type DayNote, readDayNote } from '../../core/upstream/files/notes.ts';
import {
  type ArchivedFetch,
  type FetchedFiles,
  RefusedReply,
  type Source,
} from '../../core/upstream/source.ts';

/** How the ports were received in one fetch. */
interface FetchReception {
  /** The time that the fetch stands for: since the last poll, or its day. */
  readonly span: Interval;
  /** The covered ports, each with the start of the covered time. */
  readonly covered: ReadonlyMap<Locode, Instant>;
  /** What is usual at each port since the first fetch: vessels a poll, or vessel-hours a day. */
  readonly usual: ReadonlyMap<Locode, number>;
}

export interface FixReader {
  readonly parameters: EngineParameters;
  /** Boxes by region. Vessels of one region are followed apart from those of another. */
  readonly regions: Readonly<Record<string, readonly PortBox[]>>;
  /** Unix second that the fixes of a fetch reach up to. Throws `RefusedReply` when none of them can be used. */
  endOf(fetched: ArchivedFetch): number;
  /** Throws `RefusedReply` like `endOf`. */
  push(fetched: ArchivedFetch, region: string, sink: FixSink): void;
  /** What `usual` of a reception counts. */
  readonly usualUnit: 'vessels a poll' | 'vessel-hours a day';
  /** A reader of fetches in their order, by the rule of the steps. It throws `RefusedReply` like `endOf`. */
  receive(): (fetched: ArchivedFetch) => FetchReception;
}

function pollFixes({ feed }: PollReader): FixReader {
  const ports = feed.boxes.flatMap((box) => box.ports);
  return {
    parameters: POLL_PARAMETERS,
    regions: { all: feed.boxes },
    endOf: ({ fetchedAt }) => fetchedAt / 1000,
    push: (fetched, _region, sink) => {
      for (const fix of readPositions(feed, fetched).fixes) sink(fix);
    },
    usualUnit: 'vessels a poll',
    receive() {
      let receptions: Receptions = {};
      let lastAt: Instant | undefined;
      return (fetched) => {
        const { fetchedAt } = fetched;
        const poll = readPositions(feed, fetched);
        if (poll.silence !== undefined) throw new RefusedReply(poll.silence.reason, poll.silence.detail);
        const received = receivedIn(feed, poll, receptions, fetchedAt);
        const span = { fromAt: coveredFrom({ coveredAt: lastAt }, fetchedAt), toAt: fetchedAt };
        receptions = received.receptions;
        lastAt = fetchedAt;
        const usual = new Map(ports.map((port) => [port, vesselsAPoll(receptions[port])]));
        return { span, covered: received.covered, usual };
      };
    },
  };
}

function dayFixes({ feed, cutIn }: DayReader): FixReader {
  const { regions } = feed.format;
  const boxes = Object.values(regions).flat();
  const usableDay = (files: FetchedFiles): { readonly endAt: Instant; readonly note: DayNote } => {
    const note = readDayNote(cutIn(files));
    const { reason, detail } = note?.refused ?? { reason: 'empty', detail: 'no day file' };
    if (note?.day === undefined || note.refused !== undefined) throw new RefusedReply(reason, detail);
    return { endAt: endOfDay(note.day), note };
  };
  return {
    parameters: DEFAULT_PARAMETERS,
    regions,
    endOf: ({ files }) => usableDay(files).endAt / 1000,
    push: ({ files }, region, sink) => {
      const [damage] = pushRows(cutIn(files), region, sink);
      if (damage !== undefined) throw new RefusedReply(damage.reason, damage.detail);
    },
    usualUnit: 'vessel-hours a day',
    receive() {
      let receptions: Receptions = {};
      return ({ files }) => {
        const { endAt, note } = usableDay(files);
        const span = { fromAt: endAt - DAY_MS, toAt: endAt };
        const received = receiveDay(receptions, boxes, note.heard, span);
        receptions = received.receptions;
        const usual = new Map(Object.entries(receptions).map(([port, { usual }]) => [port, usual]));
        return { span, covered: received.covered, usual };
      };
    },
  };
}

/** A source whose fetches can be read this way. */
export type PositionSource = Source & (PollReader | DayReader);

export const isPositionSource = (source: Source): source is PositionSource => 'feed' in source;

export const fixReader = (source: PositionSource): FixReader =>
  'cutIn' in source ? dayFixes(source) : pollFixes(source);
