/** Wiring of the dwell list. */
import { dwellRoute } from '../../core/contracts/dwell.ts';
import { createPortStore } from '../../core/store/ports.ts';
import { createStayDayStore } from '../../core/store/stay-days.ts';
import { keyedEndpoint } from '../keyed-endpoint.ts';
import { createDwell } from './dwell.ts';

export const handler = keyedEndpoint('dwell', dwellRoute, ['stayDays', 'ports'], (tables, now) =>
  createDwell({ stayDays: createStayDayStore(tables.stayDays), ports: createPortStore(tables.ports) }, now),
);
