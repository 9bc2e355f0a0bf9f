/** Parses a fetch of the reports into one poll of Hong Kong. A bad row or report is refused, and the rest is accepted. */

import type {
  Notice,
  PortPoll,
  VesselArrived,
  VesselDeparted,
  VesselInPort,
} from '../../calls/observation.ts';
import type { Instant } from '../../reference/time.ts';
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
    if (rows > 0 && taken.length === 0)
      throw new RefusedReply('unreadable', `${file}: none of its ${rows} rows could be read`);
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

const toInPort = ({ vessel, at }: Mention): VesselInPort => ({ ...vessel, ataAt: at });

const toDeparted = ({ vessel: { imo: _, vesselClass: __, ...vessel }, at }: Mention): VesselDeparted => ({
  ...vessel,
  atdAt: at,
});

const toArrived = (mention: Mention): VesselArrived => ({
  ...toInPort(mention),
  departed: readRemark(mention.row) === HAS_DEPARTED,
});

/** One poll as of the fetch, because the reports state no time. Throws `RefusedReply` when no report could be read. */
export function parseReports(fetched: ArchivedFetch): ParsedFetch {
  const { fetchedAt } = fetched;
  const reader = new ReplyReader(fetched);
  const inPort = reader.read(IN_PORT);
  const arrived = reader.read(ARRIVED);
  const departed = reader.read(DEPARTED);
  const { refusals, lists, notices } = reader;
  if (!inPort && !arrived && !departed) {
    const detail = refusals.first.map((refusal) => refusal.detail).join('; ');
    const reason = refusals.first[0]?.reason ?? 'empty';
    throw new RefusedReply(reason, detail || 'the fetch has none of the reports');
  }
  const poll: PortPoll = {
    kind: 'poll',
    port: PORT,
    observedAt: fetchedAt,
    inPort: inPort?.taken.map(toInPort),
    unreadable: inPort?.unreadable.length ? inPort.unreadable : undefined,
    arrived: arrived?.taken.map(toArrived),
    departed: departed?.taken.map(toDeparted),
  };
  return { asOfAt: fetchedAt, reports: [poll], refusals, lists, notices };
}
