/** Parses a TIPC fetch into call batches: one for every port with both lists. */
import type { CallBatch } from '../../calls/observation.ts';
import { DAY_MS, earliestOf, type Instant, type Interval, latestOf } from '../../reference/time.ts';
import { DECIMAL, filledFields, rowFaults } from '../../upstream/fields.ts';
import { readRequestNote } from '../../upstream/files/notes.ts';
import { readPart } from '../../upstream/files/part.ts';
import { type XmlRow, xmlRow } from '../../upstream/files/xml.ts';
import { Refusals } from '../../upstream/refusals.ts';
import { type ArchivedFetch, type ListCount, type ParsedFetch, RefusedReply } from '../../upstream/source.ts';
import { tipcTaiwanDeclaration as declaration, TIPC_PORTS, type TipcPort } from './declaration.ts';
import { type Direction, ROOTS, readFileName, readList } from './lists.ts';
import { forecastAt, toRecord, type Visit, type VisitCheck } from './visit.ts';

/**
 * A window has the vessels forecast in it. 99 in 100 berth within 1.8 days of their forecast, so events are
 * complete from two days after its start.
 */
const COMPLETE_AFTER_MS = 2 * DAY_MS;

/** No vessel is larger: a greater number is in another unit. */
const MAX_TONNAGE = 400_000;

const VISA_NO = /^[A-Z]{4}\d{6,12}$/;

/** The rows of one list of a port, over all windows. */
interface List {
  /** By visa number. */
  readonly rows: Map<string, XmlRow>;
  /** Visa numbers of rows that cannot be read. */
  readonly unreadable: Set<string>;
  readonly count: number;
  /** Rows without a visa number. */
  readonly unnamed: number;
  /** Rows with the visa number of an earlier row. */
  readonly repeated: number;
  readonly filled: NonNullable<ListCount['filled']>;
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
function sortRows(
  port: TipcPort,
  direction: Direction,
  elements: readonly unknown[],
  refusals: Refusals,
): List {
  const rows = new Map<string, XmlRow>();
  const unreadable = new Set<string>();
  const named: string[] = [];
  const filled = filledFields(declaration, ROOTS[direction], elements);
  const faults = rowFaults(declaration, ROOTS[direction], elements, `${ROOTS[direction]} of ${port}`);
  for (const [index, element] of elements.entries()) {
    const row = xmlRow(element);
    const visaNo = row.get('VISA_NO') ?? '';
    const isNamed = VISA_NO.test(visaNo);
    const fault = isNamed ? (faults[index] ?? formFault(row)) : `VISA_NO ${visaNo.slice(0, 20)}`;
    if (fault === undefined) rows.set(visaNo, row);
    else
      refusals.push({ reason: 'malformed', detail: `${ROOTS[direction]} of ${port} row ${index}: ${fault}` });
    if (!isNamed) continue;
    named.push(visaNo);
    if (fault !== undefined) unreadable.add(visaNo);
  }
  const [count, unnamed] = [elements.length, elements.length - named.length];
  return { rows, unreadable, count, unnamed, repeated: named.length - new Set(named).size, filled };
}

type Elements = Partial<Record<Direction, readonly unknown[]>>;

/** The elements of the lists of each port, over all windows, without those of a port of which a file is refused. */
function readElements({ files }: ArchivedFetch, refusals: Refusals): Map<TipcPort, Elements> {
  const elements = new Map<TipcPort, Elements>();
  const broken = new Set<TipcPort>();
  for (const [file, bytes] of files) {
    const list = readFileName(file);
    if (list === undefined) continue;
    const { direction, port } = list;
    const rows = readPart(refusals, () => readList(file, bytes, direction));
    if (rows === undefined) broken.add(port);
    const known = elements.get(port) ?? {};
    elements.set(port, { ...known, [direction]: [...(known[direction] ?? []), ...(rows ?? [])] });
  }
  return new Map([...elements].filter(([port]) => !broken.has(port)));
}

/** The lists of every port whose two lists are readable; `refusals` gets the reasons for the others. */
function readPorts(fetched: ArchivedFetch, refusals: Refusals): Map<TipcPort, Lists> {
  const whole = new Map<TipcPort, Lists>();
  for (const [port, { in: inbound, out: outbound }] of readElements(fetched, refusals)) {
    if (inbound && outbound)
      whole.set(port, {
        in: sortRows(port, 'in', inbound, refusals),
        out: sortRows(port, 'out', outbound, refusals),
      });
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

/** Counts of a list that depend on the requested window. */
const askedCounts = (list: List, { fromAt, toAt }: Interval): Pick<ListCount, 'days' | 'outside'> => ({
  days: (toAt - fromAt) / DAY_MS,
  outside: forecasts(list).filter((at) => at < fromAt || at >= toAt).length,
});

const visits = ({ in: inbound, out: outbound }: Lists): Visit[] =>
  [...new Set([inbound, outbound].flatMap(({ rows, unreadable }) => [...rows.keys(), ...unreadable]))]
    .sort()
    .map((visaNo) => ({ visaNo, inbound: inbound.rows.get(visaNo), outbound: outbound.rows.get(visaNo) }));

/**
 * One batch for each port, in order of UN/LOCODE, as of the fetch, or of the window's end where that is earlier, because
 * later arrivals are on no list. A port with a broken or missing list has no batch. Throws `RefusedReply` when no port
 * is readable.
 */
export function parseTaiwan(fetched: ArchivedFetch): ParsedFetch {
  const refusals = new Refusals();
  const ports = readPorts(fetched, refusals);
  if (ports.size === 0) {
    const [first] = refusals.first;
    throw new RefusedReply(first?.reason ?? 'empty', first?.detail ?? 'no list of any port');
  }
  const note = readRequestNote(fetched.files);
  for (const port of note?.unanswered ?? []) refusals.push({ reason: 'no-reply', detail: `port ${port}` });
  const window: Interval = note ?? readWindow(ports);
  const missing = note?.missing ?? [];
  const asOfAt: Instant = Math.min(fetched.fetchedAt, window.toAt);
  const coveredFromAt = Math.min(window.fromAt + COMPLETE_AFTER_MS, asOfAt);
  const counts: ListCount[] = [];
  const reports = [...ports]
    .sort(([a], [b]) => (TIPC_PORTS[a] < TIPC_PORTS[b] ? -1 : 1))
    .map(([tipcPort, lists]): CallBatch => {
      const port = TIPC_PORTS[tipcPort];
      const refused = { in: new Set(lists.in.unreadable), out: new Set(lists.out.unreadable) };
      const check: VisitCheck = { fetchedAt: fetched.fetchedAt, asOfAt, refusals, refused };
      const read = visits(lists).map((visit) => ({
        callId: visit.visaNo,
        record: Object.values(lists).some(({ unreadable }) => unreadable.has(visit.visaNo))
          ? undefined
          : toRecord(visit, check),
      }));
      for (const direction of ['in', 'out'] as const) {
        const { count: rows, unnamed, repeated, filled } = lists[direction];
        const refusedRows = unnamed + refused[direction].size;
        counts.push({
          list: ROOTS[direction],
          port,
          rows,
          refused: refusedRows,
          repeated,
          filled,
          ...(note && askedCounts(lists[direction], note)),
        });
      }
      const unreadable = read.flatMap(({ callId, record }) => (record === undefined ? [callId] : []));
      return {
        kind: 'call-batch',
        port,
        observedAt: asOfAt,
        coveredFromAt,
        ...(missing.length > 0 && { missing }),
        complete: note && { fromAt: note.fromAt, toAt: note.toAt, recordedAt: asOfAt, unreadable },
        records: read.flatMap(({ record }) => (record === undefined ? [] : [record])),
      };
    });
  return { asOfAt, reports, refusals, lists: counts };
}
