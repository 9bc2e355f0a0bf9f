/** Waits: the wait statistics of one port, one row a UTC day, of all vessels or of one class. */
import { DEFAULT_DAYS, MAX_SPAN_DAYS, waitsRoute } from '../../core/contracts/waits.ts';
import { groupAttributes, groupDays, WAITS } from '../../core/store/day-series.ts';
import { createPortReader } from '../../core/store/ports.ts';
import { createSeriesStore } from '../../core/store/series.ts';
import { waitRecord } from '../../core/store/served-records.ts';
import { endpoint, readSeries, readSpan, rowsOfCovered, viewAt } from './endpoint.ts';

export const waits = endpoint({
  route: waitsRoute,
  tables: { waitDays: 'read', vintages: 'read', ports: 'read' },
  memoryMb: 512,
  create(tables, { now }) {
    const waitDays = createSeriesStore(WAITS, tables.waitDays, tables.vintages);
    const ports = createPortReader(tables.ports);
    return async (request, notes) => {
      const { UNLOCODE: port } = request.path;
      const { from, to, class: group = 'all', as_of } = request.query;
      const view = viewAt(as_of, now());
      const limits = { defaultDays: DEFAULT_DAYS, maxDays: MAX_SPAN_DAYS };
      const { firstDay, lastDay } = readSpan(from, to, limits, view);
      const range = { from: firstDay, to: lastDay, only: groupAttributes(group) };
      const days = groupDays(await readSeries(waitDays, port, range, view, notes), group);
      return (await rowsOfCovered(days, port, ports)).map(waitRecord);
    };
  },
});
