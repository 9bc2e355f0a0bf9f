/** Health: says that the API answers. It touches no store, so it cannot say more than that. */
import type { Endpoint } from '../../core/http/chain.ts';
import { type Clock, formatInstant, wholeSecond } from '../../core/reference/time.ts';

export function createHealth(region: string, now: Clock): Endpoint<'health'> {
  return async () => ({ status: 'ok', time: formatInstant(wholeSecond(now())), region });
}
