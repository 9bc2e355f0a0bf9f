/** Parses a fetch of the reports into one poll of Hong Kong. A bad row or report is refused, and the rest is accepted. */
import type {
  Notice,
  PollObservation,
  Traffic,
  VesselArrived,
  VesselClass,
  VesselDeparted,
  VesselInPort,
  Zone,
} from '../../calls/observation.ts';
import { WITHIN } from '../../calls/port-call.ts';
import { groupBy } from '../../reference/statistics.ts';
import { EARLIEST_EVENT_AT, HOUR_MS, type Instant } from '../../reference/time.ts';
import { filledFields, IMO_NUMBER, rowFaults } from '../../upstream/fields.ts';
import {
  isXmlElement,
  readPart,
  readXml,
  replyText,
  type XmlRow,
  xmlRow,
} from '../../upstream/files/text.ts';
import {
  type ArchivedFetch,
  type ListCount,
  type ParsedFetch,
  type Refusal,
  Refusals,
  RefusedReply,
} from '../../upstream/source.ts';
import { hkMarineDepartmentDeclaration as declaration, HONG_KONG_TIMES } from './declaration.ts';

// The fields of a row: its vessel (call sign, IMO number where the report has one, cargo or not), time and place.

const CALL_SIGN = /^[A-Z0-9][A-Z0-9 ./-]{0,19}$/;

/** Types (SHIP_TYPE) that count in no figure. `OTHER` is barges, cable layers and work vessels. */
const CRAFT = /^(?:PASSENGER|FISHING|TUG|PLEASURE|YACHT|OTHER$)/;
const CARGO =
  /^(?:CONTAINER|BULK|GENERAL|TANKER|CHEMICAL|LIQUIFIED|CAR CARRIER|RORO|MULTI-PURPOSE|LNG POWERED)/;

/** Words that stand for a missing call sign: several vessels would share one id. */
const NO_CALL_SIGN = new Set(['0', 'N/A', 'NA', 'NIL', 'NONE', 'NULL', 'UNKNOWN']);

/** The vessel's id; undefined when the row names none. */
function readVesselId(callSign: string | undefined): string | undefined {
  const id = callSign?.trim().toUpperCase() ?? '';
  return CALL_SIGN.test(id) && !NO_CALL_SIGN.has(id) ? id : undefined;
}

/** The IMO number if valid. `TEMP00167` is not one. */
function readImo(text: string | undefined): { readonly imo?: string } {
  const imo = IMO_NUMBER.read(text?.trim() ?? '');
  return imo === undefined ? {} : { imo };
}

/** Traffic of a ship type; a type that neither list has is unknown. */
function readTraffic(shipType: string | undefined): Traffic {
  const type = shipType?.trim().toUpperCase() ?? '';
  if (CRAFT.test(type)) return 'ferry';
  return CARGO.test(type) ? 'cargo' : 'unknown';
}

const CLASSES: readonly (readonly [RegExp, VesselClass])[] = [
  [/^CONTAINER/, 'container'],
  [/^BULK/, 'bulk'],
  [/^(?:TANKER|CHEMICAL|LIQUIFIED (?:PETROLEUM|NATURAL) GAS TANKER)/, 'tanker'],
];

/** Class of a ship type; none for a vessel without a type. */
function readClass(shipType: string | undefined): { readonly vesselClass?: VesselClass } {
  const type = shipType?.trim().toUpperCase() ?? '';
  if (type === '') return {};
  return { vesselClass: CLASSES.find(([pattern]) => pattern.test(type))?.[1] ?? 'other' };
}

// The time of a row, in one of the two forms of the reports.

/** Clocks differ; a time further ahead of the fetch than this is refused. In 170 real reports no time is ahead of its fetch. */
const FURTHEST_AHEAD_MS = HOUR_MS;

export type TimeFault = 'impossible-time' | 'future-time';

/** Parses a time of a report fetched at `fetchedAt`; returns a fault for an invalid time or one in the future. */
export function readTime(text: string, fetchedAt: Instant): Instant | TimeFault {
  const at = HONG_KONG_TIMES.map((form) => form.read(text)).find((time) => time !== undefined);
  if (at === undefined || at < EARLIEST_EVENT_AT) return 'impossible-time';
  return at > fetchedAt + FURTHEST_AHEAD_MS ? 'future-time' : at;
}

/** In order of precedence: an anchorage off a terminal is an anchorage, a terminal on an island is a terminal. */
const ZONES: readonly { readonly zone: Zone; readonly names: RegExp }[] = [
  { zone: 'anchorage', names: /\bANCHORAGES?\b/ },
  // A shelter for small craft or a buoy on a fairway is neither anchorage nor berth, whatever the rest of the name.
  { zone: 'moving', names: /\b(?:TYPHOON SHELTER|BUOYS?)\b/ },
  {
    zone: 'berth',
    names:
      /\b(?:BERTHS?|TERMINALS?|(?:DRY |FLOATING )?DOCKS?|DOCKYARD|SHIPYARD|WHARF|WHARVES|PIERS?|JETTY|JETTIES|QUAY|BASIN|DEPOT|SLIPWAY|MOORINGS?|CARGO WORKING AREA|PCWA|FISH MARKET|POWER STATION|CEMENT|BIODIESEL|OIL|GAS|LNG|AVIATION FUEL FACILITY)\b/,
  },
  // Vessels load and discharge general cargo at the buoys west of Stonecutters Island.
  { zone: 'berth', names: /^STONECUTTERS? IS(?:\.|LAND)? \(NGONG SHUEN CHAU\) WEST\b/ },
  {
    zone: 'berth',
    names:
      /\b(?:CHINA MERCHANTS?|EUROASIA|SINOPEC|EXXON ?MOBIL|ESSO|SHELL|CALTEX|CHEVRON|FEOSO|PETROCHINA|TOWNGAS|HK ELECTRIC|HONG KONG ELECTRIC|CLP|CASTLE PEAK POWER|GREEN ISLAND CEMENT|SHIU WING|YIU LIAN|HUD|HONGKONG UNITED|STONECUTTERS NAVAL|RIVER TRADE)\b/,
  },
  {
    zone: 'moving',
    names:
      /\b(?:CHANNELS?|FAIRWAY|PASSAGE|STRAITS?|ROADS?|PILOT|ISLANDS?|ISLETS?|BAY|HARBOUR|SHELTER|POINT|LIGHT|SOUND|BANK|WATERS|LIMITS?|PART|WAN|CHAU|TSUI|KOK|MUN|TAU|SHEK|WAGLAN|POTOI|PO TOI|TATHONG|LAMMA|LANTAU|NINEPINS?|TSING YI|MA ?WAN|TUEN MUN|KWAI CHUNG|KWUN TONG|KAI TAK|KAU YI|URMSTON|SULPHUR|KELLETT|ADAMASTA|BEAUFORT|CHEK LAP KOK|SHEKOU|YANTIAN|MIRS|TOLO)\b/,
  },
];

/** Berths within a terminal, where the reports use both the terminal's name and the berth's. */
const EXACT: readonly { readonly name: RegExp; readonly wider: string; readonly prefix: string }[] = [
  {
    name: /^KWAI ?CHUNG CONTR?\.? ?BERTH NO\. ?(\d+[A-Z]?)\b/,
    wider: 'KWAI CHUNG CONTAINER TERMINAL',
    prefix: 'BERTH ',
  },
  { name: /^YIU LIAN DOCK NO\. ?(\d+)\b/, wider: 'YIU LIAN DOCK', prefix: 'NO.' },
];

/** One spelling for each place: single spaces, upper case, an exact berth within its terminal. */
function spelt(text: string): string {
  const name = text.replaceAll('>', ' ').replace(/\s+/g, ' ').trim().toUpperCase();
  for (const { name: pattern, wider, prefix } of EXACT) {
    const number = pattern.exec(name)?.[1];
    if (number !== undefined) return `${wider}${WITHIN}${prefix}${number}`;
  }
  return name;
}

/** The place that a report names, and its use; `zone` is undefined for an unknown name. */
export function readPlace(text: string): { readonly zone: Zone | undefined; readonly place: string } {
  const place = spelt(text);
  return { zone: ZONES.find(({ names }) => names.test(place))?.zone, place };
}

// The reports of the Marine Department: their addresses, their files in the archive and their root elements.

export interface ReportForm {
  /** Name in the archive, which is the upstream's own. */
  readonly file: string;
  /** Root element. */
  readonly root: string;
  /** Names of the elements with the time and the place. */
  readonly time: string;
  readonly place: string;
}

const form = (code: string, time: string, place: string): ReportForm => ({
  file: `${code}i.XML`,
  root: `${code}IXML`,
  time,
  place,
});

/** Vessels arrived in the last 36 hours, with the last place of each and whether it has departed. */
const ARRIVED = form('RP05005', 'ARRIVAL_TIME', 'CURRENT_LOCATION');
/** Vessels departed in the last 36 hours. */
const DEPARTED = form('RP05505', 'ATD_TIME', 'LAST_BERTH');
/** Vessels in port now. */
const IN_PORT = form('RP06005', 'ARRIVAL_TIME', 'CURRENT_LOCATION');
/** Vessels due to arrive: archived for later use, and not read. */
export const DUE = { file: 'RP04005i.XML' };

/** The reports of a poll. */
export const POLL_REPORTS: readonly ReportForm[] = [ARRIVED, DEPARTED, IN_PORT];

const BASE = 'https://www.mardep.gov.hk/e_files/en/opendata/';

/** Where the report is published. */
export const address = ({ file }: Pick<ReportForm, 'file'>): string => BASE + file;

const ROW = 'G_SQL1';

/** Rows of the report in `bytes`. Throws `RefusedReply` when it is not that complete report. */
function readRows(bytes: Uint8Array, { file, root }: ReportForm): unknown[] {
  const text = replyText(file, bytes, declaration.maxReplyBytes);
  const { root: found, content } = readXml(file, text, [ROW], declaration.maxRows);
  if (found !== root) throw new RefusedReply('wrong-root', `${file}: root is ${found.slice(0, 60)}`);
  if (content === '') return [];
  const rows = isXmlElement(content) ? content[ROW] : undefined;
  if (!Array.isArray(rows)) throw new RefusedReply('malformed', `${file}: no rows under its root`);
  return rows;
}

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
 * Vessels that one list states and another, made at the same time, does not, at most. In 54 real polls: none in port that had arrived in
 * this time and was not on the list of arrivals, one departed by its remark alone, one arrived and not in port, two in port that had
 * departed, and none with two times of arrival.
 */
const MAX_LACKED = 3;
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

interface Lists {
  readonly inPort: List;
  readonly arrived: List;
  readonly departed: List;
}

/** The lists that were made hours before the others, with what they lack. Throws `RefusedReply` (`contradictory`) where no age explains it. */
function staleAmong({ inPort, arrived, departed }: Lists, fetchedAt: Instant): Map<ReportForm, string> {
  const idsOf = (list: List): Set<string> =>
    new Set([...(list?.taken ?? []).map(({ vessel }) => vessel.vesselId), ...(list?.unreadable ?? [])]);
  const [inPortIds, arrivedIds, departedIds] = [idsOf(inPort), idsOf(arrived), idsOf(departed)];
  const leftAt = new Map(departed?.taken.map(({ vessel, at }) => [vessel.vesselId, at]));
  const hasLeft = ({ vessel, at }: Mention): boolean => (leftAt.get(vessel.vesselId) ?? 0) >= at;
  const count = (list: List, isCounted: (row: Mention) => boolean): number =>
    (list?.taken ?? []).filter(isCounted).length;
  const isRecent = ({ at }: Mention): boolean => at >= fetchedAt - REACH_MS;

  const absent =
    inPort === undefined
      ? 0
      : count(arrived, (row) => !isDeparted(row) && !hasLeft(row) && !inPortIds.has(row.vessel.vesselId));
  const left = count(inPort, hasLeft);
  const unlisted =
    arrived === undefined ? 0 : count(inPort, (row) => isRecent(row) && !arrivedIds.has(row.vessel.vesselId));
  const unmarked = count(arrived, (row) => !isDeparted(row) && hasLeft(row));
  const undeparted =
    departed === undefined
      ? 0
      : count(arrived, (row) => isDeparted(row) && !departedIds.has(row.vessel.vesselId));

  const arrivalsOf = groupBy(arrived?.taken ?? [], ({ vessel }) => vessel.vesselId);
  const otherwise = count(inPort, ({ vessel, at }) => {
    const arrivals = arrivalsOf.get(vessel.vesselId);
    return arrivals?.every((arrival) => arrival.at !== at) ?? false;
  });
  if (otherwise > MAX_LACKED)
    throw new RefusedReply(
      'contradictory',
      `${otherwise} vessels have another arrival in ${ARRIVED.file} and ${IN_PORT.file}`,
    );
  // An old list of the vessels in port would lack arrivals too.
  if (left > MAX_LEFT && arrived !== undefined && absent <= 1)
    throw new RefusedReply(
      'contradictory',
      `${left} vessels are in ${IN_PORT.file} and have left by ${DEPARTED.file}`,
    );
  const found: [ReportForm, boolean, string][] = [
    [
      IN_PORT,
      absent > MAX_LACKED || left > MAX_LEFT,
      `it lacks ${absent} vessels that have arrived, and has ${left} that have departed`,
    ],
    [
      ARRIVED,
      unlisted > MAX_LACKED || unmarked > MAX_LACKED,
      `it lacks ${unlisted} vessels in port, and ${unmarked} departures`,
    ],
    [DEPARTED, undeparted > MAX_LACKED, `it lacks ${undeparted} vessels that have departed`],
  ];
  return new Map(
    found.flatMap(([report, isStale, words]) => (isStale ? [[report, `${report.file}: ${words}`]] : [])),
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
 * judged only by another. Throws `RefusedReply`: `stale-reply` when lists were made hours ago, `contradictory`, else the reason of the first
 * refusal.
 */
export function parseReports(fetched: ArchivedFetch): ParsedFetch {
  const { fetchedAt } = fetched;
  const reader = new ReplyReader(fetched);
  const read = {
    inPort: reader.read(IN_PORT),
    arrived: reader.read(ARRIVED),
    departed: reader.read(DEPARTED),
  };
  const { refusals, lists, notices } = reader;
  const stale = staleAmong(read, fetchedAt);
  for (const detail of stale.values()) refusals.push({ reason: 'stale-reply', detail });
  const arrived = stale.has(ARRIVED) ? undefined : read.arrived;
  const departed = stale.has(DEPARTED) ? undefined : read.departed;
  const inPort = stale.has(IN_PORT) || (arrived ?? departed) === undefined ? undefined : read.inPort;
  if ([inPort, arrived, departed].filter((list) => list !== undefined).length < 2) {
    const isStale = 'stale-reply' in refusals.byReason;
    const cause = refusals.first.find(({ reason }) => !isStale || reason === 'stale-reply');
    throw new RefusedReply(
      isStale ? 'stale-reply' : (cause?.reason ?? 'incomplete'),
      `fewer than two of the three lists can be used: ${cause?.detail ?? 'the others are missing'}`,
    );
  }
  const poll: PollObservation = {
    kind: 'poll',
    port: PORT,
    observedAt: fetchedAt,
    inPort: inPort?.taken.map(toInPort),
    unreadable: inPort?.unreadable.length ? inPort.unreadable : undefined,
    arrived: arrived?.taken.map(toArrived),
    departed: departed?.taken.map(toDeparted),
    reachMs: REACH_MS,
  };
  const unused = [...stale.keys(), ...(inPort === undefined ? [IN_PORT] : [])].map(({ root }) => root);
  const used = lists.filter(({ list }) => !unused.includes(list));
  return { asOfAt: fetchedAt, observations: [poll], refusals, lists: used, notices };
}
