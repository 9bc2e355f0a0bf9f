/** The control events of a call, and the stops that they make. */
import type { RecordedStop } from '../../calls/observation.ts';
import type { Instant } from '../../reference/time.ts';
import { ISO_TIME, pastTime, WHOLE_NUMBER } from '../../upstream/fields.ts';
import type { XmlRow } from '../../upstream/files/xml.ts';
import type { Refusals } from '../../upstream/refusals.ts';
import { CONTROL_NAME } from './declaration.ts';
import { place, readZone } from './facilities.ts';

/** Context for reading one call, and the list for its refusals. */
export interface CallCheck {
  readonly asOfAt: Instant;
  readonly refusals: Refusals;
}

export const get = (row: XmlRow, tag: string): string => row.get(tag) ?? '';

/** A time in the past; undefined when there is none, and, with a refusal, when it is impossible. */
export const passedTime = (
  text: string,
  label: string,
  { asOfAt, refusals }: CallCheck,
): Instant | undefined => pastTime(ISO_TIME, text, label, asOfAt, refusals);

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

export interface ControlEvent {
  readonly control: Control;
  readonly at: Instant;
  readonly sequence: number;
  readonly stop: Pick<RecordedStop, 'zone' | 'place'>;
}

/** The control event of the row; undefined, with a refusal, for an unknown name. */
function readControl(row: XmlRow, callId: string, { refusals }: CallCheck): Control | undefined {
  const name = get(row, 'cntrlNm').replaceAll(/\s/g, '');
  const known = CONTROL_NAME.read(name);
  if (known === undefined) {
    refusals.push({ reason: 'unknown-event', detail: `${callId}: ${name.slice(0, 20) || 'no name'}` });
    return undefined;
  }
  const coded = CODES[get(row, 'cntrlSe')];
  if (coded !== undefined && coded !== CONTROLS[known])
    // The name counts, because the codes are documented for Ulsan only.
    refusals.push({ reason: 'code-mismatch', detail: `${callId}: ${name} has ${get(row, 'cntrlSe')}` });
  return CONTROLS[known];
}

/** An event; undefined, with a refusal, when its name, its time or its place in the log cannot be read. */
function controlEvent(row: XmlRow, callId: string, check: CallCheck): ControlEvent | undefined {
  const control = readControl(row, callId, check);
  if (control === undefined) return undefined;
  const name = get(row, 'cntrlNm').replaceAll(/\s/g, '');
  const at = passedTime(get(row, 'cntrlOpertDt'), `${callId} ${name}`, check);
  if (at === undefined) return undefined;
  const order = get(row, 'commCo');
  const sequence = order === '' ? 0 : WHOLE_NUMBER.read(order);
  if (sequence === undefined) {
    const detail = `${callId} ${name}: commCo ${order.slice(0, 20)}`;
    check.refusals.push({ reason: 'malformed', detail });
    return undefined;
  }
  const [code, facility] = [get(row, 'fcltyCd'), get(row, 'fcltyNm')];
  const stop = {
    zone: readZone(code, facility),
    place: place(code, get(row, 'fcltySubCd'), facility),
  };
  return { control, at, sequence, stop };
}

/** The events in order of time. False when the log's own sequence and its times disagree: every duration is then doubtful. */
export function readEvents(
  callId: string,
  details: readonly XmlRow[],
  check: CallCheck,
): { readonly events: readonly ControlEvent[]; readonly isConsistent: boolean } {
  const logged = details
    .flatMap((row) => controlEvent(row, callId, check) ?? [])
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
