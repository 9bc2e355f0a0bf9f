/** Wiring of the port list. */
import { portsRoute } from '../../core/contracts/ports.ts';
import { createPortStore } from '../../core/store/ports.ts';
import { keyedEndpoint } from '../keyed-endpoint.ts';
import { createPorts } from './ports.ts';

export const handler = keyedEndpoint('ports', portsRoute, ['ports'], (tables) =>
  createPorts(createPortStore(tables.ports)),
);
