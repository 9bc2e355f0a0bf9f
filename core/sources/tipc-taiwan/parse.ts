/** Parses a TIPC fetch into call batches: one for every port with both lists. */
import type { CallBatch, CallRecord } from '../../calls/observation.ts';
import type { Locode } from '../../reference/locode.ts';
import { DAY_MS, earliestOf, type Instant, type Interval, latestOf } from '../../reference/time.ts';
import { DECIMAL, filledFields, rowFaults } from '../../upstream/fields.ts';
import { readRequestNote } from '../../upstream/files/notes.ts';
import { readPart } from '../../upstream/files/text.ts';
import { type XmlRow, xmlRow } from '../../upstream/files/xml.ts';
import { Refusals } from '../../upstream/refusals.ts';
import {
  type ArchivedFetch,
  type FetchedFiles,
  type ListCount,
  type ParsedFetch,
  RefusedReply,
  refusedFor,
} from '../../upstream/source.ts';
import { tipcTaiwanDeclaration as declaration, TIPC_PORTS, type TipcPort } from './declaration.ts';
import { type Direction, ROOTS, readFileName, readList } from './lists.ts';
import { forecastAt, toRecord } from './visit.ts';

/** 99 % of the vessels forecast in a window berth within 1.8 days, so its events are complete two days after its start. */
const COMPLETE_AFTER_MS = 2 * DAY_MS;

/** No vessel is larger: a greater number is in another unit. */
const MAX_TONNAGE = 400_000;

const VISA_NO = /^[A-Z]{4}\d{6,12}$/;

/** The rows of one list of a port, over all windows. */
interface List {
  readonly elements: readonly unknown[];
  /** By visa number. */
  readonly rows: Map<string, XmlRow>;
  /** Visa numbers of all rows that have one, in order. */
  readonly named: string[];
  /** Visa numbers of rows that are refused, or have a refused time. */
  readonly refused: Set<string>;
}
type Lists = Readonly<Record<Direction, List>>;

function formFault(row: XmlRow): string | undefined {
  const [forecast = '', tonnage = ''] = [row.get('EXPECT_DT'), row.get('GROSS_TOA')];
  if (forecastAt(row) === undefined) return `EXPECT_DT ${forecast.slice(0, 20)}`;
  const gross = DECIMAL.read(tonnage);
  return row.has('GROSS_TOA') && (gross === undefined || gross > MAX_TONNAGE)
    ? `GROSS_TOA ${tonnage.slice(0, 20)}`
    : undefined;
}

/** Throws `RefusedReply` (`missing-field`) when no row has a needed field. */
function sortRows(what: string, root: string, elements: readonly unknown[], refusals: Refusals): List {
  const list: List = { elements, rows: new Map(), named: [], refused: new Set() };
  const faults = rowFaults(declaration, root, elements, what);
  for (const [index, element] of elements.entries()) {
    const row = xmlRow(element);
    const visaNo = row.get('VISA_NO') ?? '';
    const isNamed = VISA_NO.test(visaNo);
    const fault = isNamed ? (faults[index] ?? formFault(row)) : `VISA_NO ${visaNo.slice(0, 20)}`;
    if (isNamed) list.named.push(visaNo);
    if (fault === undefined) list.rows.set(visaNo, row);
    else refusals.push({ reason: 'malformed', detail: `${what} row ${index}: ${fault}` });
    if (isNamed && fault !== undefined) list.refused.add(visaNo);
  }
  return list;
}

/** The lists of every port whose two lists are readable; `refusals` gets the reasons for the others. */
function readPorts(files: FetchedFiles, refusals: Refusals): Map<TipcPort, Lists> {
  const ports = new Map<TipcPort, Partial<Record<Direction, unknown[]>>>();
  const broken = new Set<TipcPort>();
  for (const [file, bytes] of files) {
    const list = readFileName(file);
    if (list === undefined) continue;
    const { direction, port } = list;
    const rows = readPart(refusals, () => readList(file, bytes, direction));
    if (rows === undefined) broken.add(port);
    const known = ports.get(port) ?? {};
    ports.set(port, { ...known, [direction]: [...(known[direction] ?? []), ...(rows ?? [])] });
  }
  const whole = new Map<TipcPort, Lists>();
  for (const [port, { in: inbound, out: outbound }] of ports) {
    if (broken.has(port)) continue;
    const sorted = (direction: Direction, elements: readonly unknown[]): List =>
      sortRows(`${ROOTS[direction]} of ${port}`, ROOTS[direction], elements, refusals);
    if (inbound && outbound) whole.set(port, { in: sorted('in', inbound), out: sorted('out', outbound) });
    else
      refusals.push({
        reason: 'half-a-port',
        detail: `${port}: no ${inbound ? 'outbound' : 'inbound'} list`,
      });
  }
  return whole;
}

const forecasts = ({ rows }: List): Instant[] => [...rows.values()].flatMap((row) => forecastAt(row) ?? []);

/** Without a note of the request, the inbound lists reach from their first forecast to their last one. */
function readWindow(ports: ReadonlyMap<TipcPort, Lists>): Interval {
  const times = [...ports.values()].flatMap((lists) => forecasts(lists.in));
  if (times.length === 0) throw new RefusedReply('nothing-usable', 'no row with a forecast entry');
  return { fromAt: earliestOf(times), toAt: latestOf(times) };
}

function countList(root: string, port: Locode, list: List, asked: Interval | undefined): ListCount {
  const { elements, named, refused } = list;
  return {
    list: root,
    port,
    rows: elements.length,
    refused: elements.length - named.length + refused.size,
    repeated: named.length - new Set(named).size,
    filled: filledFields(declaration, root, elements),
    ...(asked && {
      days: (asked.toAt - asked.fromAt) / DAY_MS,
      outside: forecasts(list).filter((at) => at < asked.fromAt || at >= asked.toAt).length,
    }),
  };
}

/**
 * One batch for each port, in order of UN/LOCODE, as of the fetch, or of the window's end where that is earlier, because
 * later arrivals are on no list. A port with a broken or missing list has no batch. Throws `RefusedReply` when no port
 * is readable.
 */
export function parseTaiwan({ fetchedAt, files }: ArchivedFetch): ParsedFetch {
  const refusals = new Refusals();
  const ports = readPorts(files, refusals);
  if (ports.size === 0) throw refusedFor(refusals, 'no list of any port');
  const note = readRequestNote(files);
  for (const port of note?.unanswered ?? []) refusals.push({ reason: 'no-reply', detail: `port ${port}` });
  const { fromAt, toAt } = note ?? readWindow(ports);
  const asOfAt: Instant = Math.min(fetchedAt, toAt);
  const lists: ListCount[] = [];
  const readPort = ([tipcPort, { in: inbound, out: outbound }]: readonly [TipcPort, Lists]): CallBatch => {
    const port = TIPC_PORTS[tipcPort];
    const visaNos = [inbound, outbound].flatMap(({ rows, refused }) => [...rows.keys(), ...refused]);
    const records: CallRecord[] = [];
    const unreadable: string[] = [];
    const countRefused = (direction: Direction, visaNo: string): void =>
      void (direction === 'in' ? inbound : outbound).refused.add(visaNo);
    for (const visaNo of [...new Set(visaNos)].sort()) {
      const isRefused = inbound.refused.has(visaNo) || outbound.refused.has(visaNo);
      const visit = { visaNo, inbound: inbound.rows.get(visaNo), outbound: outbound.rows.get(visaNo) };
      const record = isRefused ? undefined : toRecord(visit, { fetchedAt, asOfAt, refusals, countRefused });
      if (record === undefined) unreadable.push(visaNo);
      else records.push(record);
    }
    lists.push(countList(ROOTS.in, port, inbound, note), countList(ROOTS.out, port, outbound, note));
    return {
      kind: 'call-batch',
      port,
      observedAt: asOfAt,
      coveredFromAt: Math.min(fromAt + COMPLETE_AFTER_MS, asOfAt),
      ...(note && note.missing.length > 0 && { missing: note.missing }),
      complete: note && { fromAt, toAt, recordedAt: asOfAt, unreadable },
      records,
    };
  };
  const reports = [...ports].sort(([a], [b]) => (TIPC_PORTS[a] < TIPC_PORTS[b] ? -1 : 1)).map(readPort);
  return { asOfAt, reports, refusals, lists };
}
