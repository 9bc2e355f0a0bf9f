/** Parses a TIPC fetch into call batches: one for every port with both lists. */
import type { CallBatch } from '../../calls/observation.ts';
import { DAY_MS, type Instant } from '../../reference/time.ts';
import { readRequestNote } from '../files/notes.ts';
import type { XmlRow } from '../files/xml.ts';
import { type ArchivedFetch, type ParsedFetch, type Refusal, RefusedReply } from '../source.ts';
import { recordOf, taipeiTime, type Visit } from './call.ts';
import { TIPC_PORTS, type TipcPort, tipcTaiwanDeclaration } from './declaration.ts';
import { type Direction, listOf, readList, type Window } from './lists.ts';

/**
 * A window has the vessels forecast in it. 99 in 100 berth within 1.8 days of their forecast, so events are
 * complete from two days after its start.
 */
const COMPLETE_AFTER_MS = 2 * DAY_MS;

const VISA_NO = /^[A-Z]{4}\d{6,12}$/;

/** Rows by visa number. */
type Rows = ReadonlyMap<string, XmlRow>;
type Lists = Readonly<Record<Direction, Rows>>;

function rowsOf(file: string, rows: readonly XmlRow[], refusals: Refusal[]): [string, XmlRow][] {
  return rows.flatMap((row, index): [string, XmlRow][] => {
    const visaNo = row.get('VISA_NO') ?? '';
    if (VISA_NO.test(visaNo)) return [[visaNo, row]];
    refusals.push({ reason: 'malformed', detail: `${file} row ${index}: VISA_NO ${visaNo.slice(0, 20)}` });
    return [];
  });
}

/** The lists of every port whose two lists are readable; `refusals` gets the reasons for the others. */
function readPorts({ files }: ArchivedFetch, refusals: Refusal[]): Map<TipcPort, Lists> {
  const rows = new Map<TipcPort, Partial<Record<Direction, Map<string, XmlRow>>>>();
  const broken = new Set<TipcPort>();
  for (const [file, bytes] of files) {
    const list = listOf(file);
    if (list === undefined) continue;
    const { direction, port } = list;
    const lists = rows.get(port) ?? {};
    rows.set(port, lists);
    try {
      const read = readList(file, bytes, direction, tipcTaiwanDeclaration.largestReplyBytes);
      lists[direction] = new Map([...(lists[direction] ?? []), ...rowsOf(file, read, refusals)]);
    } catch (error) {
      if (!(error instanceof RefusedReply)) throw error;
      broken.add(port);
      refusals.push({ reason: error.reason, detail: error.message });
    }
  }
  const whole = new Map<TipcPort, Lists>();
  for (const [port, { in: inbound, out: outbound }] of rows) {
    if (broken.has(port)) continue;
    if (inbound && outbound) whole.set(port, { in: inbound, out: outbound });
    else
      refusals.push({
        reason: 'half-a-port',
        detail: `${port}: no ${inbound ? 'outbound' : 'inbound'} list`,
      });
  }
  return whole;
}

/** Without a note of the request, the inbound lists reach from their first forecast to their last one. */
function windowOf(ports: ReadonlyMap<TipcPort, Lists>): Window {
  let fromAt = Number.POSITIVE_INFINITY;
  let toAt = Number.NEGATIVE_INFINITY;
  for (const { in: inbound } of ports.values()) {
    for (const row of inbound.values()) {
      const forecastAt = taipeiTime(row.get('EXPECT_DT') ?? '');
      if (forecastAt === undefined) continue;
      fromAt = Math.min(fromAt, forecastAt);
      toAt = Math.max(toAt, forecastAt);
    }
  }
  if (fromAt > toAt) throw new RefusedReply('nothing-usable', 'no row with a forecast entry');
  return { fromAt, toAt };
}

const visitsOf = ({ in: inbound, out: outbound }: Lists): Visit[] =>
  [...new Set([...inbound.keys(), ...outbound.keys()])]
    .sort()
    .map((visaNo) => ({ visaNo, inbound: inbound.get(visaNo), outbound: outbound.get(visaNo) }));

/**
 * One batch for each port, in order of UN/LOCODE, as of the fetch, or of the window's end where that is earlier, because
 * later arrivals are on no list. A port with a broken or missing list has no batch. Throws `RefusedReply` when no port
 * is readable.
 */
export function parseTaiwan(fetched: ArchivedFetch): ParsedFetch {
  const refusals: Refusal[] = [];
  const ports = readPorts(fetched, refusals);
  if (ports.size === 0) {
    const [first] = refusals;
    throw new RefusedReply(first?.reason ?? 'empty', first?.detail ?? 'no list of any port');
  }
  const note = readRequestNote(fetched.files);
  for (const port of note?.unanswered ?? []) refusals.push({ reason: 'no-reply', detail: `port ${port}` });
  const window = note ?? windowOf(ports);
  const asOfAt: Instant = Math.min(fetched.fetchedAt, window.toAt);
  const coveredFromAt = Math.min(window.fromAt + COMPLETE_AFTER_MS, asOfAt);
  const reports = [...ports]
    .map(([port, lists]): CallBatch => {
      const read = visitsOf(lists).map((visit) => ({
        callId: visit.visaNo,
        record: recordOf(visit, { fetchedAt: fetched.fetchedAt, asOfAt, refusals }),
      }));
      const unreadable = read.flatMap(({ callId, record }) => (record === undefined ? [callId] : []));
      return {
        kind: 'call-batch',
        port: TIPC_PORTS[port],
        observedAt: asOfAt,
        coveredFromAt,
        complete: note && { ...window, recordedAt: asOfAt, unreadable },
        records: read.flatMap(({ record }) => (record === undefined ? [] : [record])),
      };
    })
    .sort((a, b) => (a.port < b.port ? -1 : 1));
  return { asOfAt, reports, refusals };
}
