/** Waits: the wait statistics of one port, one row a UTC day, of all vessels or of one class. */
import { DEFAULT_DAYS, MAX_SPAN_DAYS, waitsRoute } from '../../core/contracts/waits.ts';
import { createPortStore } from '../../core/store/ports.ts';
import { waitRecord } from '../../core/store/served-records.ts';
import { createVintageStore } from '../../core/store/vintages.ts';
import { createWaitDayStore, groupAsOf } from '../../core/store/wait-days.ts';
import { endpoint, noteKnown, ofCoveredPort, readSpan, viewAt } from './endpoint.ts';

export const waits = endpoint({
  route: waitsRoute,
  tables: { waitDays: 'read', vintages: 'read', ports: 'read' },
  memoryMb: 512,
  create(tables, { now }) {
    const waitDays = createWaitDayStore(tables.waitDays);
    const ports = createPortStore(tables.ports);
    const vintages = createVintageStore(tables.vintages);
    return async (request, notes) => {
      const { UNLOCODE: port } = request.path;
      const { from, to, class: group = 'all', as_of } = request.query;
      const view = viewAt(as_of, now());
      const { asOf } = view;
      const span = { from, to, defaultDays: DEFAULT_DAYS, maxDays: MAX_SPAN_DAYS };
      const { firstDay: first, lastDay: last } = readSpan(span, view);
      const known =
        asOf === undefined
          ? { rows: await waitDays.ofGroup(port, first, last, group), backfilled: false }
          : await groupAsOf(tables.waitDays, vintages, { port, first, last, asOf, group });
      noteKnown(notes, known);
      return (await ofCoveredPort(known.rows, port, ports)).map(waitRecord);
    };
  },
});
