/** The builder's request, from which its address, chart, table, download and code are derived. */
import type { Format } from '../../core/contracts/parameters.ts';
import { csvColumnsOf, fileNameOf, requiredOf } from '../../core/contracts/route.ts';
import { OPERATION_IDS, type OperationId, ROUTES, type Route } from '../../core/contracts/routes.ts';
import { exampleValues, fieldsOf } from './operation-form.ts';

/** Values by field name; an empty text means that the field is not set. */
export type Values = Readonly<Record<string, string>>;

export interface BuiltRequest {
  readonly operation: OperationId;
  /** Values of the fields that are set. */
  readonly values: Values;
  /** Path and query as they are sent; begins with `/v1`. */
  readonly path: string;
  readonly authenticated: boolean;
  readonly format: Format;
  /** Faults of the values, by field name, in the API's own words. */
  readonly faults: Values;
  /** False while a part of the path is missing, so that there is no request to send. */
  readonly complete: boolean;
}

function exclusiveFaults(route: Route, given: Values): Values {
  const names = route.exclusive ?? [];
  const present = names.filter((name) => given[name] !== undefined);
  const [first = ''] = names;
  if (present.length === 0 && requiredOf(route) !== undefined)
    return { [first]: `One of ${names.join(' and ')} is required.` };
  if (present.length < 2) return {};
  return { [first]: `Give one of ${names.join(' and ')}, not both.` };
}

/** Builds the request of `operation`; never throws: `faults` has what is wrong. */
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
    if (given[name] === undefined) return place === 'path' ? [[name, `${name} is required.`]] : [];
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

/** File name for the response, as the service suggests it. */
export function savedName({ operation, values, format }: BuiltRequest): string {
  const { UNLOCODE, code, window = defaultOf(operation, 'window') } = values;
  return fileNameOf(ROUTES[operation], [UNLOCODE ?? code].filter(Boolean), { ...values, window }, format);
}

const OPERATION = 'build';

/** Query of the portal page that shows the request in the builder. */
export const toSearch = ({ operation, values }: Pick<BuiltRequest, 'operation' | 'values'>): string =>
  `?${new URLSearchParams({ [OPERATION]: operation, ...values })}`;

/** The request that `toSearch` wrote; an operation without values gets an example's. Undefined when there is none. */
export function fromSearch(search: URLSearchParams): BuiltRequest | undefined {
  const operation = OPERATION_IDS.find((id) => id === search.get(OPERATION));
  if (operation === undefined) return undefined;
  const values = Object.fromEntries([...search].filter(([name]) => name !== OPERATION));
  return buildRequest(operation, Object.keys(values).length === 0 ? exampleValues(operation) : values);
}
