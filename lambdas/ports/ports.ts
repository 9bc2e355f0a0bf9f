/** Ports: what the service covers, and how lately each port was observed. */
import type { Endpoint } from '../../core/http/chain.ts';
import { formatInstant } from '../../core/reference/time.ts';
import type { PortStore } from '../../core/store/ports.ts';

export function createPorts(ports: Pick<PortStore, 'all'>): Endpoint<'ports'> {
  return async () =>
    (await ports.all()).map(({ port, name, countryCode, latitude, longitude, sources, snapshot }) => ({
      port,
      name,
      country: countryCode,
      latitude,
      longitude,
      sources: [...sources],
      ...(snapshot === undefined ? {} : { last_observed: formatInstant(snapshot.asOfAt) }),
    }));
}
