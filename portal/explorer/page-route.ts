/** The view that the address of the explorer page names: map and port, or import index. */
import { WINDOWS, type Window } from '../../core/contracts/parameters.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import { isDay } from '../../core/reference/time.ts';

export interface MapRoute {
  readonly view: 'map';
  readonly port: string | undefined;
  readonly window: Window;
  /** The UTC day at whose end map, list and cards were known; undefined for the newest figures. */
  readonly day: string | undefined;
}

export interface ImportsRoute {
  readonly view: 'imports';
  readonly code: string;
}

export type PageRoute = MapRoute | ImportsRoute;

export const pageTitle = (subject: string): string => `${subject} · Port Congestion Data Service`;

const IMPORTS = 'imports';
export const importsSearch = (code: string): string => `/?${new URLSearchParams({ [IMPORTS]: code })}`;

/** The first port of an address that lists several, as links of earlier versions do. */
const firstPort = (list: string): string | undefined => list.toUpperCase().match(/[A-Z0-9]{5}/)?.[0];

const WIDEST: Window = '30d';
const isWindow = (text: string | null): text is Window => text !== null && Object.hasOwn(WINDOWS, text);

export function readRoute(search: string): PageRoute {
  const query = new URLSearchParams(search);
  const code = query.get(IMPORTS);
  if (code !== null) return { view: 'imports', code };
  const window = query.get('window');
  const day = query.get('day');
  return {
    view: 'map',
    port: query.get('port') ?? firstPort(query.get('ports') ?? ''),
    window: isWindow(window) ? window : WIDEST,
    day: day !== null && isDay(day) ? day : undefined,
  };
}

/** `day`: the newest figures if it is left out. */
export function mapSearch({
  port,
  window,
  day,
}: Pick<MapRoute, 'port' | 'window'> & Partial<MapRoute>): string {
  const query = new URLSearchParams();
  if (port !== undefined) query.set('port', port);
  if (window !== WIDEST) query.set('window', window);
  if (day !== undefined) query.set('day', day);
  return query.size === 0 ? '/' : `/?${query}`;
}

type Held = Pick<PortRecord, 'port'> & Partial<Pick<PortRecord, 'first_day' | 'last_day'>>;

export const isOwnDay = ({ first_day, last_day }: Partial<Held>, day: string): boolean =>
  (first_day ?? day) <= day && day <= (last_day ?? day);

/** The address of a port: on the day that is shown where it is one of the port's own days, else with its newest figures. */
export function portSearch(route: MapRoute, port: Held): string {
  const isOwn = route.day !== undefined && isOwnDay(port, route.day);
  return mapSearch({ ...route, port: port.port, day: isOwn ? route.day : undefined });
}
