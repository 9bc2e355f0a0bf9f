/** Parses a fetch of the reports into one poll of Hong Kong. A bad row or report is refused, and the rest is accepted. */

import type {
  Notice,
  PortPoll,
  Traffic,
  VesselArrived,
  VesselClass,
  VesselDeparted,
  VesselInPort,
} from '../../calls/observation.ts';
import type { Position } from '../../calls/port-call.ts';
import type { Instant } from '../../reference/time.ts';
import { filledFields, rowFaults } from '../../upstream/fields.ts';
import { readPart } from '../../upstream/files/part.ts';
import { type XmlRow, xmlRow } from '../../upstream/files/xml.ts';
import { type Refusal, Refusals } from '../../upstream/refusals.ts';
import { type ArchivedFetch, type ListCount, type ParsedFetch, RefusedReply } from '../../upstream/source.ts';
import { hkMarineDepartmentDeclaration } from './declaration.ts';
import { readClass, readImo, readPlace, readTime, readTraffic, readVesselId } from './fields.ts';
import { ARRIVED, DEPARTED, IN_PORT, type ReportForm, readRows } from './reports.ts';

const PORT = 'HKHKG';

/** A readable row: vessel, time and place. */
interface Mention extends Position {
  readonly vesselId: string;
  readonly imo?: string;
  readonly at: Instant;
  readonly traffic: Traffic;
  readonly vesselClass?: VesselClass;
  readonly row: XmlRow;
}

interface Mentions {
  readonly taken: readonly Mention[];
  /** Vessels of refused rows, where the row at least names one. */
  readonly unreadable: readonly string[];
}

/** Names of the elements with the time and the place. */
interface Columns {
  readonly time: string;
  readonly place: string;
}

const AT_PRESENT: Columns = { time: 'ARRIVAL_TIME', place: 'CURRENT_LOCATION' };
const AT_DEPARTURE: Columns = { time: 'ATD_TIME', place: 'LAST_BERTH' };

const quoted = (text: string): string => JSON.stringify(text.slice(0, 80));

class ReplyReader {
  readonly refusals = new Refusals();
  readonly lists: ListCount[] = [];
  private readonly unknownPlaces = new Map<string, number>();

  constructor(private readonly fetched: ArchivedFetch) {}

  /** One notice for each place name that `places.ts` lacks. */
  get notices(): Notice[] {
    return [...this.unknownPlaces].map(([name, rows]) => ({
      reason: 'unknown-place',
      detail: `${quoted(name)} in ${rows} rows`,
    }));
  }

  /**
   * Undefined when the report is missing or refused, which is not the same as empty. Throws `RefusedReply` (`missing-field`)
   * when none of its rows has a needed field: the form has changed.
   */
  read(report: ReportForm, columns: Columns): Mentions | undefined {
    const bytes = this.fetched.files.get(report.file);
    if (bytes === undefined) return undefined;
    return readPart(this.refusals, () => this.mentions(readRows(bytes, report), report, columns));
  }

  private mentions(elements: readonly unknown[], report: ReportForm, columns: Columns): Mentions {
    const taken: Mention[] = [];
    const unreadable: string[] = [];
    const rows = elements.map(xmlRow);
    const faults = rowFaults(hkMarineDepartmentDeclaration, report.root, elements, report.file);
    for (const [index, row] of rows.entries()) {
      const mention = this.mention(row, columns, faults[index]);
      if (!('reason' in mention)) {
        taken.push(mention);
        continue;
      }
      const vesselId = readVesselId(row.get('CALL_SIGN'));
      if (vesselId !== undefined) unreadable.push(vesselId);
      const who = vesselId ?? 'no vessel';
      const detail = `${report.file} row ${index + 1} (${who}): ${mention.detail}`;
      this.refusals.push({ reason: mention.reason, detail });
    }
    if (rows.length > 0 && taken.length === 0) {
      throw new RefusedReply('unreadable', `${report.file}: none of its ${rows.length} rows could be read`);
    }
    const refused = rows.length - taken.length;
    const filled = filledFields(hkMarineDepartmentDeclaration, report.root, elements);
    this.lists.push({ list: report.root, port: PORT, rows: rows.length, refused, days: 1, filled });
    return { taken, unreadable };
  }

  private mention(row: XmlRow, columns: Columns, fault: string | undefined): Mention | Refusal {
    const callSign = row.get('CALL_SIGN') ?? '';
    const vesselId = readVesselId(callSign);
    if (vesselId === undefined) return { reason: 'missing-vessel', detail: `call sign ${quoted(callSign)}` };
    const timeText = row.get(columns.time)?.trim() ?? '';
    const at = readTime(timeText, this.fetched.fetchedAt);
    if (typeof at === 'string') return { reason: at, detail: `${columns.time} ${quoted(timeText)}` };
    if (fault !== undefined) return { reason: 'malformed', detail: fault };
    const shipType = row.get('SHIP_TYPE');
    return {
      vesselId,
      ...readImo(row.get('IMO_NO')),
      at,
      ...this.position(row, columns),
      traffic: readTraffic(shipType),
      ...readClass(shipType),
      row,
    };
  }

  /** An unknown place counts as `moving`, so that the vessel and its time are not lost. */
  private position(row: XmlRow, columns: Columns): Position {
    const { zone, place } = readPlace(row.get(columns.place) ?? '');
    if (zone !== undefined) return { zone, place };
    this.unknownPlaces.set(place, (this.unknownPlaces.get(place) ?? 0) + 1);
    return { zone: 'moving', place };
  }
}

const toInPort = ({ row: _, at, ...mention }: Mention): VesselInPort => ({ ...mention, ataAt: at });

const toDeparted = ({ row: _, imo: __, vesselClass: ___, at, ...mention }: Mention): VesselDeparted => ({
  ...mention,
  atdAt: at,
});

const toArrived = (mention: Mention): VesselArrived => ({
  ...toInPort(mention),
  departed: mention.row.get('REMARK')?.trim().toUpperCase() === 'DEPARTED',
});

/**
 * One poll, with the lists whose reports could be read. The reports state no time of their own, so the time of the poll
 * is that of the fetch. Throws `RefusedReply` when no report could be read.
 */
export function parseReports(fetched: ArchivedFetch): ParsedFetch {
  const { fetchedAt } = fetched;
  const reader = new ReplyReader(fetched);
  const inPort = reader.read(IN_PORT, AT_PRESENT);
  const arrived = reader.read(ARRIVED, AT_PRESENT);
  const departed = reader.read(DEPARTED, AT_DEPARTURE);
  const { refusals } = reader;
  if (!inPort && !arrived && !departed) {
    const [first] = refusals.first;
    const detail = refusals.first.map((refusal) => refusal.detail).join('; ');
    throw new RefusedReply(first?.reason ?? 'empty', detail || 'the fetch has none of the reports');
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
  return { asOfAt: fetchedAt, reports: [poll], refusals, lists: reader.lists, notices: reader.notices };
}
