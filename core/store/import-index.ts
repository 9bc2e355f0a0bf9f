/** The import momentum index as served: one row per HS code, so that a read is one lookup. */
import { isDeepStrictEqual } from 'node:util';
import type { HsCode } from '../reference/hs-code.ts';
import type { Month } from '../reference/time.ts';
import type { Table } from './table.ts';

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
   * Writes the index unless the same one is stored, or one of the preferred measure. `beforeWrite` runs between
   * reading and writing, and may throw.
   */
  putIfChanged(code: HsCode, index: ImportIndex, beforeWrite?: () => Promise<void>): Promise<void>;
}

/** General imports: the measure that the index is defined on. Another is served only where this one is missing. */
const PREFERRED_MEASURE = 'GEN_VAL_MO';

export function createImportIndexStore(table: Table): ImportIndexStore {
  async function read(code: HsCode, consistent: boolean): Promise<ImportIndex | undefined> {
    const row = await table.get({ code }, consistent);
    return row === undefined
      ? undefined
      : { measure: String(row.measure), points: row.points as IndexPoint[] };
  }
  return {
    get: (code) => read(code, false),
    async putIfChanged(code, index, beforeWrite) {
      const stored = await read(code, true);
      const hasPreferred = stored?.measure === PREFERRED_MEASURE && index.measure !== PREFERRED_MEASURE;
      if (hasPreferred || isDeepStrictEqual(stored, index)) return;
      await beforeWrite?.();
      await table.put({ code, ...index });
    },
  };
}
