/** Import momentum index of one HS code, as served: one row a code, so that a read is one lookup. */
import { isDeepStrictEqual } from 'node:util';
import type { HsCode } from '../reference/hs-code.ts';
import type { Month } from '../reference/time.ts';
import type { Table } from './table.ts';

/** 100 = the same three months a year before. */
export interface IndexPoint {
  readonly month: Month;
  readonly index: number;
}

export interface ImportIndex {
  /** The upstream's name of the measure that the index is made of. */
  readonly measure: string;
  /** Oldest first. */
  readonly points: readonly IndexPoint[];
}

export interface ImportIndexStore {
  /** Undefined when nothing is held for the code. */
  get(code: HsCode): Promise<ImportIndex | undefined>;
  /**
   * Writes the index unless it stands so already, or one of the preferred measure is served; `keep` comes between
   * reading and writing, and may throw.
   */
  putIfChanged(code: HsCode, index: ImportIndex, keep?: () => Promise<void>): Promise<void>;
}

/** General imports, the measure that the index is defined on; another one is served only where this is not held. */
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
    async putIfChanged(code, index, keep) {
      const held = await read(code, true);
      const preferredHeld = held?.measure === PREFERRED_MEASURE && index.measure !== PREFERRED_MEASURE;
      if (preferredHeld || isDeepStrictEqual(held, index)) return;
      await keep?.();
      await table.put({ code, ...index });
    },
  };
}
