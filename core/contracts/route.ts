/** What the contract says of one operation: where it is, what it takes and what it answers. */
import type * as z from 'zod/mini';
import type { Parameter } from './parameters.ts';

type Parameters = Readonly<Record<string, Parameter<unknown>>>;

export interface Deprecation {
  /** Day from which the path is deprecated, and day after which it may be gone; `YYYY-MM-DD`. */
  readonly since: string;
  readonly sunset: string;
  /** Page that says what to do. */
  readonly link: string;
}

export interface Route {
  readonly summary: string;
  /** The preferred path first; those behind it are aliases that are kept. */
  readonly paths: readonly [string, ...string[]];
  readonly authenticated: boolean;
  readonly beta?: true;
  readonly deprecation?: Deprecation;
  readonly path: Parameters;
  readonly query: Parameters;
  /** Query parameters of which exactly one must be given; two together are a conflict. */
  readonly oneOf?: readonly string[];
  readonly response: z.core.$ZodType;
  /** Column names of the CSV form, where there is one. */
  readonly csvColumns?: readonly string[];
}

/** Under which an answer is saved, such as `USLAX-trend-30d.csv`; `days` where a span was asked for. */
export function fileNameOf(
  { paths }: Route,
  pathValues: readonly unknown[],
  days: unknown,
  format: 'json' | 'csv',
): string {
  const resource = paths[0].slice(paths[0].lastIndexOf('/') + 1);
  return `${[...pathValues, resource, ...(days === undefined ? [] : [`${days}d`])].join('-')}.${format}`;
}

/** Column names of a record, in the order in which they are documented. */
export const columnsOf = (schema: { def: { shape: object } }): readonly string[] =>
  Object.keys(schema.def.shape);
