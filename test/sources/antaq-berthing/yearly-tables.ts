/** Yearly tables made after ANTAQ's published layout, zipped as it zips them, for tests. None of it is ANTAQ's data. */
import { strToU8, zipSync } from 'fflate';
import { parseBerthings } from '../../../core/sources/antaq-berthing/parse.ts';
import type { ParsedFetch } from '../../../core/upstream/source.ts';
import { batchIn } from '../../builders/source-replies.ts';

export const FETCHED_AT = Date.parse('2026-03-10T12:00:00Z');

const COLUMNS = [
  'IDAtracacao',
  'CDTUP',
  'IDBerco',
  'Berço',
  'Porto Atracação',
  'Data Atracação',
  'Data Chegada',
  'Data Desatracação',
  'Tipo de Operação',
  'FlagMCOperacaoAtracacao',
  'Terminal',
  'Nº da Capitania',
  'Nº do IMO',
] as const;

export type BerthingCells = Partial<Record<(typeof COLUMNS)[number], string>> & { wait?: string };

const USUAL: BerthingCells = {
  IDAtracacao: '1',
  CDTUP: 'BRPNG',
  IDBerco: 'PNG0212',
  Berço: 'Berço 212',
  'Porto Atracação': 'Paranaguá',
  'Data Chegada': '01/12/2025 06:00:00',
  'Data Atracação': '10/12/2025 08:00:00',
  'Data Desatracação': '13/12/2025 20:00:00',
  'Tipo de Operação': 'Movimentação da Carga',
  FlagMCOperacaoAtracacao: '1',
  Terminal: '"Corredor; Leste"',
  'Nº do IMO': '9123456',
  wait: '218',
};

/** A berthing long after the others, which moves the day of the tables past all of them. */
export const LATEST: BerthingCells = {
  IDAtracacao: '999',
  CDTUP: 'BRSSZ',
  'Data Chegada': '20/01/2026 00:00:00',
  'Data Atracação': '20/01/2026 00:00:00',
  'Data Desatracação': '31/01/2026 00:00:00',
  'Nº do IMO': '9999999',
  wait: '0',
};

const BOM = '\ufeff';
const table = (lines: readonly (readonly string[])[]): string =>
  `${BOM}${lines.map((l) => l.join(';')).join('\r\n')}\r\n`;

export function berthingTable(cells: readonly BerthingCells[], columns: readonly string[] = COLUMNS): string {
  const rows = cells.map((cell) => {
    const row: Record<string, string | undefined> = { ...USUAL, ...cell };
    return columns.map((column) => row[column] ?? '');
  });
  return table([columns, ...rows]);
}

export const timesTable = (cells: readonly BerthingCells[]): string =>
  table([
    ['IDAtracacao', 'TEsperaInicioOp', 'TEsperaAtracacao', 'TEstadia'],
    ...cells.map((cell) => [cell.IDAtracacao ?? '1', '2,5', cell.wait ?? '218', '302']),
  ]);

export const zipped = (members: Record<string, string | Uint8Array>): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(members).map(([name, text]) => [name, typeof text === 'string' ? strToU8(text) : text]),
    ),
  );

export function yearFiles(year: number, ...cells: BerthingCells[]): [string, Uint8Array][] {
  return [
    [`${year}Atracacao.zip`, zipped({ [`${year}Atracacao.txt`]: berthingTable(cells) })],
    [`${year}TemposAtracacao.zip`, zipped({ [`${year}TemposAtracacao.txt`]: timesTable(cells) })],
  ];
}

export const parseFiles = (files: Iterable<readonly [string, Uint8Array]>): ParsedFetch =>
  parseBerthings({ fetchedAt: FETCHED_AT, files: new Map(files) });

/** The berthings of 2025, with a later one of 2026. */
export const parseCells = (...cells: BerthingCells[]): ParsedFetch =>
  parseFiles([...yearFiles(2025, ...cells), ...yearFiles(2026, LATEST)]);

export const batchOf = (parsed: ParsedFetch, port = 'BRPNG') => batchIn(parsed, port);
