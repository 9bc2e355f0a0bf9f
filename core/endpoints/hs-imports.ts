/** HS imports: the monthly import momentum of one commodity code. */
import { ApiError } from '../contracts/errors.ts';
import { hsImportsRoute } from '../contracts/hs-imports.ts';
import { chapterExists } from '../reference/hs-code.ts';
import { createImportIndexStore } from '../store/import-index.ts';
import { endpoint } from './endpoint.ts';

const MONTHS_SERVED = 36;

export const hsImports = endpoint({
  route: hsImportsRoute,
  tables: { importIndex: 'read' },
  memoryMb: 512,
  create({ importIndex }) {
    const indices = createImportIndexStore(importIndex);
    return async ({ path: { code } }) => {
      if (!chapterExists(code))
        throw new ApiError('not_found', `There is no HS chapter ${code.slice(0, 2)}.`, {
          hint: 'Chapters are 01 to 97 without 77, and 98 and 99.',
        });
      const row = await indices.get(code);
      return (row?.points ?? []).slice(-MONTHS_SERVED).map(({ month, index }) => ({ month, index }));
    };
  },
});
