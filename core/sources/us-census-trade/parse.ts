/** Parses Census import tables into one report for each measure; a series never mixes measures. */
import { z } from 'zod';
import type { TradeObservation, TradeValue } from '../../calls/observation.ts';
import { chapterExists, isHsCode } from '../../reference/codes.ts';
import { type Month, monthOf } from '../../reference/time.ts';
import { WHOLE_NUMBER } from '../../upstream/fields.ts';
import { REQUEST_FILE, readRequestNote } from '../../upstream/files/notes.ts';
import { readPart, replyJson } from '../../upstream/files/text.ts';
import {
  type ArchivedFetch,
  type ParsedFetch,
  Refusals,
  RefusedReply,
  refusedFor,
} from '../../upstream/source.ts';
import { usCensusTradeDeclaration as declaration, MEASURES, NEEDED_COLUMNS, TABLE } from './declaration.ts';

type Measure = (typeof MEASURES)[number];

/** An array of arrays of text, the header first, columns in any order. */
const tableShape = z.array(z.array(z.string().nullable())).min(1);

interface TradeRow {
  readonly cells: readonly (string | null)[];
  /** Undefined when there is no such column or it is null. */
  cell(column: string): string | undefined;
}

interface TradeTable {
  readonly name: string;
  readonly rows: readonly TradeRow[];
  /** Measures that the header names. */
  readonly measures: readonly Measure[];
}

/** Throws `RefusedReply`: `malformed` when it is not a table, `missing-field` when the header lacks a needed column. */
function readTable(name: string, content: unknown): TradeTable {
  const [header, ...rows] = tableShape.safeParse(content).data ?? [];
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
    name,
    rows: rows.map((cells) => ({ cells, cell: (column) => cells[positions.get(column) ?? -1] ?? undefined })),
    measures: MEASURES.filter((measure) => positions.has(measure)),
  };
}

/** Digits of the code at each level that is served; finer ones change too often to be compared year on year. */
const CODE_LENGTHS: Readonly<Record<string, number>> = { HS2: 2, HS4: 4, HS6: 6 };
const FIRST_MONTH: Month = '1989-01';

const isAllCountries = (row: TradeRow): boolean =>
  row.cell('CTY_CODE') === '-' || row.cell('CTY_NAME') === 'TOTAL FOR ALL COUNTRIES';

/** The value of a row, or the reason why it has none. */
function readRow(row: TradeRow, measure: Measure, running: Month): TradeValue | string {
  const code = row.cell('I_COMMODITY') ?? '';
  // YEAR and MONTH are of older replies.
  const month = row.cell('time') ?? `${row.cell('YEAR')}-${row.cell('MONTH')}`;
  const level = row.cell('COMM_LVL');
  if (!isHsCode(code) || !chapterExists(code)) return 'no-code';
  if (!Object.values(CODE_LENGTHS).includes(code.length)) return 'other-level';
  if (level !== undefined && CODE_LENGTHS[level] !== code.length) return 'other-level';
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month) || month < FIRST_MONTH) return 'no-month';
  if (month >= running) return 'future-month';
  const value = WHOLE_NUMBER.read(row.cell(measure) ?? '');
  return value === undefined ? 'no-value' : { code, month, value };
}

/** The tables that can be read. Throws `RefusedReply`: that of a table without a needed column, the first one when none can be read. */
function readTables({ files }: ArchivedFetch, refusals: Refusals): TradeTable[] {
  const tables = [...files]
    .filter(([name]) => name.endsWith('.json') && name !== REQUEST_FILE)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(
      ([name, bytes]) => readPart(refusals, () => readTable(name, replyJson(name, bytes, declaration))) ?? [],
    );
  if (tables.length === 0) throw refusedFor(refusals, 'no table');
  return tables;
}

/** Values of a measure by code and month; undefined where two tables contradict one another: neither is used. */
type Values = Map<string, TradeValue | undefined>;

/** One report a measure; a table that cannot be read does not affect the others. Throws `RefusedReply` when nothing can be used. */
export function parseTrade(fetched: ArchivedFetch): ParsedFetch {
  const refusals = new Refusals();
  // A month has no value before it has ended.
  const running = monthOf(fetched.fetchedAt);
  const byMeasure = new Map(MEASURES.map((measure): [Measure, Values] => [measure, new Map()]));
  let [rows, refused] = [0, 0];
  const readValue = ({ name }: TradeTable, row: TradeRow, measure: Measure): void => {
    const read = readRow(row, measure, running);
    if (typeof read === 'string') {
      refusals.push({ reason: read, detail: `${name}: ${row.cells.join(',').slice(0, 80)}` });
      return;
    }
    const values = byMeasure.get(measure);
    const key = `${read.code} ${read.month}`;
    const before = values?.get(key);
    const isContradicted = values?.has(key) && before?.value !== read.value;
    if (isContradicted && before) refusals.push({ reason: 'contradiction', detail: `${measure} ${key}` });
    values?.set(key, isContradicted ? undefined : read);
  };
  const tables = readTables(fetched, refusals);
  for (const file of readRequestNote(fetched.files)?.unanswered ?? [])
    refusals.push({ reason: 'no-reply', detail: file });
  for (const table of tables)
    for (const row of table.rows.filter(isAllCountries)) {
      rows += 1;
      const read = refusals.during(() => {
        for (const measure of table.measures) readValue(table, row, measure);
      });
      if (read.refused > 0) refused += 1;
    }
  const observations = [...byMeasure].flatMap(([measure, byKey]): TradeObservation[] => {
    const values = [...byKey.keys()].sort().flatMap((key) => byKey.get(key) ?? []);
    return values.length === 0 ? [] : [{ kind: 'trade', measure, observedAt: fetched.fetchedAt, values }];
  });
  if (observations.length === 0)
    throw new RefusedReply('nothing-usable', refusals.first[0]?.detail ?? 'no row of all countries');
  return { asOfAt: fetched.fetchedAt, observations, refusals, lists: [{ list: TABLE, rows, refused }] };
}
