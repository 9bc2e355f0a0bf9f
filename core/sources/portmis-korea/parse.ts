/** Parses a PORT-MIS fetch into call batches: one for every port whose authorities have complete replies. */
import { byCallId, type CallBatch, type CallRecord } from '../../calls/observation.ts';
import { groupBy } from '../../reference/grouping.ts';
import type { Locode } from '../../reference/locode.ts';
import { DAY_MS, type Instant } from '../../reference/time.ts';
import { rowFaults, type TimeCheck } from '../../upstream/fields.ts';
import { readRequestNote } from '../../upstream/files/notes.ts';
import { readPart } from '../../upstream/files/text.ts';
import { type XmlElement, xmlRow } from '../../upstream/files/xml.ts';
import { Refusals } from '../../upstream/refusals.ts';
import {
  type ArchivedFetch,
  type ListCount,
  type ParsedFetch,
  RefusedReply,
  refusedFor,
} from '../../upstream/source.ts';
import {
  closedWhenSilent,
  type Frame,
  frameNear,
  makeFrame,
  readIdentity,
  recordOfEvents,
  recordOfFrame,
} from './call.ts';
import { AUTHORITIES, portmisKoreaDeclaration as declaration, findPort } from './declaration.ts';
import {
  LIST_KINDS,
  type ListKind,
  ReplyError,
  type ReplyItem,
  readFileName,
  readPage,
  type UncheckedItem,
} from './replies.ts';

/** The items of one list of a port. */
interface List {
  readonly items: ReplyItem[];
  rows: number;
  refused: number;
}
type Lists = Readonly<Record<ListKind, List>>;

const emptyList = (): List => ({ items: [], rows: 0, refused: 0 });

/** An item of a page of an authority. */
interface ListedItem extends UncheckedItem {
  readonly authority: string;
  readonly kind: ListKind;
}

/** Faults of calls, events and declarations, by element. Throws `RefusedReply` (`missing-field`) when a list lacks a needed field. */
function findFaults(items: readonly ListedItem[]): ReadonlyMap<XmlElement, string> {
  const listed = (list: ListKind) => items.filter(({ kind }) => kind === list);
  const elementsOf = (list: ListKind) => listed(list).map(({ element }) => element);
  const declarations = items.flatMap(({ kind, details }) => (kind === 'events' ? [] : details));
  const final = declarations.filter(({ reqstSeNm }) => reqstSeNm === '최종');
  const checked: Readonly<Record<string, readonly XmlElement[]>> = {
    events: elementsOf('events'),
    entries: elementsOf('entries'),
    exits: elementsOf('exits'),
    'details of events': listed('events').flatMap(({ details }) => details),
    declarations,
    'final entries': final.filter(({ etryndNm }) => etryndNm === '입항'),
    'final exits': final.filter(({ etryndNm }) => etryndNm === '출항'),
  };
  const faults = new Map<XmlElement, string>();
  for (const [list, elements] of Object.entries(checked)) {
    const found = rowFaults(declaration, list, elements);
    for (const [index, element] of elements.entries())
      if (found[index] !== undefined) faults.set(element, `${list}: ${found[index]}`);
  }
  return faults;
}

function pageItems(file: string, bytes: Uint8Array): readonly UncheckedItem[] {
  try {
    return readPage(file, bytes).items;
  } catch (error) {
    throw error instanceof ReplyError ? new RefusedReply('error-reply', `${file}: ${error.message}`) : error;
  }
}

const portOf = (authority: string): Locode | undefined =>
  AUTHORITIES.find(({ code }) => code === authority)?.port;

/** The lists of each port that has an authority whose pages are all readable; `refusals` gets the reasons for the others. */
function readPorts({ files }: ArchivedFetch, refusals: Refusals): Map<Locode, Lists> {
  const pages = [...files].flatMap(([file, bytes]) => {
    const list = readFileName(file);
    return list === undefined ? [] : [{ ...list, items: readPart(refusals, () => pageItems(file, bytes)) }];
  });
  const broken = new Set(pages.flatMap(({ authority, items }) => (items === undefined ? [authority] : [])));
  const whole = pages.filter(({ authority }) => !broken.has(authority));
  const ports = new Map(
    whole
      .flatMap(({ authority }) => portOf(authority) ?? [])
      .map((port): [Locode, Lists] => [
        port,
        { events: emptyList(), entries: emptyList(), exits: emptyList() },
      ]),
  );
  const items = whole.flatMap(({ authority, kind, items = [] }) =>
    items.map((item) => ({ authority, kind, ...item })),
  );
  const faults = findFaults(items);
  const placed = items.map((item) => {
    const fields = xmlRow(item.element);
    const code = fields.get('prtAgCd') || item.authority;
    return { ...item, fields, code, port: findPort(code, fields.get('prtAgNm') ?? '') };
  });
  for (const [authority, own] of groupBy(placed, (item) => item.authority)) {
    const port = portOf(authority);
    const strayed = own.filter((item) => item.port !== port).length;
    if (strayed <= own.length / 2) continue;
    // The reply to another question: the port would be covered without a vessel.
    refusals.push({
      reason: 'wrong-authority',
      detail: `authority ${authority}: ${strayed} of ${own.length} calls are of others`,
    });
    ports.delete(port ?? '');
  }
  for (const { authority, kind, element, details, fields, code, port } of placed) {
    if (!ports.has(portOf(authority) ?? '')) continue;
    const list = ports.get(port ?? '')?.[kind];
    if (list === undefined) {
      refusals.push({ reason: 'unknown-port', detail: `authority ${code.slice(0, 3)}` });
      continue;
    }
    list.rows += 1;
    const found = [element, ...details].flatMap((each) => faults.get(each) ?? []);
    for (const fault of found) refusals.push({ reason: 'malformed', detail: `${port} ${fault}` });
    if (found.length > 0) list.refused += 1;
    // Without one of its events a call would get a wrong wait.
    else list.items.push({ fields, details: details.map(xmlRow) });
  }
  return ports;
}

/** Reads an item; its list counts it as refused when any part of it is. */
function counted<Read>(list: List, { refusals }: TimeCheck, read: () => Read): Read {
  const result = refusals.during(read);
  if (result.refused > 0) list.refused += 1;
  return result.read;
}

const itemsOf = (...lists: readonly List[]): (readonly [List, ReplyItem])[] =>
  lists.flatMap((list) => list.items.map((item) => [list, item] as const));

/** Frames by call id: the entry list and the exit list state one half each, and the last row of a half counts. */
function makeFrames(lists: Lists, check: TimeCheck): Map<string, Frame> {
  const frames = new Map<string, Frame>();
  for (const [list, item] of itemsOf(lists.entries, lists.exits)) {
    const frame = counted(list, check, () => makeFrame(item, check));
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

function toRecords(lists: Lists, check: TimeCheck): CallRecord[] {
  const frames = makeFrames(lists, check);
  const withoutEvents = new Map(frames);
  const records = new Map<string, CallRecord>();
  for (const [list, item] of itemsOf(lists.events)) {
    const identity = readIdentity(item.fields);
    const frame = (identity && frames.get(identity.callId)) ?? frameNear(item, [...frames.values()]);
    const record = counted(list, check, () => recordOfEvents(item, frame, check));
    if (record === undefined) continue;
    records.set(record.callId, record);
    withoutEvents.delete(record.callId);
  }
  for (const frame of withoutEvents.values()) {
    const record = recordOfFrame(frame, check);
    if (record) records.set(record.callId, record);
  }
  return [...records.values()].map((record) => closedWhenSilent(record, check)).sort(byCallId);
}

/**
 * One batch for each port, in order of UN/LOCODE. A port has none if one of its authorities lacks a complete reply: its
 * vessels would seem to have left. Throws `RefusedReply` when no authority is readable.
 */
export function parsePortMis(fetched: ArchivedFetch): ParsedFetch {
  const asOfAt: Instant = fetched.fetchedAt;
  const refusals = new Refusals();
  const note = readRequestNote(fetched.files);
  const ports = readPorts(fetched, refusals);
  for (const authority of note?.unanswered ?? []) {
    refusals.push({ reason: 'no-reply', detail: `authority ${authority}` });
    ports.delete(portOf(authority) ?? '');
  }
  if (ports.size === 0) throw refusedFor(refusals, 'no list of any authority');
  const check: TimeCheck = { asOfAt, refusals };
  const days = note && { days: (note.toAt - note.fromAt) / DAY_MS };
  const counts: ListCount[] = [];
  const reports = [...ports].map(([port, lists]): CallBatch => {
    const records = toRecords(lists, check);
    for (const list of LIST_KINDS) {
      const { rows, refused } = lists[list];
      counts.push({ list, port, rows, refused, ...days });
    }
    const times = records.map(({ ataAt, atdAt }) => ataAt ?? atdAt ?? asOfAt);
    const coveredFromAt = Math.min(note?.fromAt ?? times.reduce((a, b) => Math.min(a, b), asOfAt), asOfAt);
    const window = note && { fromAt: note.fromAt, toAt: note.toAt };
    return {
      kind: 'call-batch',
      port,
      observedAt: asOfAt,
      coveredFromAt,
      ...(window && { window }),
      records,
    };
  });
  return { asOfAt, reports: reports.sort((a, b) => (a.port < b.port ? -1 : 1)), refusals, lists: counts };
}
