/** Parses a PORT-MIS fetch into call batches: one for every port whose authorities have complete replies. */
import { byCallId, type CallBatch, type CallRecord } from '../../calls/observation.ts';
import type { Locode } from '../../reference/locode.ts';
import type { Instant } from '../../reference/time.ts';
import { readRequestNote } from '../../upstream/files/notes.ts';
import { Refusals } from '../../upstream/refusals.ts';
import { type ArchivedFetch, type ParsedFetch, RefusedReply } from '../../upstream/source.ts';
import {
  type CallCheck,
  type Frame,
  frameNear,
  makeFrame,
  readIdentity,
  recordOfEvents,
  recordOfFrame,
} from './call.ts';
import { AUTHORITIES, findPort } from './declaration.ts';
import { type ListKind, ReplyError, type ReplyItem, readFileName, readPage } from './replies.ts';

interface PortItems {
  readonly lists: Readonly<Record<ListKind, ReplyItem[]>>;
}

/** Rows by port, of the authorities whose pages are all readable; `refusals` gets the reasons for the others. */
function readPorts(
  { files }: ArchivedFetch,
  refusals: Refusals,
): { ports: Map<Locode, PortItems>; whole: Set<string> } {
  const broken = new Set<string>();
  const received = new Map<string, Set<ListKind>>();
  const rows: { readonly authority: string; readonly kind: ListKind; readonly item: ReplyItem }[] = [];
  for (const [file, bytes] of files) {
    const list = readFileName(file);
    if (list === undefined) continue;
    const { authority, kind } = list;
    received.set(authority, (received.get(authority) ?? new Set<ListKind>()).add(kind));
    try {
      for (const item of readPage(file, bytes).items) rows.push({ authority, kind, item });
    } catch (error) {
      if (!(error instanceof RefusedReply) && !(error instanceof ReplyError)) throw error;
      broken.add(authority);
      const reason = error instanceof ReplyError ? 'error-reply' : error.reason;
      refusals.push({
        reason,
        detail: error instanceof ReplyError ? `${file}: ${error.message}` : error.message,
      });
    }
  }
  const whole = new Set([...received.keys()].filter((authority) => !broken.has(authority)));
  const ports = new Map<Locode, PortItems>();
  for (const { authority } of [...whole].map((code) => ({ authority: code }))) {
    const port = AUTHORITIES.find(({ code }) => code === authority)?.port;
    if (port !== undefined) ports.set(port, { lists: { events: [], entries: [], exits: [] } });
  }
  for (const { authority, kind, item } of rows) {
    if (!whole.has(authority)) continue;
    const code = item.fields.get('prtAgCd') || authority;
    const port = findPort(code, item.fields.get('prtAgNm') ?? '');
    const items = port === undefined ? undefined : ports.get(port);
    if (items) items.lists[kind].push(item);
    else refusals.push({ reason: 'unknown-port', detail: `authority ${code.slice(0, 3)}` });
  }
  return { ports, whole };
}

/** Frames by call id: the entry list and the exit list state one half each, and the last row of a half counts. */
function makeFrames({ lists }: PortItems, check: CallCheck): Map<string, Frame> {
  const frames = new Map<string, Frame>();
  for (const item of [...lists.entries, ...lists.exits]) {
    const frame = makeFrame(item, check);
    if (frame === undefined) continue;
    const known = frames.get(frame.identity.callId);
    frames.set(frame.identity.callId, {
      ...frame,
      enteredAt: frame.enteredAt ?? known?.enteredAt,
      entryStop: frame.entryStop ?? known?.entryStop,
      leftAt: frame.leftAt ?? known?.leftAt,
    });
  }
  return frames;
}

function toRecords(items: PortItems, check: CallCheck): CallRecord[] {
  const frames = makeFrames(items, check);
  const withoutEvents = new Map(frames);
  const records = new Map<string, CallRecord>();
  for (const item of items.lists.events) {
    const identity = readIdentity(item.fields);
    const frame = (identity && frames.get(identity.callId)) ?? frameNear(item, [...frames.values()]);
    const record = recordOfEvents(item, frame, check);
    if (record === undefined) continue;
    records.set(record.callId, record);
    withoutEvents.delete(record.callId);
  }
  for (const frame of withoutEvents.values()) {
    const record = recordOfFrame(frame, check);
    if (record) records.set(record.callId, record);
  }
  return [...records.values()].sort(byCallId);
}

/**
 * One batch for each port, in order of UN/LOCODE. A port has none if one of its authorities lacks a complete reply: its
 * vessels would seem to have left. Throws `RefusedReply` when no authority is readable.
 */
export function parsePortMis(fetched: ArchivedFetch): ParsedFetch {
  const asOfAt: Instant = fetched.fetchedAt;
  const refusals = new Refusals();
  const note = readRequestNote(fetched.files);
  const { ports, whole } = readPorts(fetched, refusals);
  for (const authority of note?.unanswered ?? []) {
    refusals.push({ reason: 'no-reply', detail: `authority ${authority}` });
    whole.delete(authority);
    ports.delete(AUTHORITIES.find(({ code }) => code === authority)?.port ?? '');
  }
  if (ports.size === 0) {
    const [first] = refusals.first;
    throw new RefusedReply(first?.reason ?? 'empty', first?.detail ?? 'no list of any authority');
  }
  const check: CallCheck = { asOfAt, refusals };
  const reports = [...ports].map(([port, items]): CallBatch => {
    const records = toRecords(items, check);
    const times = records.map(({ ataAt, atdAt }) => ataAt ?? atdAt ?? asOfAt);
    const coveredFromAt = Math.min(note?.fromAt ?? times.reduce((a, b) => Math.min(a, b), asOfAt), asOfAt);
    return { kind: 'call-batch', port, observedAt: asOfAt, coveredFromAt, records };
  });
  return { asOfAt, reports: reports.sort((a, b) => (a.port < b.port ? -1 : 1)), refusals, lists: [] };
}
