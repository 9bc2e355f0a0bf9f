/** Wiring of the source list. */
import { sourcesRoute } from '../../core/contracts/sources.ts';
import { createSourceStatusStore } from '../../core/store/source-status.ts';
import { keyedEndpoint } from '../keyed-endpoint.ts';
import { createSourceStatus } from './source-status.ts';

export const handler = keyedEndpoint('sources', sourcesRoute, ['sourceStatus'], (tables, now) =>
  createSourceStatus(createSourceStatusStore(tables.sourceStatus, now)),
);
