/** HS imports: the monthly import momentum of one commodity code. */
import { ApiError } from '../../core/contracts/errors.ts';
import type { Endpoint } from '../../core/http/chain.ts';
import { chapterExists } from '../../core/reference/hs-code.ts';
import type { ImportIndexStore } from '../../core/store/import-index.ts';

const MONTHS_SERVED = 36;

export function createHsImports(indices: Pick<ImportIndexStore, 'get'>): Endpoint<'hsImports'> {
  return async ({ path: { code } }) => {
    if (!chapterExists(code))
      throw new ApiError('not_found', `There is no HS chapter ${code.slice(0, 2)}.`, {
        hint: 'Chapters are 01 to 97 without 77, and 98 and 99.',
      });
    const held = await indices.get(code);
    return (held?.points ?? []).slice(-MONTHS_SERVED).map(({ month, index }) => ({ month, index }));
  };
}
