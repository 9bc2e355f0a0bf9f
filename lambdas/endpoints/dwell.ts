/** Dwell: the closed waits and berth stays of one port, chosen by their end. */
import { dwellRoute } from '../../core/contracts/dwell.ts';
import { round, STAY_HOURS_DECIMALS } from '../../core/reference/statistics.ts';
import { formatInstant, hoursBetween } from '../../core/reference/time.ts';
import { createStayDayStore } from '../../core/store/day-series.ts';
import { createPortReader } from '../../core/store/ports.ts';
import { endpoint, readWindow, rowsOfCovered } from './endpoint.ts';

export const dwell = endpoint({
  route: dwellRoute,
  tables: { stayDays: 'read', ports: 'read' },
  memoryMb: 1024,
  create(tables, { now }) {
    const stayDays = createStayDayStore(tables.stayDays);
    const ports = createPortReader(tables.ports);
    return async ({ path: { UNLOCODE: port }, query: { window: usual, days = usual, until } }) => {
      const window = readWindow(days, until, { asOf: undefined, nowAt: now() });
      const stays = await stayDays.between(port, window.firstDay, window.lastDay);
      return (await rowsOfCovered(stays, port, ports))
        .filter(({ endAt }) => endAt <= window.endAt)
        .map(({ startAt, endAt, kind }) => ({
          start: formatInstant(startAt),
          end: formatInstant(endAt),
          kind,
          hours: round(hoursBetween(startAt, endAt), STAY_HOURS_DECIMALS),
        }));
    };
  },
});
