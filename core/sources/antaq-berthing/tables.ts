/** ANTAQ's text tables: `;` between columns, a byte order mark, columns found by name; times by the clock of the port. */

import { parse } from 'csv-parse/sync';
import { unzipSync } from 'fflate';
import { DateTime } from 'luxon';
import type { Instant } from '../../reference/time.ts';
import { RefusedReply } from '../../upstream/source.ts';

// The text tables inside ANTAQ's yearly zip files.

/** A year's berthings are about 40 MB of text; a member that claims more than this is not a table of them. */
export const MAX_MEMBER_BYTES = 250_000_000;

type TableKind = 'Atracacao' | 'TemposAtracacao';

export interface Member {
  readonly year: number;
  readonly kind: TableKind;
  readonly text: string;
}

const MEMBER_NAME = /^(?:.*\/)?(\d{4})(Atracacao|TemposAtracacao)\.txt$/;

const decoder = new TextDecoder('utf-8', { fatal: true });

function readText(name: string, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new RefusedReply('encoding', `${name} is not UTF-8`);
  }
}

/**
 * The tables in a zip; other members are not inflated. Throws `RefusedReply`: `malformed` when it is not a complete
 * zip, `too-large` when a table claims to inflate beyond the limit, `encoding` when one is not UTF-8.
 */
export function readMembers(name: string, zip: Uint8Array): Member[] {
  let tooLarge: string | undefined;
  let members: Record<string, Uint8Array>;
  try {
    members = unzipSync(zip, {
      filter: (member) => {
        if (!MEMBER_NAME.test(member.name)) return false;
        if (member.originalSize <= MAX_MEMBER_BYTES) return true;
        tooLarge = `${member.name} claims ${member.originalSize} bytes`;
        return false;
      },
    });
  } catch {
    throw new RefusedReply('malformed', `${name} is not a complete zip file`);
  }
  if (tooLarge !== undefined) throw new RefusedReply('too-large', `${name}: ${tooLarge}`);
  return Object.entries(members).map(([member, bytes]) => {
    const [, year = '', kind = ''] = MEMBER_NAME.exec(member) ?? [];
    return { year: Number(year), kind: kind as TableKind, text: readText(member, bytes) };
  });
}

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
