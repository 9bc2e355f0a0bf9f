/** The service's clock, which decides what is stale: the clock of a local service may be set to another time than the reader's. */
import type { HealthRecord } from '../../core/contracts/health.ts';
import { ROUTES } from '../../core/contracts/routes.ts';

/** From the health probe, which needs no key; the reader's own clock while it does not respond. */
export async function serviceClock(): Promise<() => number> {
  const askedAt = Date.now();
  const response = await fetch(ROUTES.health.paths[0]).catch(() => undefined);
  if (!response?.ok) return Date.now;
  const { time } = (await response.json()) as HealthRecord;
  const aheadMs = Date.parse(time) - askedAt;
  return () => Date.now() + aheadMs;
}
