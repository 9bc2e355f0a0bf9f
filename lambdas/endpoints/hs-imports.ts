/** HS imports: the monthly import momentum of one commodity code. */
import { ApiError } from '../../core/contracts/errors.ts';
import { hsImportsRoute } from '../../core/contracts/hs-imports.ts';
import { chapterExists } from '../../core/reference/hs-code.ts';
import { createImportIndexStore, indexPoints, MONTHS_SERVED } from '../../core/store/import-index.ts';
import { createVintageStore } from '../../core/store/vintages.ts';
import { endpoint, noteKnown, viewAt } from './endpoint.ts';

export const hsImports = endpoint({
  route: hsImportsRoute,
  tables: { importIndex: 'read', vintages: 'read' },
  memoryMb: 512,
  create(tables, { now }) {
    const vintages = createVintageStore(tables.vintages);
    const indices = createImportIndexStore(tables.importIndex, vintages);
    return async ({ path: { code }, query: { as_of } }, notes) => {
      if (!chapterExists(code))
        throw new ApiError('not_found', `There is no HS chapter ${code.slice(0, 2)}.`, {
          hint: 'Chapters are 01 to 97 without 77, and 98 and 99.',
        });
      const { asOf } = viewAt(as_of, now());
      if (asOf !== undefined) {
        const vintage = await vintages.importsOf(code, asOf);
        if (vintage === undefined) {
          noteKnown(notes, { backfilled: false, from: await vintages.importsBegin(code) });
          return [];
        }
        noteKnown(notes, { backfilled: vintage.backfilled === true });
        return indexPoints(vintage);
      }
      const row = await indices.get(code);
      return (row?.points ?? []).slice(-MONTHS_SERVED).map(({ month, index }) => ({ month, index }));
    };
  },
});
