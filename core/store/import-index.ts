/** The import momentum index as served: one row per HS code, so that a read is one lookup. */
import { isDeepStrictEqual } from 'node:util';
import { METHODOLOGY_VERSION } from '../metrics/figures.ts';
import type { HsCode } from '../reference/hs-code.ts';
import type { Day, Month } from '../reference/time.ts';
import type { Knowledge } from './knowledge.ts';
import type { Row, Table } from './table.ts';
import type { VintageStore } from './vintages.ts';

/** 100 = the same three months a year before. */
interface IndexPoint {
  readonly month: Month;
  readonly index: number;
}

interface ImportIndex {
  /** The upstream's name of the measure behind the index. */
  readonly measure: string;
  /** Oldest first. */
  readonly points: readonly IndexPoint[];
}

export interface ImportIndexStore {
  /** Undefined when there is none for the code. */
  get(code: HsCode): Promise<ImportIndex | undefined>;
  /**
   * Writes the index, and before it its vintage, unless the same one is stored, or one of the preferred measure.
   * `beforeWrite` runs between reading and writing, and may throw.
   * @param today the day of a value that comes after a newer one, as when an archive is applied again
   */
  putIfChanged(
    code: HsCode,
    index: ImportIndex,
    known: Omit<Knowledge, 'from'> & { readonly today: Day },
    beforeWrite?: () => Promise<void>,
  ): Promise<void>;
}

/** Months that are served, and that a vintage stores. */
export const MONTHS_SERVED = 36;

/** The points of a vintage, oldest first. */
export const indexPoints = ({ v }: Row): IndexPoint[] =>
  (JSON.parse(String(v)) as [Month, number][]).map(([month, index]) => ({ month, index }));

const vintage = ({ points }: ImportIndex, day: Day, backfilled: boolean): Row => ({
  at: day,
  v: JSON.stringify(points.slice(-MONTHS_SERVED).map(({ month, index }) => [month, index])),
  ...(backfilled ? { backfilled } : {}),
  methodology: METHODOLOGY_VERSION,
});

/** The version of the methodology that made a vintage; undefined where it was not recorded yet. */
export const importMethodology = ({ methodology }: Row): string | undefined =>
  methodology as string | undefined;

/** General imports: the measure that the index is defined on. Another is served only where this one is missing. */
const PREFERRED_MEASURE = 'GEN_VAL_MO';

const fromRow = (row: Row): ImportIndex => ({
  measure: String(row.measure),
  points: row.points as IndexPoint[],
});

/** The index of every code that has one, by code. */
export async function allImportIndices(table: Table): Promise<(ImportIndex & { readonly code: HsCode })[]> {
  const rows = await table.scan();
  return rows
    .map((row) => ({ code: String(row.code), ...fromRow(row) }))
    .sort((a, b) => (a.code < b.code ? -1 : 1));
}

export function createImportIndexStore(
  table: Table,
  vintages: Pick<VintageStore, 'newestImports' | 'writeImports'>,
): ImportIndexStore {
  async function read(code: HsCode, consistent: boolean): Promise<ImportIndex | undefined> {
    const row = await table.get({ code }, consistent);
    return row === undefined ? undefined : fromRow(row);
  }
  return {
    get: (code) => read(code, false),
    async putIfChanged(code, index, { day, today, backfilled }, beforeWrite) {
      const stored = await read(code, true);
      const hasPreferred = stored?.measure === PREFERRED_MEASURE && index.measure !== PREFERRED_MEASURE;
      if (hasPreferred || isDeepStrictEqual(stored, index)) return;
      const newest = await vintages.newestImports(code);
      const since = newest !== undefined && newest > day ? today : day;
      await beforeWrite?.();
      await vintages.writeImports(code, vintage(index, since, backfilled));
      await beforeWrite?.();
      await table.put({ code, ...index });
    },
  };
}
