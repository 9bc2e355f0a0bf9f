/** Parses Census import tables into one report for each measure; a series never mixes measures. */
import { z } from 'zod';
import type { TradeReport, TradeValue } from '../../calls/observation.ts';
import { chapterExists, isHsCode } from '../../reference/hs-code.ts';
import { type Month, monthOf } from '../../reference/time.ts';
import { WHOLE_NUMBER } from '../../upstream/fields.ts';
import { readPart } from '../../upstream/files/part.ts';
import { replyJson } from '../../upstream/files/text.ts';
import { Refusals } from '../../upstream/refusals.ts';
import { type ArchivedFetch, type ParsedFetch, RefusedReply, refusedFor } from '../../upstream/source.ts';
import { usCensusTradeDeclaration as declaration, MEASURES, NEEDED_COLUMNS, TABLE } from './declaration.ts';

// The Census API's table: an array of arrays of text, the header first, columns in any order.

type Measure = (typeof MEASURES)[number];

const tableShape = z.array(z.array(z.string().nullable())).min(1);

interface TradeTable {
  readonly rows: readonly (readonly (string | null)[])[];
  /** Measures that the header names. */
  readonly measures: readonly Measure[];
  /** The cell of `row` under `column`; undefined when there is no such column or it is null. */
  cell(row: readonly (string | null)[], column: string): string | undefined;
}

/** Throws `RefusedReply`: `malformed` when it is not a table, `missing-field` when the header lacks a needed column. */
function readTable(name: string, content: unknown): TradeTable {
  const parsed = tableShape.safeParse(content);
  const [header, ...rows] = parsed.data ?? [];
  if (!header) throw new RefusedReply('malformed', `${name} is not a table of text`);
  // A predicate is returned as a column of its own, so a name may occur twice; the cells are then equal.
  const positions = new Map(header.map((column, index) => [column, index]));
  for (const [columns] of NEEDED_COLUMNS)
    if (!columns.some((column) => positions.has(column)))
      throw new RefusedReply(
        'missing-field',
        `${name} has no ${columns.join(' or ')}: ${header.join(',').slice(0, 80)}`,
      );
  return {
    rows,
    measures: MEASURES.filter((measure) => positions.has(measure)),
    cell: (row, column) => row[positions.get(column) ?? -1] ?? undefined,
  };
}

/** Digits of the code at each level that is served; finer ones change too often to be compared year on year. */
const CODE_LENGTHS: Readonly<Record<string, number>> = { HS2: 2, HS4: 4, HS6: 6 };
const FIRST_MONTH: Month = '1989-01';

type Row = TradeTable['rows'][number];

const isAllCountries = (table: TradeTable, row: Row): boolean =>
  table.cell(row, 'CTY_CODE') === '-' || table.cell(row, 'CTY_NAME') === 'TOTAL FOR ALL COUNTRIES';

/** `time`, or YEAR and MONTH in older replies. */
function monthIn(table: TradeTable, row: Row): Month | undefined {
  const month = table.cell(row, 'time') ?? `${table.cell(row, 'YEAR')}-${table.cell(row, 'MONTH')}`;
  return /^\d{4}-(?:0[1-9]|1[0-2])$/.test(month) ? month : undefined;
}

/** The value of a row, or the reason why it has none; rows of countries and groups of countries are skipped. */
function readRow(table: TradeTable, row: Row, measure: Measure, newest: Month): TradeValue | string {
  const code = table.cell(row, 'I_COMMODITY') ?? '';
  const month = monthIn(table, row);
  const level = table.cell(row, 'COMM_LVL');
  if (!isHsCode(code) || !chapterExists(code)) return 'no-code';
  if (!Object.values(CODE_LENGTHS).includes(code.length)) return 'other-level';
  if (level !== undefined && CODE_LENGTHS[level] !== code.length) return 'other-level';
  if (month === undefined || month < FIRST_MONTH) return 'no-month';
  if (month > newest) return 'future-month';
  const value = WHOLE_NUMBER.read(table.cell(row, measure) ?? '');
  return value === undefined ? 'no-value' : { code, month, value };
}

/** Values of a measure by code and month; undefined where two tables contradict one another. */
type Values = Map<string, TradeValue | undefined>;

/** The tables that can be read. Throws `RefusedReply`: that of a table without a needed column, the first one when none can be read. */
function readTables({ files }: ArchivedFetch, refusals: Refusals): [string, TradeTable][] {
  const names = [...files.keys()].filter((file) => file.endsWith('.json')).sort();
  const tables = names.flatMap((name): [string, TradeTable][] => {
    const table = readPart(refusals, () =>
      readTable(name, replyJson(name, files.get(name) ?? new Uint8Array(), declaration)),
    );
    return table === undefined ? [] : [[name, table]];
  });
  if (tables.length === 0) throw refusedFor(refusals, 'no table');
  return tables;
}

/** Adds the values of a row to those of its measures. Two different values of one month cannot both be right: neither is used. */
function addRow(
  [name, table]: readonly [string, TradeTable],
  row: Row,
  newest: Month,
  byMeasure: ReadonlyMap<Measure, Values>,
  refusals: Refusals,
): void {
  for (const measure of table.measures) {
    const read = readRow(table, row, measure, newest);
    if (typeof read === 'string') {
      refusals.push({ reason: read, detail: `${name}: ${row.join(',').slice(0, 80)}` });
      continue;
    }
    const values = byMeasure.get(measure);
    const key = `${read.code} ${read.month}`;
    const before = values?.get(key);
    const isContradicted = values?.has(key) && before?.value !== read.value;
    if (isContradicted && before) refusals.push({ reason: 'contradiction', detail: `${measure} ${key}` });
    values?.set(key, isContradicted ? undefined : read);
  }
}

/**
 * Values of all countries together, one report for each measure that a header names. A table that cannot be read
 * does not affect the others: each month of each code is independent. Throws `RefusedReply` when nothing can be used, or a table
 * lacks a needed column.
 */
export function parseTrade(fetched: ArchivedFetch): ParsedFetch {
  const refusals = new Refusals();
  const newest = monthOf(fetched.fetchedAt);
  const byMeasure = new Map(MEASURES.map((measure): [Measure, Values] => [measure, new Map()]));
  let [rows, refused] = [0, 0];
  for (const named of readTables(fetched, refusals)) {
    const [, table] = named;
    for (const row of table.rows.filter((cells) => isAllCountries(table, cells))) {
      rows += 1;
      const added = refusals.during(() => addRow(named, row, newest, byMeasure, refusals));
      if (added.refused > 0) refused += 1;
    }
  }
  const reports = [...byMeasure].flatMap(([measure, byKey]): TradeReport[] => {
    const values = [...byKey.keys()].sort().flatMap((key) => byKey.get(key) ?? []);
    return values.length === 0 ? [] : [{ kind: 'trade', measure, observedAt: fetched.fetchedAt, values }];
  });
  if (reports.length === 0)
    throw new RefusedReply('nothing-usable', refusals.first[0]?.detail ?? 'no row of all countries');
  return { asOfAt: fetched.fetchedAt, reports, refusals, lists: [{ list: TABLE, rows, refused }] };
}
