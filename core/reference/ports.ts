/** The ports that the service knows by name and place. Built by `npm run study -- ports`; origin in docs/port-reference.md. */
import type { Locode } from './codes.ts';
import ports from './ports.json' with { type: 'json' };

export interface Port {
  readonly locode: Locode;
  readonly name: string;
  /** ISO 3166-1 alpha-2, the first half of the UN/LOCODE. */
  readonly countryCode: string;
  /** Degrees, north positive; of the harbour, to about a kilometre. */
  readonly latitude: number;
  /** Degrees, east positive. */
  readonly longitude: number;
}

/** Every port of the reference, in order of code. */
export const PORTS: readonly Port[] = ports;

const byLocode: ReadonlyMap<Locode, Port> = new Map(PORTS.map((port) => [port.locode, port]));

/** The port of `locode`, undefined when the reference does not have it. */
export const findPort = (locode: Locode): Port | undefined => byLocode.get(locode);
