/** The one request that the address, the chart, the table, the download and the code of the builder are made from. */
import type { Format } from '../../core/contracts/parameters.ts';
import { csvColumnsOf, fileNameOf, requiredOf } from '../../core/contracts/route.ts';
import { OPERATION_IDS, type OperationId, ROUTES, type Route } from '../../core/contracts/routes.ts';
import { exampleValues, fieldsOf } from './operation-form.ts';

/** Values by field name; an empty text means that the field is not given. */
export type Values = Readonly<Record<string, string>>;

export interface BuiltRequest {
  readonly operation: OperationId;
  /** Those of the fields that are given. */
  readonly values: Values;
  /** Path and query as they are sent; begins with `/v1`. */
  readonly path: string;
  readonly authenticated: boolean;
  readonly format: Format;
  /** What is wrong with the values, by field name; the API says the same. */
  readonly faults: Values;
  /** False while a part of the path is missing, so that there is nothing to ask for. */
  readonly complete: boolean;
}

function exclusiveFaults(route: Route, given: Values): Values {
  const names = route.exclusive ?? [];
  const present = names.filter((name) => given[name] !== undefined);
  const [first = ''] = names;
  if (present.length === 0 && requiredOf(route) !== undefined)
    return { [first]: `One of ${names.join(' and ')} has to be given.` };
  if (present.length < 2) return {};
  return { [first]: `Give one of ${names.join(' and ')}, not both.` };
}

/** Builds the request of `operation`; never throws: what is wrong stands in `faults`. */
export function buildRequest(operation: OperationId, values: Values): BuiltRequest {
  const route: Route = ROUTES[operation];
  const fields = fieldsOf(operation);
  const isGiven = (name: string): boolean => (values[name] ?? '') !== '';
  const given = Object.fromEntries(
    fields.filter(({ name }) => isGiven(name)).map(({ name }) => [name, values[name] ?? '']),
  );
  const path = fields
    .filter(({ place }) => place === 'path')
    .reduce(
      (template, { name }) => template.replace(`{${name}}`, encodeURIComponent(given[name] ?? `{${name}}`)),
      route.paths[0] as string,
    );
  const query = new URLSearchParams(
    fields
      .filter(({ name, place }) => place === 'query' && given[name] !== undefined)
      .map(({ name }) => [name, given[name] ?? '']),
  ).toString();
  const wrong = fields.flatMap(({ name, place, faultOf }) => {
    if (given[name] === undefined) return place === 'path' ? [[name, `${name} has to be given.`]] : [];
    const fault = faultOf(given[name]);
    return fault === undefined ? [] : [[name, fault]];
  });
  return {
    operation,
    values: given,
    path: query === '' ? path : `${path}?${query}`,
    authenticated: route.authenticated,
    format: given.format === 'csv' && csvColumnsOf(route) !== undefined ? 'csv' : 'json',
    faults: { ...exclusiveFaults(route, given), ...Object.fromEntries(wrong) },
    complete: fields.every(({ name, place }) => place !== 'path' || given[name] !== undefined),
  };
}

/** The same request as CSV; undefined where the operation has no CSV form. */
export function asCsv({ operation, values }: BuiltRequest): BuiltRequest | undefined {
  const route: Route = ROUTES[operation];
  return csvColumnsOf(route) === undefined
    ? undefined
    : buildRequest(operation, { ...values, format: 'csv' });
}

const defaultOf = (operation: OperationId, field: string): string | undefined =>
  fieldsOf(operation).find(({ name }) => name === field)?.fallback;

/** Name under which the answer is saved: the one that the service gives it. */
export function savedName({ operation, values, format }: BuiltRequest): string {
  const { UNLOCODE, code, until, window = defaultOf(operation, 'window') } = values;
  const { days = window?.replace('d', '') } = values;
  return fileNameOf(ROUTES[operation], [UNLOCODE ?? code].filter(Boolean), { days, until }, format);
}

const OPERATION = 'build';

/** Query of the portal's own page that shows `request` in the builder. */
export const toSearch = ({ operation, values }: Pick<BuiltRequest, 'operation' | 'values'>): string =>
  `?${new URLSearchParams({ [OPERATION]: operation, ...values })}`;

/** The request that `toSearch` wrote; an operation without values gets an example's. Undefined when there is none. */
export function fromSearch(search: URLSearchParams): BuiltRequest | undefined {
  const operation = OPERATION_IDS.find((id) => id === search.get(OPERATION));
  if (operation === undefined) return undefined;
  const values = Object.fromEntries([...search].filter(([name]) => name !== OPERATION));
  return buildRequest(operation, Object.keys(values).length === 0 ? exampleValues(operation) : values);
}
