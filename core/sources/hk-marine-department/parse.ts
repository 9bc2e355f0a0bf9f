/** Parses a fetch of the reports into one poll of Hong Kong. A bad row or report is refused, and the rest is accepted. */

import type {
  Notice,
  PortPoll,
  VesselArrived,
  VesselDeparted,
  VesselInPort,
} from '../../calls/observation.ts';
import { HOUR_MS, type Instant } from '../../reference/time.ts';
import { filledFields, rowFaults } from '../../upstream/fields.ts';
import { readPart } from '../../upstream/files/text.ts';
import { type XmlRow, xmlRow } from '../../upstream/files/xml.ts';
import { type Refusal, Refusals } from '../../upstream/refusals.ts';
import { type ArchivedFetch, type ListCount, type ParsedFetch, RefusedReply } from '../../upstream/source.ts';
import { hkMarineDepartmentDeclaration as declaration } from './declaration.ts';
import { readClass, readImo, readPlace, readTime, readTraffic, readVesselId } from './fields.ts';
import { ARRIVED, DEPARTED, IN_PORT, type ReportForm, readRows } from './reports.ts';

const PORT = 'HKHKG';

/** A readable row: the vessel at its place, and its time. */
interface Mention {
  readonly vessel: Omit<VesselInPort, 'ataAt'>;
  readonly at: Instant;
  readonly row: XmlRow;
}

/** The lists of arrivals and departures reach back 36 hours: in 111 real ones the third-oldest row was at most 36.2 hours old. */
const MAX_AGE_MS = 37 * HOUR_MS;
/** In 54 polls at most one arrival, and no departure, of this time was missing from a later list. */
const REACH_MS = 35 * HOUR_MS;
/** One or two rows may be older: they are corrected by hand. */
const OLD_ROWS = 2;

/**
 * Vessels that the other lists put in port or at sea and the list of vessels in port does not, at most: in 57 real polls one that had
 * arrived was absent, and two that had departed were listed.
 */
const MAX_ABSENT = 3;
const MAX_LEFT = 5;

const quoted = (text: string): string => JSON.stringify(text.slice(0, 80));

const HAS_DEPARTED = 'DEPARTED';
const readRemark = (row: XmlRow): string => row.get('REMARK')?.trim().toUpperCase() ?? '';

class ReplyReader {
  readonly refusals = new Refusals();
  readonly lists: ListCount[] = [];
  /** Rows by name of an unknown place, and by a remark that is not read. */
  private readonly unknown = { place: new Map<string, number>(), remark: new Map<string, number>() };

  constructor(private readonly fetched: ArchivedFetch) {}

  /** One notice for each place name that `fields.ts` lacks, and for each remark but `DEPARTED`. */
  get notices(): Notice[] {
    return (['place', 'remark'] as const).flatMap((kind) =>
      [...this.unknown[kind]].map(([name, rows]) => ({
        reason: `unknown-${kind}` as const,
        detail: `${quoted(name)} in ${rows} rows`,
      })),
    );
  }

  private countUnknown(kind: 'place' | 'remark', name: string): void {
    this.unknown[kind].set(name, (this.unknown[kind].get(name) ?? 0) + 1);
  }

  /**
   * The readable rows, and the vessels of those that are refused. Undefined when the report is missing or refused, which is
   * not the same as empty. Throws `RefusedReply` (`missing-field`) when none of its rows has a needed field: the form has changed.
   */
  read(report: ReportForm) {
    const bytes = this.fetched.files.get(report.file);
    if (bytes === undefined) return undefined;
    return readPart(this.refusals, () => this.mentions(readRows(bytes, report), report));
  }

  private mentions(elements: readonly unknown[], report: ReportForm) {
    const { file, root } = report;
    const taken: Mention[] = [];
    const unreadable: string[] = [];
    const faults = rowFaults(declaration, root, elements, file);
    for (const [index, element] of elements.entries()) {
      const row = xmlRow(element);
      const mention = this.mention(row, report, faults[index]);
      if ('vessel' in mention) {
        taken.push(mention);
        continue;
      }
      const vesselId = readVesselId(row.get('CALL_SIGN'));
      if (vesselId !== undefined) unreadable.push(vesselId);
      const detail = `${file} row ${index + 1} (${vesselId ?? 'no vessel'}): ${mention.detail}`;
      this.refusals.push({ reason: mention.reason, detail });
    }
    const rows = elements.length;
    if (taken.length < rows / 2)
      throw new RefusedReply('unreadable', `${file}: ${taken.length} of its ${rows} rows could be read`);
    if (report !== IN_PORT) refuseOld(taken, this.fetched.fetchedAt, file);
    const filled = filledFields(declaration, root, elements);
    this.lists.push({ list: root, port: PORT, rows, refused: rows - taken.length, days: 1, filled });
    return { taken, unreadable };
  }

  private mention(row: XmlRow, report: ReportForm, fault: string | undefined): Mention | Refusal {
    const callSign = row.get('CALL_SIGN') ?? '';
    const vesselId = readVesselId(callSign);
    if (vesselId === undefined) return { reason: 'missing-vessel', detail: `call sign ${quoted(callSign)}` };
    const timeText = row.get(report.time)?.trim() ?? '';
    const at = readTime(timeText, this.fetched.fetchedAt);
    if (typeof at === 'string') return { reason: at, detail: `${report.time} ${quoted(timeText)}` };
    if (fault !== undefined) return { reason: 'malformed', detail: fault };
    const { zone, place } = readPlace(row.get(report.place) ?? '');
    if (zone === undefined) this.countUnknown('place', place);
    const remark = readRemark(row);
    if (remark !== '' && remark !== HAS_DEPARTED) this.countUnknown('remark', remark);
    const shipType = row.get('SHIP_TYPE');
    const vessel = {
      vesselId,
      ...readImo(row.get('IMO_NO')),
      // At an unknown place, so that the vessel and its time are not lost.
      zone: zone ?? 'moving',
      place,
      traffic: readTraffic(shipType),
      ...readClass(shipType),
    };
    return { vessel, at, row };
  }
}

/** Throws `RefusedReply` (`stale-reply`) for a list of the past hours that was made hours ago. */
function refuseOld(rows: readonly Mention[], fetchedAt: Instant, file: string): void {
  const old = rows.filter(({ at }) => at < fetchedAt - MAX_AGE_MS).length;
  if (old > OLD_ROWS)
    throw new RefusedReply('stale-reply', `${file}: ${old} rows are over 37 hours old, at most ${OLD_ROWS}`);
}

type List = ReturnType<ReplyReader['read']>;

const isDeparted = ({ row }: Mention): boolean => readRemark(row) === HAS_DEPARTED;

/**
 * Throws `RefusedReply` (`stale-reply`) when vessels that have arrived are not in port, or vessels that have left still are. Vessels
 * may lie in port for months, so the ages of the rows say nothing.
 */
function refuseContradicted(inPort: NonNullable<List>, arrived: List, departed: List): void {
  const leftAt = new Map(departed?.taken.map(({ vessel, at }) => [vessel.vesselId, at]));
  const hasLeft = ({ vessel, at }: Mention): boolean => (leftAt.get(vessel.vesselId) ?? 0) > at;
  const present = new Set([...inPort.taken.map(({ vessel }) => vessel.vesselId), ...inPort.unreadable]);
  const absent = (arrived?.taken ?? []).filter(
    (row) => !isDeparted(row) && !hasLeft(row) && !present.has(row.vessel.vesselId),
  ).length;
  const left = inPort.taken.filter(hasLeft).length;
  if (absent > MAX_ABSENT || left > MAX_LEFT)
    throw new RefusedReply(
      'stale-reply',
      `${IN_PORT.file}: it lacks ${absent} vessels that have arrived, and has ${left} that have departed`,
    );
}

const toInPort = ({ vessel, at }: Mention): VesselInPort => ({ ...vessel, ataAt: at });

const toDeparted = ({ vessel: { imo: _, vesselClass: __, ...vessel }, at }: Mention): VesselDeparted => ({
  ...vessel,
  atdAt: at,
});

const toArrived = (mention: Mention): VesselArrived => ({
  ...toInPort(mention),
  departed: isDeparted(mention),
});

/**
 * One poll as of the fetch, because the reports state no time. It needs two of the three lists, and the list of vessels in port can be
 * judged only by another. Throws `RefusedReply`: `stale-reply` when lists were made hours ago, else the reason of the first refusal.
 */
export function parseReports(fetched: ArchivedFetch): ParsedFetch {
  const { fetchedAt } = fetched;
  const reader = new ReplyReader(fetched);
  const listed = reader.read(IN_PORT);
  const arrived = reader.read(ARRIVED);
  const departed = reader.read(DEPARTED);
  const { refusals, lists, notices } = reader;
  const inPort =
    listed &&
    (arrived ?? departed) &&
    readPart(refusals, () => {
      refuseContradicted(listed, arrived, departed);
      return listed;
    });
  if ([inPort, arrived, departed].filter((list) => list !== undefined).length < 2) {
    const isStale = 'stale-reply' in refusals.byReason;
    const cause = refusals.first.find(({ reason }) => !isStale || reason === 'stale-reply');
    throw new RefusedReply(
      isStale ? 'stale-reply' : (cause?.reason ?? 'incomplete'),
      `fewer than two of the three lists can be used: ${cause?.detail ?? 'the others are missing'}`,
    );
  }
  const poll: PortPoll = {
    kind: 'poll',
    port: PORT,
    observedAt: fetchedAt,
    inPort: inPort?.taken.map(toInPort),
    unreadable: inPort?.unreadable.length ? inPort.unreadable : undefined,
    arrived: arrived?.taken.map(toArrived),
    departed: departed?.taken.map(toDeparted),
    reachMs: REACH_MS,
  };
  const used = lists.filter(({ list }) => list !== IN_PORT.root || inPort !== undefined);
  return { asOfAt: fetchedAt, reports: [poll], refusals, lists: used, notices };
}
