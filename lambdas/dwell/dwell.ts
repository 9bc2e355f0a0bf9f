/** Dwell: the closed waits and berth stays of one port, chosen by their end. */
import type { Endpoint } from '../../core/http/chain.ts';
import { round, STAY_HOURS_DECIMALS } from '../../core/reference/rounding.ts';
import { addDays, type Clock, dayOf, formatInstant, hoursBetween } from '../../core/reference/time.ts';
import type { PortStore } from '../../core/store/ports.ts';
import type { StayDayStore } from '../../core/store/stay-days.ts';
import { ofCoveredPort } from '../covered-port.ts';

interface DwellStores {
  readonly stayDays: Pick<StayDayStore, 'between'>;
  readonly ports: Pick<PortStore, 'get'>;
}

export function createDwell({ stayDays, ports }: DwellStores, now: Clock): Endpoint<'dwell'> {
  return async ({ path: { UNLOCODE: port }, query: { window } }) => {
    const nowAt = now();
    const today = dayOf(nowAt);
    const stays = await stayDays.between(port, addDays(today, 1 - window), today);
    return (await ofCoveredPort(stays, port, ports))
      .filter(({ endAt }) => endAt <= nowAt)
      .map(({ startAt, endAt, kind }) => ({
        start: formatInstant(startAt),
        end: formatInstant(endAt),
        kind,
        hours: round(hoursBetween(startAt, endAt), STAY_HOURS_DECIMALS),
      }));
  };
}
