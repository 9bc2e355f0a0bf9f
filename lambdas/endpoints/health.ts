/** Health: shows that the API responds. It reads no table, so it shows nothing about the data. */
import { healthRoute } from '../../core/contracts/health.ts';
import { formatInstant, wholeSecond } from '../../core/reference/time.ts';
import { endpoint } from './endpoint.ts';

export const health = endpoint({
  route: healthRoute,
  tables: {},
  memoryMb: 256,
  create:
    (_tables, { now, region }) =>
    async () => ({ status: 'ok' as const, time: formatInstant(wholeSecond(now())), region }),
});
