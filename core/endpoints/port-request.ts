/** What the endpoints of one port share: the window of days, and the 404 of a port that is not covered. */
import { ApiError } from '../contracts/errors.ts';
import type { Locode } from '../reference/locode.ts';
import { addDays, type Day, dayOf, endOfDay, type Instant } from '../reference/time.ts';
import type { PortStore } from '../store/ports.ts';

export const notCovered = (port: Locode): ApiError =>
  new ApiError('not_found', `${port} is not covered.`, { hint: 'GET /v1/ports lists the covered ports.' });

/** Resolves with `rows`. Where there are none it looks the port up, and throws `not_found` unless it is covered. */
export async function ofCoveredPort<T>(
  rows: readonly T[],
  port: Locode,
  ports: Pick<PortStore, 'get'>,
): Promise<readonly T[]> {
  if (rows.length === 0 && (await ports.get(port)) === undefined) throw notCovered(port);
  return rows;
}

export interface DayWindow {
  readonly firstDay: Day;
  readonly lastDay: Day;
  /** End of the last day, or now while that day is running. */
  readonly endAt: Instant;
}

/** The last `days` UTC days up to `until`, by default today. Throws `validation_failed` for a day after today. */
export function windowOf(days: number, until: Day | undefined, nowAt: Instant): DayWindow {
  const today = dayOf(nowAt);
  const lastDay = until ?? today;
  if (lastDay > today)
    throw new ApiError('validation_failed', 'until must not be after today.', {
      hint: `The newest day is until=${today} (UTC); leave until out for the running day.`,
    });
  const endAt = Math.min(nowAt, endOfDay(lastDay));
  return { firstDay: addDays(lastDay, 1 - days), lastDay, endAt };
}
