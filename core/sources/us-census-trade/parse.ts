/** Parses Census import tables into one report for each measure; a series never mixes measures. */
import { z } from 'zod';
import type { TradeReport, TradeValue } from '../../calls/observation.ts';
import { chapterExists, isHsCode } from '../../reference/hs-code.ts';
import { type Month, monthOf } from '../../reference/time.ts';
import { replyJson } from '../../upstream/files/text.ts';
import { Refusals } from '../../upstream/refusals.ts';
import { type ArchivedFetch, type ParsedFetch, RefusedReply } from '../../upstream/source.ts';
import { usCensusTradeDeclaration as declaration } from './declaration.ts';

// The Census API's table: an array of arrays of text, the header first, columns in any order.

/** Import measures in US dollars a month. General imports and imports for consumption are different things. */
const MEASURES = ['GEN_VAL_MO', 'CON_VAL_MO'] as const;
type Measure = (typeof MEASURES)[number];

const tableShape = z.array(z.array(z.string().nullable())).min(1);

interface TradeTable {
  readonly rows: readonly (readonly (string | null)[])[];
  /** Measures that the header names. */
  readonly measures: readonly Measure[];
  /** The cell of `row` under `column`; undefined when there is no such column or it is null. */
  cell(row: readonly (string | null)[], column: string): string | undefined;
}

/** Throws `RefusedReply`: `malformed` when it is not a table, `no-measure` or `no-country` when the header lacks one. */
function readTable(name: string, content: unknown): TradeTable {
  const parsed = tableShape.safeParse(content);
  const [header, ...rows] = parsed.data ?? [];
  if (!header) throw new RefusedReply('malformed', `${name} is not a table of text`);
  // A predicate is returned as a column of its own, so a name may occur twice; the cells are then equal.
  const positions = new Map(header.map((column, index) => [column, index]));
  const measures = MEASURES.filter((measure) => positions.has(measure));
  if (measures.length === 0)
    throw new RefusedReply('no-measure', `${name}: ${header.join(',').slice(0, 80)}`);
  if (!positions.has('CTY_CODE') && !positions.has('CTY_NAME')) {
    throw new RefusedReply('no-country', `${name} does not say whether a row is all countries`);
  }
  return {
    rows,
    measures,
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

/** Whole dollars up to the largest number that is still exact. */
function dollars(text: string | undefined): number | undefined {
  const value = /^\d{1,15}$/.test(text ?? '') ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : undefined;
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
  const value = dollars(table.cell(row, measure));
  return value === undefined ? 'no-value' : { code, month, value };
}

class MeasureValues {
  private readonly values = new Map<string, TradeValue | undefined>();

  constructor(
    private readonly measure: Measure,
    private readonly refusals: Refusals,
  ) {}

  /** Two different values of one month cannot both be right: neither is used. */
  add(value: TradeValue): void {
    const key = `${value.code} ${value.month}`;
    const before = this.values.get(key);
    if (this.values.has(key) && before?.value !== value.value) {
      if (before) this.refusals.push({ reason: 'contradiction', detail: `${this.measure} ${key}` });
      this.values.set(key, undefined);
    } else this.values.set(key, value);
  }

  /** By code, then month. */
  sorted(): TradeValue[] {
    const keys = [...this.values.keys()].sort();
    return keys.flatMap((key) => this.values.get(key) ?? []);
  }
}

/** The tables that can be read. Throws the first table's `RefusedReply` when none can. */
function readTables(fetched: ArchivedFetch, refusals: Refusals): [string, TradeTable][] {
  const tables: [string, TradeTable][] = [];
  let first: RefusedReply | undefined;
  for (const name of [...fetched.files.keys()].filter((file) => file.endsWith('.json')).sort()) {
    try {
      const content = replyJson(name, fetched.files.get(name) ?? new Uint8Array(), declaration);
      tables.push([name, readTable(name, content)]);
    } catch (error) {
      if (!(error instanceof RefusedReply)) throw error;
      first ??= error;
      refusals.push({ reason: error.reason, detail: error.message });
    }
  }
  if (tables.length === 0) throw first ?? new RefusedReply('empty', 'no table');
  return tables;
}

/**
 * Values of all countries together, one report for each measure that a header names. A table that cannot be read
 * does not affect the others: each month of each code is independent. Throws `RefusedReply` when nothing can be used.
 */
export function parseTrade(fetched: ArchivedFetch): ParsedFetch {
  const refusals = new Refusals();
  const newest = monthOf(fetched.fetchedAt);
  const byMeasure = new Map(MEASURES.map((measure) => [measure, new MeasureValues(measure, refusals)]));
  for (const [name, table] of readTables(fetched, refusals)) {
    for (const row of table.rows.filter((cells) => isAllCountries(table, cells))) {
      for (const measure of table.measures) {
        const read = readRow(table, row, measure, newest);
        if (typeof read === 'string')
          refusals.push({ reason: read, detail: `${name}: ${row.join(',').slice(0, 80)}` });
        else byMeasure.get(measure)?.add(read);
      }
    }
  }
  const reports = [...byMeasure].flatMap(([measure, values]): TradeReport[] => {
    const sorted = values.sorted();
    if (sorted.length === 0) return [];
    return [{ kind: 'trade', measure, observedAt: fetched.fetchedAt, values: sorted }];
  });
  if (reports.length === 0)
    throw new RefusedReply('nothing-usable', refusals.first[0]?.detail ?? 'no row of all countries');
  return { asOfAt: fetched.fetchedAt, reports, refusals, lists: [] };
}
