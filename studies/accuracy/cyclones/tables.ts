/** The tables of CyPort (Kuai et al. 2025, CC BY 4.0): daily vessels in US ports, and the loss by each cyclone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { type Day, daysBetween, isDay } from '../../../core/reference/time.ts';

/** A count a day; undefined where none is known. */
export type DailyCounts = readonly (number | undefined)[];

export interface CountedPort {
  readonly port: string;
  /** By the index of the day. */
  readonly counts: DailyCounts;
}

/** A cyclone that passed a port. */
export interface Passage {
  readonly port: string;
  /** The name of the port. */
  readonly name: string;
  readonly from: Day;
  readonly to: Day;
  /** Largest relative loss of vessels, 0 to 1; 0 where the authors found none. */
  readonly loss: number;
  /** The day of that loss, and the one on which the vessels were back. */
  readonly lossOn?: Day | undefined;
  readonly recoveredOn?: Day | undefined;
}

export interface CyportTables {
  readonly days: readonly Day[];
  readonly ports: readonly CountedPort[];
  /** Passages near ports with counts; the others are left out. */
  readonly passages: readonly Passage[];
}

type Row = Readonly<Record<string, string>>;

/** The authors restart their counts on each 1 January: counts fall before the year ends, and climb for days after. */
const isNearReset = (day: Day): boolean => day.slice(5) >= '12-18' || day.slice(5) <= '01-08';

/** `9/3/2017`, with or without a time, or `2017-09-03`; undefined for none, which the authors write as 0. */
function readDay(text: string): Day | undefined {
  const [date = ''] = text.trim().split(' ');
  if (date === '' || date === '0') return undefined;
  const [month = '', day = '', year = ''] = date.split('/');
  const iso = isDay(date) ? date : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (!isDay(iso)) throw new RangeError(`${text} is not a day`);
  return iso;
}

function readNumber(row: Row, column: string): number | undefined {
  const text = row[column]?.trim() ?? '';
  if (text === '') return undefined;
  const value = Number(text);
  if (!(value >= 0)) throw new RangeError(`${column} is ${text}`);
  return value;
}

const rowsIn = (csv: Uint8Array): Row[] => parse(csv, { columns: true, skip_empty_lines: true, bom: true });

/** @throws RangeError for a table without days or ports, and for a value that is not a count. */
export function readCounts(csv: Uint8Array): Pick<CyportTables, 'days' | 'ports'> {
  const rows = rowsIn(csv);
  const columns = new Map(
    Object.keys(rows[0] ?? {})
      .filter((column) => column !== 'port')
      .map((column) => [readDay(column), column] as const),
  );
  const named = [...columns.keys()].filter((day) => day !== undefined).sort();
  const [first, last] = [named[0], named.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError('the counts have no day');
  const days = daysBetween(first, last);
  const ports = rows.map((row): CountedPort => {
    const counts = days.map((day) =>
      isNearReset(day) ? undefined : readNumber(row, columns.get(day) ?? ''),
    );
    return { port: row.port ?? '', counts };
  });
  return { days, ports };
}

/** @throws RangeError for a passage without its days, and for a loss above 1. */
export function readPassages(csv: Uint8Array): Passage[] {
  return rowsIn(csv).map((row) => {
    const port = row.PORT_ID ?? '';
    const [from, to] = [readDay(row.start_date ?? ''), readDay(row.end_date ?? '')];
    const loss = readNumber(row, 'max_impact') ?? 0;
    if (from === undefined || to === undefined) throw new RangeError(`a cyclone at port ${port} has no days`);
    if (loss > 1) throw new RangeError(`a cyclone at port ${port} has the loss ${loss}`);
    return {
      port,
      name: row.port ?? '',
      from,
      to,
      loss,
      lossOn: readDay(row.max_impact_date ?? ''),
      recoveredOn: readDay(row.end_recovery_date ?? ''),
    };
  });
}

/** Reads the tables in `folder`. */
export function readCyport(folder: string): CyportTables {
  const read = (file: string): Uint8Array => gunzipSync(readFileSync(join(folder, file)));
  const { days, ports } = readCounts(read('port_vessel_count.csv.gz'));
  const counted = new Set(ports.map(({ port }) => port));
  const passages = readPassages(read('interactions.csv.gz')).filter(({ port }) => counted.has(port));
  return { days, ports, passages };
}
