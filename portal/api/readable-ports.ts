/** Every port that a deployment can read, with its place, whether or not this one does: the small rings of the map. */
import type { PortRecord } from '../../core/contracts/ports.ts';
import { UNOBSERVED_PORT } from '../../core/contracts/unobserved-port.ts';

/** Where the list is served. The build writes it from the declarations of the sources and the port reference. */
export const READABLE_PORTS = '/docs/readable-ports.json';

export interface ReadablePort
  extends Pick<PortRecord, 'port' | 'name' | 'latitude' | 'longitude' | 'sources' | 'evidence'> {
  /** `npm start -- --sample` simulates it. */
  readonly sample?: true;
}

/** The figures of a port for which the service holds no data. */
export const UNKNOWN_FIGURES = { ...UNOBSERVED_PORT, wait_basis: null, stopped_since: null } as const;

/** The port as the list of ports would have it before its first observation. */
export const unheldRecord = ({ sample: _, ...port }: ReadablePort): PortRecord => ({
  ...port,
  country: port.port.slice(0, 2),
  method: null,
  ...UNKNOWN_FIGURES,
});
