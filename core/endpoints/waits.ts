/** Waits: the wait statistics of one port, one row a UTC day, of all vessels or of one class. */
import { DEFAULT_DAYS, MAX_SPAN_DAYS, type WaitDay, waitsRoute } from '../contracts/waits.ts';
import { createPortStore } from '../store/ports.ts';
import { createWaitDayStore, type GroupDay } from '../store/wait-days.ts';
import { endpoint } from './endpoint.ts';
import { ofCoveredPort, spanOf } from './port-request.ts';

const recordOf = ({ day, coverage, berthed, waits, ...figures }: GroupDay): WaitDay => ({
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
  tables: { waitDays: 'read', ports: 'read' },
  memoryMb: 512,
  create(tables, { now }) {
    const waitDays = createWaitDayStore(tables.waitDays);
    const ports = createPortStore(tables.ports);
    return async ({ path: { UNLOCODE: port }, query: { from, to, class: vesselClass } }) => {
      const span = spanOf({ from, to, defaultDays: DEFAULT_DAYS, longestDays: MAX_SPAN_DAYS }, now());
      const days = await waitDays.ofGroup(port, span.firstDay, span.lastDay, vesselClass ?? 'all');
      return (await ofCoveredPort(days, port, ports)).map(recordOf);
    };
  },
});
