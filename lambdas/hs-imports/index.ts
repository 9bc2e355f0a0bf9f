/** Wiring of the import index. */
import { hsImportsRoute } from '../../core/contracts/hs-imports.ts';
import { createImportIndexStore } from '../../core/store/import-index.ts';
import { keyedEndpoint } from '../keyed-endpoint.ts';
import { createHsImports } from './hs-imports.ts';

export const handler = keyedEndpoint('hsImports', hsImportsRoute, ['importIndex'], (tables) =>
  createHsImports(createImportIndexStore(tables.importIndex)),
);
