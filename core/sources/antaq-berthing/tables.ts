/** Rows of ANTAQ's text tables: `;` between columns, a byte order mark, and columns found by name. */
import { parse } from 'csv-parse/sync';
import { RefusedReply } from '../source.ts';
import type { Member, TableKind } from './archive-member.ts';

export type Row = Readonly<Record<string, string | undefined>>;

/** Without these a table cannot be read. */
const NEEDED: Readonly<Record<TableKind, readonly string[]>> = {
  Atracacao: [
    'IDAtracacao',
    'CDTUP',
    'IDBerco',
    'Data Atracação',
    'Data Chegada',
    'Data Desatracação',
    'Tipo de Operação',
    'Nº da Capitania',
    'Nº do IMO',
  ],
  TemposAtracacao: ['IDAtracacao', 'TEsperaAtracacao'],
};

/** Only the needed columns are stored: a year has 90,000 rows of thirty columns. */
function keptColumns(kind: TableKind, name: string, header: readonly string[]): (string | false)[] {
  const missing = NEEDED[kind].filter((column) => !header.includes(column));
  if (missing.length > 0) throw new RefusedReply('malformed', `${name} has no column ${missing.join(', ')}`);
  return header.map((column) => NEEDED[kind].includes(column) && column);
}

/** Throws `RefusedReply` (`malformed`) when the table does not parse or lacks a column. */
export function readRows({ year, kind, text }: Member): Row[] {
  const name = `${year}${kind}.txt`;
  try {
    return parse(text, {
      bom: true,
      columns: (header: string[]) => keptColumns(kind, name, header),
      delimiter: ';',
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    }) as Row[];
  } catch (error) {
    throw error instanceof RefusedReply ? error : new RefusedReply('malformed', `${name} does not parse`);
  }
}
