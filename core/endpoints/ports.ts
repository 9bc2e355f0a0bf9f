/** Ports: what the service covers, and when each port was last observed. */
import { portsRoute } from '../contracts/ports.ts';
import { formatInstant } from '../reference/time.ts';
import { createPortStore } from '../store/ports.ts';
import { endpoint } from './endpoint.ts';

export const ports = endpoint({
  route: portsRoute,
  tables: { ports: 'scan' },
  memoryMb: 512,
  create(tables) {
    const store = createPortStore(tables.ports);
    return async () =>
      (await store.all()).map(({ port, name, countryCode, latitude, longitude, sources, snapshot }) => ({
        port,
        name,
        country: countryCode,
        latitude,
        longitude,
        sources: [...sources],
        ...(snapshot === undefined ? {} : { last_observed: formatInstant(snapshot.asOfAt) }),
      }));
  },
});
