/** A route: the contract of one endpoint. */
import type * as z from 'zod/mini';
import type { Feed } from './feeds.ts';
import type { Parameter } from './parameters.ts';
import type { Tier } from './plans.ts';

type Parameters = Readonly<Record<string, Parameter<unknown>>>;

interface Deprecation {
  /** Day from which the path is deprecated, and day after which it may be removed; `YYYY-MM-DD`. */
  readonly since: string;
  readonly sunset: string;
  /** Page with the replacement. */
  readonly link: string;
}

/** Groups of endpoints in the documentation. */
export const TAGS = {
  Service: 'Whether the API responds, and where its data come from.',
  Ports: 'Congestion of a port: now, day by day, call by call, and when it changed.',
  Trade: 'Imports of a commodity, month by month.',
} as const;

export interface Route<S extends z.core.$ZodType = z.core.$ZodType> {
  readonly summary: string;
  readonly description: string;
  readonly tag: keyof typeof TAGS;
  /** The preferred path first; the others are aliases of it. */
  readonly paths: readonly [string, ...string[]];
  readonly authenticated: boolean;
  readonly beta?: true;
  readonly deprecation?: Deprecation;
  /** Plans that do not include the endpoint. */
  readonly excludedPlans?: readonly Tier[];
  readonly path: Parameters;
  readonly query: Parameters;
  /** Query parameters that exclude each other. One of them must be given, unless one has a default. */
  readonly exclusive?: readonly string[];
  /** Body of a 200, as sent. */
  readonly response: S;
  /** Set where a response that is not a list has a CSV form. */
  readonly csv?: { readonly columns: readonly string[]; rowsOf(body: z.output<S>): readonly object[] };
  /**
   * Set where feed readers get the response as Atom and JSON Feed too. `query` has the checked parameters, `base` the address that the
   * service is reached at, such as `https://data.example`.
   */
  feedOf?(body: z.output<S>, query: Readonly<Record<string, unknown>>, base: string): Feed;
  /** Set where the response has a GeoJSON form (RFC 7946). */
  readonly geoJson?: { readonly schema: z.core.$ZodType; of(body: z.output<S>): object };
  /** Whether a 200 with this body may be cached; always when undefined. */
  isCacheable?(body: z.output<S>): boolean;
  /** A whole response that fits the schema. */
  readonly example: Example<z.output<S>>;
}

/** `T`, deeply read-only. */
type Example<T> = T extends object ? { readonly [K in keyof T]: Example<T[K]> } : T;

type Values<P> = { readonly [K in keyof P]: P[K] extends Parameter<infer T> ? T : never };
/** A query parameter without a default is undefined when it was not sent. */
type QueryValues<Q> = {
  readonly [K in keyof Q]: Q[K] extends { default: unknown } & Parameter<infer T>
    ? T
    : Q[K] extends Parameter<infer T>
      ? T | undefined
      : never;
};
export type PathValues<R extends Route> = Values<R['path']>;
export type QueryOf<R extends Route> = QueryValues<R['query']>;
export type ResponseBody<R extends Route> = z.output<R['response']>;

/** Whether a schema is a list of records, as `listOf` makes one. */
const isList = (schema: object): schema is { readonly element: { readonly shape: object } } =>
  'element' in schema;

/** Column names of the CSV form, in documented order; undefined for a route without a `format` parameter. */
export function csvHeader({ query, response, csv }: Route): readonly string[] | undefined {
  if (!('format' in query)) return undefined;
  if (csv !== undefined) return csv.columns;
  return isList(response) ? Object.keys(response.element.shape) : undefined;
}

/** The rows of the CSV form of `body`: of a list, its elements. */
export const csvRows = ({ csv }: Route, body: unknown): readonly object[] =>
  csv?.rowsOf(body) ?? (body as readonly object[]);

/** The first of the exclusive parameters where one of them must be given, else undefined. */
export const requiredParameter = ({ exclusive, query }: Route): string | undefined =>
  exclusive?.some((name) => query[name]?.default !== undefined) ? undefined : exclusive?.[0];

/** Path and query of a request that works, with the parameters' examples, or with `values` instead. */
export function exampleRequest(route: Route, values: Readonly<Record<string, string>> = {}): string {
  const path = route.paths[0].replace(
    /\{(\w+)\}/g,
    (_, name: string) => values[name] ?? route.path[name]?.example ?? '',
  );
  const required = requiredParameter(route);
  return required === undefined ? path : `${path}?${required}=${route.query[required]?.example ?? ''}`;
}

const FILE_NAME_PLACES = ['subject', 'days', 'known'] as const;

/** File name under which a CSV is saved, such as `HKHKG-trend-30d.csv` or `HKHKG-waits-2026-10-01-2026-10-31.csv`. */
export function csvFileName(
  { paths, query, exclusive = [] }: Route,
  pathValues: readonly unknown[],
  values: Readonly<Record<string, unknown>>,
): string {
  const resource = paths[0].slice(paths[0].lastIndexOf('/') + 1);
  // The first of parameters that exclude each other has its default where another was sent.
  const chosen = exclusive.filter((name) => values[name] !== undefined).at(-1);
  const parts = FILE_NAME_PLACES.flatMap((place) =>
    Object.entries(query).flatMap(([name, { inFileName }]) => {
      const isOut = exclusive.includes(name) && name !== chosen;
      if (inFileName?.place !== place || values[name] === undefined || isOut) return [];
      const value = String(values[name]);
      return [inFileName.text?.(value) ?? value];
    }),
  );
  return `${[...pathValues, resource, ...parts].join('-')}.csv`;
}
