/** The view that the address of the explorer page names: map and port, ports compared, or import index. */
import { WINDOWS, type Window } from '../../core/contracts/parameters.ts';
import { isDay } from '../../core/reference/time.ts';

/** How all ports are listed under the map: as a table, or as a heat map of ports by days. */
export const LISTINGS = { table: 'table', 'heat map': 'heat map' } as const;

export interface MapRoute {
  readonly view: 'map';
  readonly port: string | undefined;
  readonly window: Window;
  readonly listing: keyof typeof LISTINGS;
  /** The UTC day at whose end map, list and cards were known; undefined for the newest figures. */
  readonly day: string | undefined;
}

export interface ImportsRoute {
  readonly view: 'imports';
  readonly code: string;
}

export interface CompareRoute {
  readonly view: 'compare';
  /** UN/LOCODEs, one to three, each once. */
  readonly ports: readonly string[];
}

export type PageRoute = MapRoute | ImportsRoute | CompareRoute;

export const pageTitle = (subject: string): string => `${subject} · Port Congestion Data Service`;

const IMPORTS = 'imports';
export const importsSearch = (code: string): string => `/?${new URLSearchParams({ [IMPORTS]: code })}`;

const COMPARED = 'ports';
export const COMPARED_PORTS = 3;
export const compareSearch = (ports: readonly string[]): string => `/?${COMPARED}=${ports.join(',')}`;

/** The first three codes of the list in the address, which people write. */
const portsIn = (list: string): string[] =>
  [...new Set(list.toUpperCase().match(/[A-Z0-9]{5}/g))].slice(0, COMPARED_PORTS);

const WIDEST: Window = '30d';
const isWindow = (text: string | null): text is Window => text !== null && Object.hasOwn(WINDOWS, text);
const HEAT = 'heat';

export function readRoute(search: string): PageRoute {
  const query = new URLSearchParams(search);
  const code = query.get(IMPORTS);
  if (code !== null) return { view: 'imports', code };
  const ports = portsIn(query.get(COMPARED) ?? '');
  if (ports.length > 0) return { view: 'compare', ports };
  const window = query.get('window');
  const day = query.get('day');
  return {
    view: 'map',
    port: query.get('port') ?? undefined,
    window: isWindow(window) ? window : WIDEST,
    listing: query.get('list') === HEAT ? 'heat map' : 'table',
    day: day !== null && isDay(day) ? day : undefined,
  };
}

/** `listing`: the table where it is left out; `day`: the newest figures. */
export function mapSearch({
  port,
  window,
  listing,
  day,
}: Pick<MapRoute, 'port' | 'window'> & Partial<MapRoute>): string {
  const query = new URLSearchParams();
  if (port !== undefined) query.set('port', port);
  if (window !== WIDEST) query.set('window', window);
  if (listing === 'heat map') query.set('list', HEAT);
  if (day !== undefined) query.set('day', day);
  return query.size === 0 ? '/' : `/?${query}`;
}
