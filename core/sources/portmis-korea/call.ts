/** One Korean port call from its control events and its declarations. */
import type { CallRecord, RecordedStop, Traffic } from '../../calls/observation.ts';
import { DAY_MS, earliestStated, type Instant, MINUTE_MS } from '../../reference/time.ts';
import { ISO_TIME, pastTime, type TimeCheck } from '../../upstream/fields.ts';
import type { XmlRow } from '../../upstream/files/xml.ts';
import { DIRECTION, STAGE } from './declaration.ts';
import { facility, get, readEvents, toStops } from './events.ts';
import type { ReplyItem } from './replies.ts';

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
export function readIdentity(row: XmlRow) {
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
export interface Frame {
  readonly identity: CallIdentity;
  readonly traffic: Traffic;
  readonly enteredAt?: Instant | undefined;
  readonly entryStop?: RecordedStop | undefined;
  readonly leftAt?: Instant | undefined;
}

/** The frame of a row of the entry and exit lists; undefined, with a refusal, when it names no call. */
export function makeFrame({ fields, details }: ReplyItem, check: TimeCheck): Frame | undefined {
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
export function recordOfEvents(
  item: ReplyItem,
  frame: Frame | undefined,
  check: TimeCheck,
): CallRecord | undefined {
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
export function recordOfFrame(frame: Frame, check: TimeCheck): CallRecord | undefined {
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
export function closedWhenSilent(record: CallRecord, { asOfAt, refusals }: TimeCheck): CallRecord {
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
