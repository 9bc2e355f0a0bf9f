/** Wiring of the snapshot. */
import { snapshotRoute } from '../../core/contracts/snapshot.ts';
import { createPortStore } from '../../core/store/ports.ts';
import { keyedEndpoint } from '../keyed-endpoint.ts';
import { createSnapshot } from './snapshot.ts';

export const handler = keyedEndpoint('snapshot', snapshotRoute, ['ports'], (tables) =>
  createSnapshot(createPortStore(tables.ports)),
);
