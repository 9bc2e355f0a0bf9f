/** One Korean port call from its control events and its declarations. */
import type { CallRecord, RecordedStop, Traffic } from '../../calls/observation.ts';
import { DAY_MS, type Instant, MINUTE_MS } from '../../reference/time.ts';
import { ISO_TIME, pastTime, WHOLE_NUMBER } from '../../upstream/fields.ts';
import type { XmlRow } from '../../upstream/files/xml.ts';
import type { Refusals } from '../../upstream/refusals.ts';
import { CONTROL_NAME, DIRECTION, STAGE } from './declaration.ts';
import { place, readZone } from './facilities.ts';
import type { ReplyItem } from './replies.ts';

/** A call without a departure is closed at its last event after this time without another event. */
const SILENT_MS = 7 * DAY_MS;
/** Declaration and event log of one call may state its entry this far apart. */
const SAME_ENTRY_MS = 60 * MINUTE_MS;

type Control = 'enter' | 'anchor' | 'weigh' | 'berth' | 'unberth' | 'leave' | 'shift';

/** Names are used, because the codes are documented for Ulsan's copy of the log only. */
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

const get = (row: XmlRow, tag: string): string => row.get(tag) ?? '';

/**
 * Kinds (VSSL_KND_CD) that count in no figure: 11 to 14 passenger vessels, 6x tugs, 7x barges, 8x and 9x official,
 * fishing and bunker vessels.
 */
const CRAFT_KIND = /^(?:1[1-4]|[6-9]\d?)$/;
/** 21 to 29 bulk and car carriers, 31 to 39 general cargo, 41 and 42 container, 51 to 59 tankers. */
const CARGO_KIND = /^[2-5]\d$/;

function readTraffic(kind: string): Traffic {
  if (CRAFT_KIND.test(kind)) return 'ferry';
  return CARGO_KIND.test(kind) ? 'cargo' : 'unknown';
}

/** Context for reading one call, and the list for its refusals. */
export interface CallCheck {
  readonly asOfAt: Instant;
  readonly refusals: Refusals;
}

/** The identity of a call in declaration lists and event log: authority, call sign, year and sequence number. */
export interface CallIdentity {
  readonly authority: string;
  readonly callSign: string;
  readonly callId: string;
}

const CALL_SIGN = /^[A-Z0-9]{3,9}$/;

/** The identity of a row: that of the declaration if an event row names one, else its own; undefined when it has none. */
export function readIdentity(row: XmlRow): CallIdentity | undefined {
  const callSign = get(row, 'clsgn').toUpperCase();
  const authority = get(row, 'vsslSatmntAgCd') || get(row, 'prtAgCd');
  const year = get(row, 'satmntEtryptYear') || get(row, 'etryptYear');
  const sequence = get(row, 'satmntEtryptCo') || get(row, 'etryptCo');
  if (
    !CALL_SIGN.test(callSign) ||
    !/^\d{3}$/.test(authority) ||
    !/^\d{4}$/.test(year) ||
    !/^\d{1,4}$/.test(sequence)
  )
    return undefined;
  return { authority, callSign, callId: `${authority}-${year}-${sequence.padStart(3, '0')}-${callSign}` };
}

/** A time in the past; undefined when there is none, and, with a refusal, when it is impossible. */
const passedTime = (text: string, label: string, { asOfAt, refusals }: CallCheck): Instant | undefined =>
  pastTime(ISO_TIME, text, label, asOfAt, refusals);

/** Traffic of the call; `unknown`, with a refusal, when the kind is no code. */
function trafficOf(fields: XmlRow, { callId }: CallIdentity, { refusals }: CallCheck): Traffic {
  const kind = get(fields, 'vsslKndCd');
  if (kind !== '' && !/^\d{1,2}$/.test(kind))
    refusals.push({ reason: 'malformed', detail: `${callId} vsslKndCd ${kind.slice(0, 20)}` });
  return readTraffic(kind);
}

/** Entry and exit of a call as finally declared. Declarations that are not final are plans. */
export interface Frame {
  readonly identity: CallIdentity;
  readonly traffic: Traffic;
  readonly enteredAt?: Instant | undefined;
  readonly entryStop?: RecordedStop | undefined;
  readonly leftAt?: Instant | undefined;
}

/** The frame of a row of the entry and exit lists; undefined, with a refusal, when it names no call. */
export function makeFrame({ fields, details }: ReplyItem, check: CallCheck): Frame | undefined {
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
  const enteredAt = entry && passedTime(get(entry, 'etryptDt'), `${identity.callId} etryptDt`, check);
  const facility = entry && {
    zone: readZone(get(entry, 'laidupFcltyCd'), get(entry, 'laidupFcltyNm')),
    place: place(get(entry, 'laidupFcltyCd'), get(entry, 'laidupFcltySubCd'), get(entry, 'laidupFcltyNm')),
  };
  return {
    identity,
    traffic: trafficOf(fields, identity, check),
    enteredAt,
    entryStop: facility && enteredAt !== undefined ? { ...facility, ataAt: enteredAt } : undefined,
    leftAt: exit && passedTime(get(exit, 'tkoffDt'), `${identity.callId} tkoffDt`, check),
  };
}

interface ControlEvent {
  readonly control: Control;
  readonly at: Instant;
  readonly sequence: number;
  readonly stop: Pick<RecordedStop, 'zone' | 'place'>;
}

function controlEvents(identity: CallIdentity, details: readonly XmlRow[], check: CallCheck): ControlEvent[] {
  return details.flatMap((row): ControlEvent[] => {
    const name = get(row, 'cntrlNm').replaceAll(/\s/g, '');
    const known = CONTROL_NAME.read(name);
    if (known === undefined) {
      check.refusals.push({
        reason: 'unknown-event',
        detail: `${identity.callId}: ${name.slice(0, 20) || 'no name'}`,
      });
      return [];
    }
    const control = CONTROLS[known];
    const coded = CODES[get(row, 'cntrlSe')];
    if (coded !== undefined && coded !== control) {
      // The name counts, because the codes are documented for Ulsan only.
      check.refusals.push({
        reason: 'code-mismatch',
        detail: `${identity.callId}: ${name} has ${get(row, 'cntrlSe')}`,
      });
    }
    const at = passedTime(get(row, 'cntrlOpertDt'), `${identity.callId} ${name}`, check);
    if (at === undefined) return [];
    const order = get(row, 'commCo');
    const sequence = order === '' ? 0 : WHOLE_NUMBER.read(order);
    if (sequence === undefined) {
      const detail = `${identity.callId} ${name}: commCo ${order.slice(0, 20)}`;
      check.refusals.push({ reason: 'malformed', detail });
      return [];
    }
    const [code, subCode, facility] = ['fcltyCd', 'fcltySubCd', 'fcltyNm'].map((tag) => get(row, tag)) as [
      string,
      string,
      string,
    ];
    const stop = { zone: readZone(code, facility), place: place(code, subCode, facility) };
    return [{ control, at, sequence, stop }];
  });
}

/** Whether the order of the log agrees with its times; a step back makes every duration doubtful. */
const isInOrder = (events: readonly ControlEvent[]): boolean =>
  events.every((event, index) => index === 0 || event.at >= (events[index - 1]?.at ?? 0));

/** Stops of the events: an anchoring or an entry at an anchorage begins a wait, a berthing a berth stay. */
function toStops(events: readonly ControlEvent[]): RecordedStop[] {
  const stops: RecordedStop[] = [];
  let open: { -readonly [Key in keyof RecordedStop]: RecordedStop[Key] } | undefined;
  const close = (atdAt: Instant): void => {
    if (open) stops.push({ ...open, atdAt });
    open = undefined;
  };
  for (const { control, at, stop } of events) {
    const begins =
      control === 'anchor' ||
      control === 'berth' ||
      control === 'shift' ||
      // A vessel that enters for a berth is under way until it berths.
      (control === 'enter' && stop.zone === 'anchorage');
    // The entry at an anchorage and the anchor dropped there are one stay.
    const goesOn = control === 'anchor' && open?.zone === 'anchorage';
    if (goesOn) continue;
    close(at);
    if (!begins) continue;
    const isBunkering = stop.zone === 'moving' && stop.place !== '';
    const zone =
      control === 'berth' ? 'berth' : control === 'anchor' && !isBunkering ? 'anchorage' : stop.zone;
    open = { zone, place: stop.place, ataAt: at };
  }
  if (open) stops.push(open);
  return stops;
}

/**
 * The record of a call from its event log, with the frame of its declaration where there is one. Undefined, with a
 * refusal, when the row names no call or is unreadable.
 */
export function recordOfEvents(
  item: ReplyItem,
  frame: Frame | undefined,
  check: CallCheck,
): CallRecord | undefined {
  const identity = frame?.identity ?? readIdentity(item.fields);
  if (identity === undefined) {
    check.refusals.push({ reason: 'no-call', detail: `events of ${get(item.fields, 'clsgn').slice(0, 20)}` });
    return undefined;
  }
  const logged = controlEvents(identity, item.details, check).sort(
    (a, b) => a.sequence - b.sequence || a.at - b.at,
  );
  const isConsistent = isInOrder(logged);
  if (!isConsistent) check.refusals.push({ reason: 'negative-step', detail: identity.callId });
  const events = [...logged].sort((a, b) => a.at - b.at || a.sequence - b.sequence);
  const enteredAt =
    passedTime(get(item.fields, 'aprtfEtryptDt'), `${identity.callId} aprtfEtryptDt`, check) ??
    frame?.enteredAt;
  const arrivals = [enteredAt, events.find(({ control }) => control !== 'leave')?.at].filter(
    (at) => at !== undefined,
  );
  const leave = events.findLast(({ control }) => control === 'leave')?.at;
  const leftAt =
    leave ?? passedTime(get(item.fields, 'tkoffDt'), `${identity.callId} tkoffDt`, check) ?? frame?.leftAt;
  if (arrivals.length === 0 && leftAt === undefined) return undefined;
  return {
    callId: identity.callId,
    vesselId: `call-sign:${identity.callSign}`,
    traffic: frame?.traffic ?? trafficOf(item.fields, identity, check),
    recordedAt: check.asOfAt,
    stops: toStops(events.filter(({ at }) => leftAt === undefined || at <= leftAt)),
    ataAt: arrivals.length > 0 ? Math.min(...arrivals) : undefined,
    atdAt: leftAt,
    waitKnown: isConsistent ? undefined : false,
    keepsEarlier: 'log',
  };
}

/** The record of a call that only its declarations state: its arrival, perhaps its departure, and no wait. */
export function recordOfFrame(frame: Frame, check: CallCheck): CallRecord | undefined {
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
export function closedWhenSilent(record: CallRecord, { asOfAt, refusals }: CallCheck): CallRecord {
  if (record.atdAt !== undefined) return record;
  const times = [record.ataAt, ...record.stops.flatMap(({ ataAt, atdAt }) => [ataAt, atdAt])];
  const lastAt = Math.max(...times.filter((at) => at !== undefined));
  if (lastAt > asOfAt - SILENT_MS) return record;
  refusals.push({ reason: 'no-departure', detail: record.callId });
  return { ...record, atdAt: lastAt };
}

/** The frame of an event row whose own identity no declaration has: same call sign, and an entry within the hour. */
export function frameNear(item: ReplyItem, frames: readonly Frame[]): Frame | undefined {
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
