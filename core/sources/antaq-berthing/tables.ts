/** ANTAQ's text tables: `;` between columns, a byte order mark, columns found by name; times by the clock of the port. */

import { parse } from 'csv-parse/sync';
import { DateTime } from 'luxon';
import type { Instant } from '../../reference/time.ts';
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

/** `31/01/2025 08:15:00` in `zone` (IANA); undefined when it is blank, of another form, or no real date. */
export function portTime(text: string | undefined, zone: string): Instant | undefined {
  const match = /^(\d{2})\/(\d{2})\/(\d{4}) (\d{2}):(\d{2})(?::(\d{2}))?$/.exec(text?.trim() ?? '');
  if (!match) return undefined;
  const [day = 0, month = 0, year = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const local = DateTime.fromObject({ year, month, day, hour, minute, second }, { zone });
  return local.isValid ? local.toMillis() : undefined;
}

/** Hours with a decimal comma; undefined when blank or marked as an outlier (`Valor Discrepante`). */
export function hours(text: string | undefined): number | undefined {
  const cell = text?.trim() ?? '';
  return /^-?\d+(?:,\d+)?$/.test(cell) ? Number(cell.replace(',', '.')) : undefined;
}

/** ANTAQ's mark for a time that it considers wrong. */
export const isDiscrepant = (text: string | undefined): boolean => /discrepante/i.test(text ?? '');
