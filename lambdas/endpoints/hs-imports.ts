/** HS imports: the monthly import momentum of one commodity code. */
import { ApiError } from '../../core/contracts/errors.ts';
import { hsImportsRoute } from '../../core/contracts/hs-imports.ts';
import { chapterExists } from '../../core/reference/codes.ts';
import { IMPORTS, servedPoints } from '../../core/store/imports.ts';
import { createSeriesStore } from '../../core/store/series.ts';
import { endpoint, readSeries, viewAt } from './endpoint.ts';

export const hsImports = endpoint({
  route: hsImportsRoute,
  tables: { importIndex: 'read', vintages: 'read' },
  memoryMb: 512,
  create(tables, { now }) {
    const indices = createSeriesStore(IMPORTS, tables.importIndex, tables.vintages);
    return async ({ path: { code }, query: { as_of } }, notes) => {
      if (!chapterExists(code))
        throw new ApiError('not_found', `There is no HS chapter ${code.slice(0, 2)}.`, {
          hint: 'Chapters are 01 to 97 without 77, and 98 and 99.',
        });
      const range = { from: code, to: code };
      const found = await readSeries(indices, code, range, viewAt(as_of, now()), notes);
      return found.flatMap(servedPoints);
    };
  },
});
