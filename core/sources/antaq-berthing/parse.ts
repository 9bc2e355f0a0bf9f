/** Parses ANTAQ's yearly tables into one batch of call records for each port. */
import { byCallId, type CallBatch, type CallRecord } from '../../calls/observation.ts';
import { DAY_MS, type Instant } from '../../reference/time.ts';
import { replyText } from '../../upstream/files/text.ts';
import { type ArchivedFetch, type ParsedFetch, type Refusal, RefusedReply } from '../../upstream/source.ts';
import { type Berthing, callAsOf, findVisits, readBerthing } from './berthing.ts';
import { BRAZILIAN_PORT_ZONES, antaqBerthingDeclaration as declaration } from './declaration.ts';
import { type Member, portTime, type Row, readMembers, readRows } from './tables.ts';

/**
 * Nearly every vessel has left this long after its arrival. A berthing is published in the month after its unberthing, so
 * the newest weeks lack the vessels still in port; the first weeks lack those that arrived before the first year.
 */
const SETTLING_MS = 30 * DAY_MS;

const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b;

function membersOf(fetched: ArchivedFetch): Member[] {
  return [...fetched.files]
    .filter(([name]) => name.endsWith('.zip'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, bytes]) => {
      if (bytes.byteLength > declaration.maxReplyBytes) throw new RefusedReply('too-large', name);
      // Not a zip: report what it is instead, for example a web page or an empty file.
      if (!isZip(bytes)) replyText(name, bytes, declaration.maxReplyBytes);
      return readMembers(name, bytes);
    });
}

/** The stated waits by berthing; of a berthing in two years, the later year counts. */
function statedWaits(members: readonly Member[]): Map<string, string | undefined> {
  const rows = members.filter((member) => member.kind === 'TemposAtracacao').flatMap(readRows);
  return new Map(rows.map((row) => [row.IDAtracacao ?? '', row.TEsperaAtracacao]));
}

/** Rows by berthing id; of a berthing in two years, the later year counts. */
function berthingRows(members: readonly Member[]): Row[] {
  const rows = members
    .filter((member) => member.kind === 'Atracacao')
    .sort((a, b) => a.year - b.year)
    .flatMap(readRows);
  return [...new Map(rows.map((row) => [row.IDAtracacao ?? '', row])).values()];
}

/** The first midnight of the earliest of the years. */
const yearStart = (years: readonly number[], zone: string): Instant =>
  portTime(`01/01/${Math.min(...years)} 00:00:00`, zone) ?? Number.NaN;

/**
 * The tables of consecutive years have every call that unberthed in them, so a call that is missing from a revised year
 * is withdrawn.
 */
function completeList(
  years: readonly number[],
  zone: string,
  recordedAt: Instant,
  cutOff: readonly CallRecord[],
): Pick<CallBatch, 'complete'> {
  const [first, last] = [Math.min(...years), Math.max(...years)];
  if (last - first + 1 !== new Set(years).size) return {};
  const unreadable = cutOff.map(({ callId }) => callId);
  return {
    complete: { fromAt: yearStart(years, zone), toAt: yearStart([last + 1], zone), recordedAt, unreadable },
  };
}

/** One date in this many may be mistyped; it must not make the tables look newer, and ports emptier, than they are. */
const BERTHINGS_PER_MISTAKE = 1_000;

/** The newest unberthing, ignoring a few of the latest in large tables. */
function newestUnberthing(berthings: readonly Berthing[]): Instant {
  const latest = berthings.map(({ unberthedAt }) => unberthedAt).sort((a, b) => b - a);
  return latest[Math.floor(berthings.length / BERTHINGS_PER_MISTAKE)] ?? Number.NaN;
}

const isBerthing = (read: Berthing | Refusal): read is Berthing => 'vesselId' in read;

/**
 * Calls of every covered Brazilian port, as they stood 30 days before the newest unberthing in the tables. Throws
 * `RefusedReply` when a file is broken: the calls of a year would be missing.
 */
export function parseBerthings(fetched: ArchivedFetch): ParsedFetch {
  const members = membersOf(fetched);
  const years = members.filter((member) => member.kind === 'Atracacao').map((member) => member.year);
  if (years.length === 0) throw new RefusedReply('empty', 'no table of berthings');
  const timed = members.filter((member) => member.kind === 'TemposAtracacao').map((member) => member.year);
  // Without its table of times, a year's outliers would count as good waits.
  const untimed = years.find((year) => !timed.includes(year));
  if (untimed !== undefined) throw new RefusedReply('incomplete', `${untimed} has no table of times`);
  const waits = statedWaits(members);
  const read = berthingRows(members)
    .map((row) => readBerthing(row, waits.get(row.IDAtracacao ?? ''), fetched.fetchedAt))
    .filter((each) => each !== undefined);
  const berthings = read.filter(isBerthing);
  const refusals = read.filter((each): each is Refusal => !isBerthing(each));
  if (berthings.length === 0)
    throw new RefusedReply('nothing-usable', refusals[0]?.detail ?? 'no berthing of a covered port');

  const asOfAt = newestUnberthing(berthings) - SETTLING_MS;
  const visits = findVisits(berthings);
  const reports = [...declaration.ports].sort().flatMap((port): CallBatch[] => {
    const zone = BRAZILIAN_PORT_ZONES[port] ?? 'UTC';
    const firstAt = yearStart(years, zone);
    const coveredFromAt = firstAt + SETTLING_MS;
    if (coveredFromAt > asOfAt) return [];
    const calls = visits
      .filter(([first]) => first?.port === port)
      .map((visit) => callAsOf(visit, asOfAt))
      .filter((record) => record !== undefined)
      .sort(byCallId);
    // The first berths of a vessel that came before the earliest year may be in the tables of the year before.
    const isCutOff = ({ ataAt = firstAt }: CallRecord): boolean => ataAt < firstAt;
    const records = calls.filter((call) => !isCutOff(call));
    const complete = completeList(years, zone, asOfAt, calls.filter(isCutOff));
    return [{ kind: 'call-batch', port, observedAt: asOfAt, coveredFromAt, records, ...complete }];
  });
  return { asOfAt, reports, refusals };
}
