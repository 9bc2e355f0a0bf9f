/** A table of calls: a CSV file with a row for each stay, read into port calls. docs/table-of-calls.md is its format. */
import { parse } from 'csv-parse';
import type { CallRecord, RecordedStop, Traffic, VesselClass, Zone } from '../../calls/observation.ts';
import { isLocode, type Locode } from '../../reference/codes.ts';
import {
  DAY_MS,
  EARLIEST_EVENT_AT,
  formatInstant,
  type Instant,
  type Interval,
  parseInstant,
} from '../../reference/time.ts';
import { MAX_ID_BYTES, MAX_TEXT, WHOLE_NUMBER } from '../../upstream/fields.ts';

// Local times of a time zone as instants.

const formats = new Map<string, Intl.DateTimeFormat>();

/** The clock of a zone. Throws `RangeError` for a name that is not an IANA time zone. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formats.set(timeZone, format);
  return format;
}

export function isTimeZone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** Milliseconds by which the zone's clock is ahead of UTC. */
function offsetAt(at: Instant, timeZone: string): number {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, WHOLE_NUMBER.read(value)]),
  );
  const of = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return local - at;
}

/** Offsets a day around a local time, by its day and zone: a table has thousands of times of one day. */
const offsets = new Map<string, readonly number[]>();

function offsetsAround(local: Instant, timeZone: string): readonly number[] {
  const key = `${timeZone} ${Math.floor(local / DAY_MS)}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const dayAt = Math.floor(local / DAY_MS) * DAY_MS;
  const found = [...new Set([dayAt - DAY_MS, dayAt + 2 * DAY_MS].map((at) => offsetAt(at, timeZone)))];
  offsets.set(key, found);
  return found;
}

/**
 * The instants at which clocks of the zone show a time, earliest first: none where the clock was put forward over it, or where the date
 * does not exist; two where it was put back.
 * @param text `YYYY-MM-DDTHH:MM:SS`
 */
export function localTimes(text: string, timeZone: string): Instant[] {
  const local = parseInstant(`${text}Z`);
  if (local === undefined) return [];
  const around = offsetsAround(local, timeZone);
  if (around.length === 1) return around.map((offset) => local - offset);
  return around
    .map((offset) => local - offset)
    .filter((at) => at + offsetAt(at, timeZone) === local)
    .sort((a, b) => a - b);
}

/** Columns of the table; any other column is ignored. */
const NEEDED = ['port', 'call', 'kind', 'start', 'end'] as const;
const OPTIONAL = ['vessel', 'imo', 'vessel_type', 'gross_tonnage', 'length_m', 'arrived', 'place'] as const;
type Column = (typeof NEEDED)[number] | (typeof OPTIONAL)[number];

/** Words of `vessel_type`, with the figures in which such a vessel counts. */
const VESSEL_TYPES: Readonly<
  Record<string, { readonly traffic: Traffic; readonly vesselClass?: VesselClass }>
> = {
  container: { traffic: 'cargo', vesselClass: 'container' },
  bulk: { traffic: 'cargo', vesselClass: 'bulk' },
  tanker: { traffic: 'cargo', vesselClass: 'tanker' },
  other: { traffic: 'cargo', vesselClass: 'other' },
  cargo: { traffic: 'cargo' },
  visitor: { traffic: 'visitor' },
  passenger: { traffic: 'ferry' },
  service: { traffic: 'ferry' },
  '': { traffic: 'unknown' },
};

const ZONES: Readonly<Record<string, Zone>> = { anchorage: 'anchorage', berth: 'berth' };

/** A row that is not used. `line` is that of the file, counted from 1. */
interface RowFault {
  readonly line: number;
  readonly reason: string;
}

/** A port's calls in one table. */
export interface TableOfPort {
  readonly port: Locode;
  /** In order of their first stay. */
  readonly calls: readonly CallRecord[];
  /** From the first start to the last end or start. */
  readonly span: Interval;
  readonly stays: number;
}

export interface CallTable {
  /** By UN/LOCODE. */
  readonly ports: readonly TableOfPort[];
  /** Rows with data, used or not; of those used, stays that another row repeats count once. */
  readonly rows: number;
  readonly faults: readonly RowFault[];
  /** Local times that a change of the clock makes ambiguous. */
  readonly ambiguous: number;
}

export interface TableOptions {
  /** Time zone of times without an offset, for example `Europe/Madrid`. */
  readonly timeZone?: string | undefined;
  /** When the table is read: times after it are faults. */
  readonly nowAt: Instant;
  /** Reads the rows of these ports alone, as they are written but in upper case; those of the others are passed over. */
  readonly ports?: ReadonlySet<string> | undefined;
}

/** The file is not a table of calls; the message says what is missing. */
export class UnreadableTable extends Error {
  override readonly name = 'UnreadableTable';
}

/** A cell's readings as an instant: two where the local time occurs twice. */
type Readings = readonly [Instant, ...Instant[]];

interface RowStay {
  readonly line: number;
  readonly zone: Zone;
  readonly place: string;
  /** The readings are a list for the two times a year that occur twice: a table of a million rows has no room for more. */
  readonly start: Instant | Readings;
  readonly end: Instant | Readings | undefined;
}

interface CallRows {
  readonly line: number;
  readonly vesselId: string;
  readonly type: string;
  readonly arrived: string;
  readonly arrivedAt: Readings | undefined;
  readonly stays: RowStay[];
}

class RowFaultError extends Error {}

const isImo = (text: string): boolean => /^(?:IMO ?)?\d{7}$/i.test(text);

/** The readings of a time. Throws `RowFaultError` where it is none, does not exist, or lies outside what can be. */
function timeOf(column: Column, text: string, { timeZone, nowAt }: TableOptions): Readings {
  const stated = parseInstant(text.replace(' ', 'T').replace(/(T\d{2}:\d{2})(?=Z|[+-])/, '$1:00'));
  const local = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(?::(\d{2}))?$/.exec(text);
  if (stated === undefined && local === null)
    throw new RowFaultError(
      `${column} ${text} is not a time: write 2019-03-31T01:30:00Z, with an offset, or 2019-03-31 01:30 with a time zone in --about`,
    );
  if (stated === undefined && timeZone === undefined)
    throw new RowFaultError(`${column} ${text} has no offset, and no time zone is stated in --about`);
  const [, date = '', minute = '', second = '00'] = local ?? [];
  const readings =
    stated === undefined ? localTimes(`${date}T${minute}:${second}`, timeZone ?? '') : [stated];
  const [first, ...more] = readings;
  if (first === undefined)
    throw new RowFaultError(`${column} ${text} does not exist in ${timeZone}, or is not a date`);
  if (first < EARLIEST_EVENT_AT) throw new RowFaultError(`${column} ${text} lies before 2000`);
  if (first > nowAt)
    throw new RowFaultError(`${column} ${text} lies in the future: it is ${formatInstant(nowAt)}`);
  return [first, ...more];
}

const UNDECODED = '\ufffd';

function textOf(column: Column, text: string, isId: boolean): string {
  if (isId && Buffer.byteLength(text) > MAX_ID_BYTES)
    throw new RowFaultError(`${column} has ${Buffer.byteLength(text)} bytes, at most ${MAX_ID_BYTES}`);
  // What cannot be decoded reads as one character, so that two names would be one.
  if (text.includes(UNDECODED))
    throw new RowFaultError(`${column} ${text} is not UTF-8 text: save the file as CSV UTF-8`);
  if (/\p{Cc}/u.test(text)) throw new RowFaultError(`${column} has a control character`);
  if (text.length > MAX_TEXT)
    throw new RowFaultError(`${column} has ${text.length} characters, at most ${MAX_TEXT}`);
  return text;
}

const readingsOf = (time: Instant | Readings): Readings => (typeof time === 'number' ? [time] : time);
const packed = (readings: Readings): Instant | Readings => (readings.length === 1 ? readings[0] : readings);
const earliestReading = (time: Instant | Readings | undefined): Instant =>
  time === undefined ? Number.POSITIVE_INFINITY : readingsOf(time)[0];
const latestReading = (time: Instant | Readings | undefined): Instant =>
  time === undefined ? Number.POSITIVE_INFINITY : (readingsOf(time).at(-1) ?? 0);

/** The earliest reading that is possible, else the earliest. */
const pick = (time: Instant | Readings, isPossible: (at: Instant) => boolean): Instant =>
  readingsOf(time).find(isPossible) ?? readingsOf(time)[0];

const isSameStay = (a: RowStay, b: RowStay): boolean =>
  a.zone === b.zone &&
  a.place === b.place &&
  earliestReading(a.start) === earliestReading(b.start) &&
  earliestReading(a.end) === earliestReading(b.end);

const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '');

/** The port of a row as it is written, in upper case. */
const portIn = (cells: readonly string[], columns: ReadonlyMap<Column, number>): string =>
  (cells[columns.get('port') ?? -1] ?? '').trim().toUpperCase();

/** Reads a file row by row. Its stays are put into order, and checked, once all rows of a call are known. */
class TableReader {
  rows = 0;
  ambiguous = 0;
  readonly faults: RowFault[] = [];
  private readonly ports = new Map<Locode, Map<string, CallRows>>();
  private readonly words = new Map<string, string>();

  constructor(
    private readonly columns: ReadonlyMap<Column, number>,
    private readonly options: TableOptions,
  ) {}

  read(cells: readonly string[], line: number): void {
    if (isBlank(cells)) return;
    if (this.options.ports?.has(portIn(cells, this.columns)) === false) return;
    this.rows += 1;
    try {
      this.take(cells, line);
    } catch (error) {
      if (!(error instanceof RowFaultError)) throw error;
      this.faults.push({ line, reason: error.message });
    }
  }

  end(): CallTable {
    const ports = [...this.ports]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([port, calls]) => {
        const records: CallRecord[] = [];
        for (const [callId, call] of calls) {
          const record = this.recordOf(callId, call);
          if (record !== undefined) records.push(record);
          calls.delete(callId);
        }
        if (records.length === 0) return [];
        let [fromAt, toAt] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
        for (const { stops } of records)
          for (const { ataAt = fromAt, atdAt = ataAt } of stops) {
            fromAt = Math.min(fromAt, ataAt);
            toAt = Math.max(toAt, atdAt);
          }
        records.sort((a, b) => startOf(a) - startOf(b) || (a.callId < b.callId ? -1 : 1));
        const stays = records.reduce((sum, { stops }) => sum + stops.length, 0);
        return [{ port, calls: records, span: { fromAt, toAt }, stays }];
      });
    this.faults.sort((a, b) => a.line - b.line);
    return { ports, rows: this.rows, faults: this.faults, ambiguous: this.ambiguous };
  }

  private take(cells: readonly string[], line: number): void {
    const cell = (column: Column): string => (cells[this.columns.get(column) ?? -1] ?? '').trim();
    const port = portIn(cells, this.columns);
    if (!isLocode(port)) throw new RowFaultError(`port ${cell('port')} is not a UN/LOCODE`);
    const callId = textOf('call', cell('call'), true);
    if (callId === '') throw new RowFaultError('call is empty');
    const zone = ZONES[cell('kind').toLowerCase()];
    if (zone === undefined) throw new RowFaultError(`kind ${cell('kind')} is neither anchorage nor berth`);
    const type = cell('vessel_type').toLowerCase();
    if (VESSEL_TYPES[type] === undefined)
      throw new RowFaultError(
        `vessel_type ${type} is none of ${Object.keys(VESSEL_TYPES).filter(Boolean).join(', ')}`,
      );
    const start = timeOf('start', cell('start'), this.options);
    const end = cell('end') === '' ? undefined : packed(timeOf('end', cell('end'), this.options));
    if (latestReading(end) < start[0])
      throw new RowFaultError(`end ${cell('end')} lies before start ${cell('start')}`);
    const arrived = cell('arrived');
    const arrivedAt = arrived === '' ? undefined : timeOf('arrived', arrived, this.options);
    const imo = cell('imo');
    if (imo !== '' && !isImo(imo)) throw new RowFaultError(`imo ${imo} has not seven digits`);
    const vessel = textOf('vessel', cell('vessel'), true);
    const vesselId = imo === '' ? vessel || `call:${callId}` : `imo:${imo.slice(-7)}`;
    const call = this.callOf(port, callId, { line, vesselId: this.one(vesselId), type, arrived, arrivedAt });
    if (call.vesselId !== vesselId)
      throw new RowFaultError(`call ${callId} has another vessel in line ${call.line}`);
    if (call.type !== type)
      throw new RowFaultError(`call ${callId} has another vessel_type in line ${call.line}`);
    if (call.arrived !== arrived)
      throw new RowFaultError(`call ${callId} has another arrived in line ${call.line}`);
    const place = this.one(textOf('place', cell('place'), false));
    call.stays.push({ line, zone, place, start: packed(start), end });
    for (const time of [packed(start), end]) if (typeof time === 'object') this.ambiguous += 1;
  }

  private callOf(port: Locode, callId: string, first: Omit<CallRows, 'stays'>): CallRows {
    const calls = this.ports.get(port) ?? new Map<string, CallRows>();
    this.ports.set(port, calls);
    const known = calls.get(callId);
    if (known !== undefined) return known;
    const call = { ...first, stays: [] };
    calls.set(callId, call);
    return call;
  }

  /** One copy of a text: a table of a million rows has few places. */
  private one(text: string): string {
    const known = this.words.get(text);
    if (known !== undefined) return known;
    this.words.set(text, text);
    return text;
  }

  /** The call with its stays in order; a stay that contradicts an earlier one is a fault of its row. */
  private recordOf(callId: string, call: CallRows): CallRecord | undefined {
    const stops: RecordedStop[] = [];
    let last: (RowStay & { readonly untilAt: Instant }) | undefined;
    const inOrder = call.stays.toSorted(
      (a, b) =>
        earliestReading(a.start) - earliestReading(b.start) ||
        compare(earliestReading(a.end), earliestReading(b.end)) ||
        a.line - b.line,
    );
    for (const stay of inOrder) {
      if (last !== undefined && isSameStay(last, stay)) continue;
      const freeAt = last?.untilAt ?? Number.NEGATIVE_INFINITY;
      const startAt = pick(stay.start, (at) => at >= freeAt && at <= latestReading(stay.end));
      if (startAt < freeAt) {
        this.faults.push({ line: stay.line, reason: overlapText(callId, last) });
        continue;
      }
      const endAt = stay.end === undefined ? undefined : pick(stay.end, (at) => at >= startAt);
      stops.push({
        zone: stay.zone,
        place: stay.place,
        ataAt: startAt,
        ...(endAt !== undefined && { atdAt: endAt }),
      });
      last = { ...stay, untilAt: endAt ?? Number.POSITIVE_INFINITY };
    }
    const [first] = stops;
    if (first === undefined) return undefined;
    const arrivedAt = call.arrivedAt && pick(call.arrivedAt, (at) => at <= (first.ataAt ?? at));
    if (arrivedAt !== undefined && arrivedAt > (first.ataAt ?? arrivedAt)) {
      this.faults.push({
        line: call.line,
        reason: `arrived ${call.arrived} lies after the first stay of call ${callId}`,
      });
      return undefined;
    }
    const { traffic, vesselClass } = VESSEL_TYPES[call.type] ?? { traffic: 'unknown' };
    return {
      callId,
      vesselId: call.vesselId,
      traffic,
      ...(vesselClass !== undefined && { vesselClass }),
      recordedAt: this.options.nowAt,
      stops,
      ataAt: arrivedAt ?? first.ataAt,
    };
  }
}

/** Orders numbers, which may be infinite. */
const compare = (a: number, b: number): number => (a === b ? 0 : a - b);

const overlapText = (
  callId: string,
  last: { readonly line: number; readonly end: unknown } | undefined,
): string =>
  last?.end === undefined
    ? `call ${callId}: the stay of line ${last?.line} has no end, and another one follows`
    : `call ${callId}: the stay begins before that of line ${last.line} has ended`;

const startOf = ({ stops: [first], ataAt }: CallRecord): Instant => first?.ataAt ?? ataAt ?? 0;

/** The places of the columns. Throws `UnreadableTable` for a header without a needed one, or with one twice. */
function readHeader(cells: readonly string[]): ReadonlyMap<Column, number> {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const columns = new Map<Column, number>();
  for (const column of [...NEEDED, ...OPTIONAL]) {
    const at = names.indexOf(column);
    if (at < 0) continue;
    if (names.lastIndexOf(column) !== at) throw new UnreadableTable(`the header has ${column} twice`);
    columns.set(column, at);
  }
  const missing = NEEDED.filter((column) => !columns.has(column));
  if (missing.length > 0) {
    const found = names.join(', ').slice(0, MAX_TEXT);
    if (found.includes(UNDECODED) || found.includes('\0'))
      throw new UnreadableTable('it is not UTF-8 text: save the file as CSV UTF-8');
    const isDividedOtherwise = cells.length === 1 && /[;\t|]/.test(found);
    throw new UnreadableTable(
      `the header has no ${missing.join(', ')}; it has ${found}${isDividedOtherwise ? ': separate the columns by commas' : ''}`,
    );
  }
  return columns;
}

/** Rows of one file are parsed in pieces, so that a million of them are never in memory as cells. */
const CHUNK_BYTES = 1 << 20;

/** Calls `onRow` for each row of the file. Throws `UnreadableTable` when it is not a CSV with the needed columns, or has no row. */
async function forEachRow(
  bytes: Uint8Array,
  onRow: (cells: readonly string[], line: number, columns: ReadonlyMap<Column, number>) => void,
): Promise<void> {
  const parser = parse({ bom: true, info: true, relax_column_count: true, relax_quotes: true });
  let columns: ReadonlyMap<Column, number> | undefined;
  let rows = 0;
  const fed = (async () => {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
      if (!parser.write(bytes.subarray(at, at + CHUNK_BYTES)))
        await new Promise((resolve) => parser.once('drain', resolve));
    parser.end();
  })();
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>)
      if (columns === undefined) columns = readHeader(record);
      else {
        onRow(record, info.lines, columns);
        if (!isBlank(record)) rows += 1;
      }
    await fed;
  } catch (error) {
    if (error instanceof UnreadableTable) throw error;
    throw new UnreadableTable(`it cannot be read as CSV: ${error instanceof Error ? error.message : error}`);
  }
  if (rows === 0) throw new UnreadableTable('it has no row');
}

/** The rows of each port, as it is written but in upper case. Throws `UnreadableTable`. */
export async function countRows(bytes: Uint8Array): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  await forEachRow(bytes, (cells, _line, columns) => {
    if (isBlank(cells)) return;
    const port = portIn(cells, columns);
    counts.set(port, (counts.get(port) ?? 0) + 1);
  });
  return counts;
}

/** Stays that are read into calls at a time: memory grows with them. A port is never divided. */
export const PART_STAYS = 250_000;
/** A file of at most this many bytes is one part: a row has 32 bytes and more. */
export const ONE_PART_BYTES = 32 * PART_STAYS;

/** The ports in groups of at most `PART_STAYS` stays together; a port with more is alone. */
export function partsOf(counts: Iterable<readonly [port: string, stays: number]>): string[][] {
  const parts: string[][] = [];
  let room = 0;
  for (const [port, stays] of counts) {
    const part = parts.at(-1);
    if (part === undefined || stays > room) {
      parts.push([port]);
      room = PART_STAYS - stays;
    } else {
      part.push(port);
      room -= stays;
    }
  }
  return parts;
}

/** Throws `UnreadableTable` when the file is not a CSV with the needed columns, or has no row. */
export async function readCallTable(bytes: Uint8Array, options: TableOptions): Promise<CallTable> {
  let reader: TableReader | undefined;
  await forEachRow(bytes, (cells, line, columns) => {
    reader ??= new TableReader(columns, options);
    reader.read(cells, line);
  });
  return reader?.end() ?? { ports: [], rows: 0, faults: [], ambiguous: 0 };
}
