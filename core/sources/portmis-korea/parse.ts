/** Parses a PORT-MIS fetch into call batches: one for every port whose authorities have complete replies. */
import {
  byCallId,
  type CallRecord,
  type CallsObservation,
  type RecordedStop,
  type Traffic,
  type Zone,
} from '../../calls/observation.ts';
import type { Locode } from '../../reference/codes.ts';
import { groupBy } from '../../reference/statistics.ts';
import { DAY_MS, earliestStated, type Instant, MINUTE_MS } from '../../reference/time.ts';
import { ISO_TIME, pastTime, rowFaults, type TimeCheck, WHOLE_NUMBER } from '../../upstream/fields.ts';
import { readRequestNote } from '../../upstream/files/notes.ts';
import { readPart, type XmlElement, type XmlRow, xmlRow } from '../../upstream/files/text.ts';
import {
  type ArchivedFetch,
  type ListCount,
  type ParsedFetch,
  Refusals,
  RefusedReply,
  refusedFor,
} from '../../upstream/source.ts';
import {
  AUTHORITIES,
  CONTROL_NAME,
  DIRECTION,
  portmisKoreaDeclaration as declaration,
  findPort,
  STAGE,
} from './declaration.ts';
import {
  LIST_KINDS,
  type ListKind,
  ReplyError,
  type ReplyItem,
  readFileName,
  readPage,
  type UncheckedItem,
} from './replies.ts';

// The control events of a call, and the stops that they make.

const get = (row: XmlRow, tag: string): string => row.get(tag) ?? '';

/** Anchorages for bunkering: a vessel there waits for a barge, not for a berth. */
const BUNKERING = /벙커링|급유/;
const BUNKERING_CODE = /^WAB/;
const ANCHORAGE = /정박지|박지|묘지|투묘/;
const ANCHORAGE_CODE = /^WA/;
/** Quays and buoys; MK and MS are further groups at Busan. */
const BERTH_CODE = /^M[BUKS]/;

/** The use of a facility, by its code's prefix, or by its name where the code is missing. */
function readZone(code: string, name: string): Zone {
  if (BUNKERING_CODE.test(code) || BUNKERING.test(name)) return 'moving';
  if (ANCHORAGE_CODE.test(code) || (!BERTH_CODE.test(code) && ANCHORAGE.test(name))) return 'anchorage';
  return code !== '' || name !== '' ? 'berth' : 'moving';
}

/** The facility that a row names; its place is the code, `WAN-03`, or the name where there is no code. */
function facility(row: XmlRow, tags: 'fclty' | 'laidupFclty'): Pick<RecordedStop, 'zone' | 'place'> {
  const [code, name] = [get(row, `${tags}Cd`), get(row, `${tags}Nm`)];
  const codes = [code, get(row, `${tags}SubCd`)].filter((part) => part !== '');
  return { zone: readZone(code, name), place: codes.join('-') || name };
}

type Control = 'enter' | 'anchor' | 'weigh' | 'berth' | 'unberth' | 'leave' | 'shift';

const CONTROLS: Readonly<Record<NonNullable<ReturnType<typeof CONTROL_NAME.read>>, Control>> = {
  입항: 'enter',
  투묘: 'anchor',
  양묘: 'weigh',
  접안: 'berth',
  이안: 'unberth',
  이선: 'unberth',
  출항: 'leave',
  이동: 'shift',
  시프트: 'shift',
};
const CODES: Readonly<Record<string, Control>> = {
  '3': 'enter',
  '4': 'berth',
  '5': 'unberth',
  '6': 'unberth',
  '7': 'anchor',
  '8': 'weigh',
  '9': 'leave',
};

interface ControlEvent {
  readonly control: Control;
  readonly at: Instant;
  readonly sequence: number;
  readonly stop: Pick<RecordedStop, 'zone' | 'place'>;
}

/** An event; undefined, with a refusal, when its name, its time or its place in the log cannot be read. */
function controlEvent(row: XmlRow, callId: string, check: TimeCheck): ControlEvent | undefined {
  const { refusals } = check;
  const name = get(row, 'cntrlNm').replaceAll(/\s/g, '');
  const known = CONTROL_NAME.read(name);
  if (known === undefined) {
    refusals.push({ reason: 'unknown-event', detail: `${callId}: ${name.slice(0, 20) || 'no name'}` });
    return undefined;
  }
  const control = CONTROLS[known];
  const code = get(row, 'cntrlSe');
  // The name counts, because the codes are documented for Ulsan's copy of the log only.
  if ((CODES[code] ?? control) !== control)
    refusals.push({ reason: 'code-mismatch', detail: `${callId}: ${name} has ${code}` });
  const at = pastTime(get(row, 'cntrlOpertDt'), `${callId} ${name}`, check);
  if (at === undefined) return undefined;
  const order = get(row, 'commCo');
  const sequence = order === '' ? 0 : WHOLE_NUMBER.read(order);
  if (sequence === undefined) {
    const detail = `${callId} ${name}: commCo ${order.slice(0, 20)}`;
    refusals.push({ reason: 'malformed', detail });
    return undefined;
  }
  return { control, at, sequence, stop: facility(row, 'fclty') };
}

/** A row that a log repeats states nothing more. */
const isRepeated = (event: ControlEvent, index: number, events: readonly ControlEvent[]): boolean =>
  events
    .slice(0, index)
    .some(
      ({ control, at, sequence, stop }) =>
        control === event.control &&
        at === event.at &&
        sequence === event.sequence &&
        stop.place === event.stop.place,
    );

/** The events in order of time. False when the log's own sequence and its times disagree: every duration is then doubtful. */
function readEvents(
  callId: string,
  details: readonly XmlRow[],
  check: TimeCheck,
): { readonly events: readonly ControlEvent[]; readonly isConsistent: boolean } {
  const logged = details
    .flatMap((row) => controlEvent(row, callId, check) ?? [])
    .filter((event, index, events) => !isRepeated(event, index, events))
    .sort((a, b) => a.sequence - b.sequence || a.at - b.at);
  const isConsistent = logged.every(({ at }, index) => at >= (logged[index - 1]?.at ?? at));
  if (!isConsistent) check.refusals.push({ reason: 'negative-step', detail: callId });
  return { events: logged.toSorted((a, b) => a.at - b.at || a.sequence - b.sequence), isConsistent };
}

const begins = ({ control, stop }: ControlEvent): boolean =>
  control === 'anchor' ||
  control === 'berth' ||
  control === 'shift' ||
  // A vessel that enters for a berth is under way until it berths.
  (control === 'enter' && stop.zone === 'anchorage');

function stopZone({ control, stop }: ControlEvent): RecordedStop['zone'] {
  if (control === 'berth') return 'berth';
  const isBunkering = stop.zone === 'moving' && stop.place !== '';
  return control === 'anchor' && !isBunkering ? 'anchorage' : stop.zone;
}

/** Stops of the events: an anchoring or an entry at an anchorage begins a wait, a berthing a berth stay. */
function toStops(events: readonly ControlEvent[]): RecordedStop[] {
  const stops: RecordedStop[] = [];
  let open: RecordedStop | undefined;
  for (const event of events) {
    // The entry at an anchorage and the anchor dropped there are one stay.
    if (event.control === 'anchor' && open?.zone === 'anchorage') continue;
    if (open !== undefined) stops.push({ ...open, atdAt: event.at });
    open = begins(event) ? { zone: stopZone(event), place: event.stop.place, ataAt: event.at } : undefined;
  }
  return open === undefined ? stops : [...stops, open];
}

// One Korean port call from its control events and its declarations.

/** A call without a departure is closed at its last event after this time without another event. */
const SILENT_MS = 7 * DAY_MS;
/** Declaration and event log of one call may state its entry this far apart. */
const SAME_ENTRY_MS = 60 * MINUTE_MS;

/** In no figure: 11 to 14 passenger vessels, 6x tugs, 7x barges, 8x and 9x official, fishing and bunker vessels. */
const CRAFT_KIND = /^(?:1[1-4]|[6-9]\d?)$/;
/** 21 to 29 bulk and car carriers, 31 to 39 general cargo, 41 and 42 container, 51 to 59 tankers. */
const CARGO_KIND = /^[2-5]\d$/;

function readTraffic(kind: string): Traffic {
  if (CRAFT_KIND.test(kind)) return 'ferry';
  return CARGO_KIND.test(kind) ? 'cargo' : 'unknown';
}

const CALL_SIGN = /^[A-Z0-9]{3,9}$/;

/** The call that a row belongs to: that of the declaration which an event row names, else its own. Undefined without one. */
function readIdentity(row: XmlRow) {
  const callSign = get(row, 'clsgn').toUpperCase();
  const authority = get(row, 'vsslSatmntAgCd') || get(row, 'prtAgCd');
  const year = get(row, 'satmntEtryptYear') || get(row, 'etryptYear');
  const sequence = get(row, 'satmntEtryptCo') || get(row, 'etryptCo');
  const isWhole =
    CALL_SIGN.test(callSign) &&
    /^\d{3}$/.test(authority) &&
    /^\d{4}$/.test(year) &&
    /^\d{1,4}$/.test(sequence);
  if (!isWhole) return undefined;
  return { callSign, callId: `${authority}-${year}-${sequence.padStart(3, '0')}-${callSign}` };
}
type CallIdentity = NonNullable<ReturnType<typeof readIdentity>>;

/** Returns the traffic of the call: `unknown`, with a refusal, when the kind is not one of the codes. */
function trafficOf(fields: XmlRow, { callId }: CallIdentity, { refusals }: TimeCheck): Traffic {
  const kind = get(fields, 'vsslKndCd');
  if (kind !== '' && !/^\d{1,2}$/.test(kind))
    refusals.push({ reason: 'malformed', detail: `${callId} vsslKndCd ${kind.slice(0, 20)}` });
  return readTraffic(kind);
}

/** Entry and exit of a call as finally declared. Declarations that are not final are plans. */
interface Frame {
  readonly identity: CallIdentity;
  readonly traffic: Traffic;
  readonly enteredAt?: Instant | undefined;
  readonly entryStop?: RecordedStop | undefined;
  readonly leftAt?: Instant | undefined;
}

/** The frame of a row of the entry and exit lists; undefined, with a refusal, when it names no call. */
function makeFrame({ fields, details }: ReplyItem, check: TimeCheck): Frame | undefined {
  const identity = readIdentity(fields);
  if (identity === undefined) {
    check.refusals.push({ reason: 'no-call', detail: `declaration of ${get(fields, 'clsgn').slice(0, 20)}` });
    return undefined;
  }
  const stated = details.map((row) => ({
    row,
    stage: STAGE.read(get(row, 'reqstSeNm')),
    direction: DIRECTION.read(get(row, 'etryndNm')),
  }));
  for (const { row, stage, direction } of stated) {
    if (stage !== undefined && direction !== undefined) continue;
    const words = `${get(row, 'reqstSeNm')} ${get(row, 'etryndNm')}`.slice(0, 40);
    check.refusals.push({ reason: 'malformed', detail: `${identity.callId}: declaration ${words}` });
  }
  const final = stated.filter(({ stage }) => stage === '최종');
  const entry = final.find(({ direction }) => direction === '입항')?.row;
  const exit = final.find(({ direction }) => direction === '출항')?.row;
  const enteredAt = entry && pastTime(get(entry, 'etryptDt'), `${identity.callId} etryptDt`, check);
  return {
    identity,
    traffic: trafficOf(fields, identity, check),
    enteredAt,
    entryStop:
      entry && enteredAt !== undefined ? { ...facility(entry, 'laidupFclty'), ataAt: enteredAt } : undefined,
    leftAt: exit && pastTime(get(exit, 'tkoffDt'), `${identity.callId} tkoffDt`, check),
  };
}

/** Undefined when neither arrival nor departure is stated, and, with a refusal, when the row names no call. */
function recordOfEvents(item: ReplyItem, frame: Frame | undefined, check: TimeCheck): CallRecord | undefined {
  const identity = frame?.identity ?? readIdentity(item.fields);
  if (identity === undefined) {
    check.refusals.push({ reason: 'no-call', detail: `events of ${get(item.fields, 'clsgn').slice(0, 20)}` });
    return undefined;
  }
  const { events, isConsistent } = readEvents(identity.callId, item.details, check);
  const time = (tag: string): Instant | undefined =>
    pastTime(get(item.fields, tag), `${identity.callId} ${tag}`, check);
  const enteredAt = time('aprtfEtryptDt') ?? frame?.enteredAt;
  const firstAt = events.find(({ control }) => control !== 'leave')?.at;
  const ataAt = earliestStated([enteredAt, firstAt]);
  const loggedLeave = events.findLast(({ control }) => control === 'leave')?.at;
  const leftAt = loggedLeave ?? time('tkoffDt') ?? frame?.leftAt;
  if (ataAt === undefined && leftAt === undefined) return undefined;
  return {
    callId: identity.callId,
    vesselId: `call-sign:${identity.callSign}`,
    traffic: frame?.traffic ?? trafficOf(item.fields, identity, check),
    recordedAt: check.asOfAt,
    stops: toStops(events.filter(({ at }) => leftAt === undefined || at <= leftAt)),
    ataAt,
    atdAt: leftAt,
    waitKnown: isConsistent ? undefined : false,
    keepsEarlier: 'log',
  };
}

/** The record of a call that only its declarations state: its arrival, perhaps its departure, and no wait. */
function recordOfFrame(frame: Frame, check: TimeCheck): CallRecord | undefined {
  const { identity, traffic, enteredAt, entryStop, leftAt } = frame;
  if (enteredAt === undefined && leftAt === undefined) return undefined;
  return {
    callId: identity.callId,
    vesselId: `call-sign:${identity.callSign}`,
    traffic,
    recordedAt: check.asOfAt,
    stops: entryStop === undefined || (leftAt !== undefined && leftAt < (enteredAt ?? 0)) ? [] : [entryStop],
    ataAt: enteredAt,
    waitKnown: enteredAt === undefined ? undefined : false,
    atdAt: leftAt,
    keepsEarlier: 'log',
  };
}

/** PORT-MIS loses departures: a call without further events ends at its last event. */
function closedWhenSilent(record: CallRecord, { asOfAt, refusals }: TimeCheck): CallRecord {
  if (record.atdAt !== undefined) return record;
  const times = [record.ataAt, ...record.stops.flatMap(({ ataAt, atdAt }) => [ataAt, atdAt])];
  const lastAt = Math.max(...times.filter((at) => at !== undefined));
  if (lastAt > asOfAt - SILENT_MS) return record;
  refusals.push({ reason: 'no-departure', detail: record.callId });
  return { ...record, atdAt: lastAt };
}

/** The frame of an event row whose own identity no declaration has: same call sign, and an entry within the hour. */
function frameNear(item: ReplyItem, frames: readonly Frame[]): Frame | undefined {
  const callSign = get(item.fields, 'clsgn').toUpperCase();
  const enteredAt = ISO_TIME.read(get(item.fields, 'aprtfEtryptDt'));
  if (enteredAt === undefined) return undefined;
  return frames.find(
    (frame) =>
      frame.identity.callSign === callSign &&
      frame.enteredAt !== undefined &&
      Math.abs(frame.enteredAt - enteredAt) <= SAME_ENTRY_MS,
  );
}

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
  const observations = [...ports].map(([port, lists]): CallsObservation => {
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
  return {
    asOfAt,
    observations: observations.sort((a, b) => (a.port < b.port ? -1 : 1)),
    refusals,
    lists: counts,
  };
}
