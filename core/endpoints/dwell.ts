/** Dwell: the closed waits and berth stays of one port, chosen by their end. */
import { dwellRoute } from '../contracts/dwell.ts';
import { round, STAY_HOURS_DECIMALS } from '../reference/rounding.ts';
import { addDays, dayOf, formatInstant, hoursBetween } from '../reference/time.ts';
import { createPortStore } from '../store/ports.ts';
import { createStayDayStore } from '../store/stay-days.ts';
import { ofCoveredPort } from './covered-port.ts';
import { endpoint } from './endpoint.ts';

export const dwell = endpoint({
  route: dwellRoute,
  tables: { stayDays: 'read', ports: 'read' },
  memoryMb: 512,
  create(tables, { now }) {
    const stayDays = createStayDayStore(tables.stayDays);
    const ports = createPortStore(tables.ports);
    return async ({ path: { UNLOCODE: port }, query: { window, days = window } }) => {
      const nowAt = now();
      const today = dayOf(nowAt);
      const stays = await stayDays.between(port, addDays(today, 1 - days), today);
      return (await ofCoveredPort(stays, port, ports))
        .filter(({ endAt }) => endAt <= nowAt)
        .map(({ startAt, endAt, kind }) => ({
          start: formatInstant(startAt),
          end: formatInstant(endAt),
          kind,
          hours: round(hoursBetween(startAt, endAt), STAY_HOURS_DECIMALS),
        }));
    };
  },
});
