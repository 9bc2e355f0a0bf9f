/** What the address of the explorer page says: the builder with a request, or the map with a port and its windows. */
import { WINDOWS, type Window } from '../../core/contracts/parameters.ts';
import { type BuiltRequest, fromSearch } from '../request/built-request.ts';

export interface MapRoute {
  readonly view: 'map';
  /** UN/LOCODE of the port shown; the worst congested one without. */
  readonly port: string | undefined;
  readonly window: Window;
}

export interface BuilderRoute {
  readonly view: 'builder';
  readonly request: BuiltRequest;
}

export type PageRoute = MapRoute | BuilderRoute;

const WIDEST: Window = '30d';
const isWindow = (text: string | null): text is Window => text !== null && Object.hasOwn(WINDOWS, text);

export function readRoute(search: string): PageRoute {
  const query = new URLSearchParams(search);
  const request = fromSearch(query);
  if (request) return { view: 'builder', request };
  const window = query.get('window');
  return { view: 'map', port: query.get('port') ?? undefined, window: isWindow(window) ? window : WIDEST };
}

export function mapSearch({ port, window }: Pick<MapRoute, 'port' | 'window'>): string {
  const query = new URLSearchParams();
  if (port !== undefined) query.set('port', port);
  if (window !== WIDEST) query.set('window', window);
  return query.size === 0 ? '/' : `/?${query}`;
}
