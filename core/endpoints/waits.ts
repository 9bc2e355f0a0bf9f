/** Waits: the wait statistics of one port, one row a UTC day, of all vessels or of one class. */
import { DEFAULT_DAYS, MAX_SPAN_DAYS, type WaitDay, waitsRoute } from '../contracts/waits.ts';
import { createPortStore } from '../store/ports.ts';
import { createVintageStore } from '../store/vintages.ts';
import { createWaitDayStore, type GroupDay, groupAsOf } from '../store/wait-days.ts';
import { endpoint, noteKnown, ofCoveredPort, readSpan, viewAt } from './endpoint.ts';

/** A day of the store as it is served. */
export const waitRecord = ({ day, coverage, berthed, waits, ...figures }: GroupDay): WaitDay => ({
  date: day,
  berthed,
  waited: waits.length,
  delayed_share: figures.delayedShare ?? null,
  mean_hours: figures.meanHours ?? null,
  median_hours: figures.medianHours ?? null,
  p90_hours: figures.p90Hours ?? null,
  max_hours: figures.maxHours ?? null,
  waiting: figures.waiting ?? null,
  coverage,
  waiting_hours: figures.waitingHours ?? null,
  waits: [...waits],
  excluded: figures.excluded ?? 0,
  unknown_type: figures.unknownType ?? 0,
  recent_arrivals: figures.recentArrivals ?? null,
  recent_wait_hours: figures.recentWaitHours ?? null,
});

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
