/** The control events of a call, and the stops that they make. */
import type { RecordedStop, Zone } from '../../calls/observation.ts';
import type { Instant } from '../../reference/time.ts';
import { pastTime, type TimeCheck, WHOLE_NUMBER } from '../../upstream/fields.ts';
import type { XmlRow } from '../../upstream/files/xml.ts';
import { CONTROL_NAME } from './declaration.ts';

export const get = (row: XmlRow, tag: string): string => row.get(tag) ?? '';

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
export function facility(row: XmlRow, tags: 'fclty' | 'laidupFclty'): Pick<RecordedStop, 'zone' | 'place'> {
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
export function readEvents(
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
export function toStops(events: readonly ControlEvent[]): RecordedStop[] {
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
