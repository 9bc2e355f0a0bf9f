/** The responses of an operation: successful ones by media type, and every error by status with an example. */
import { groupBy } from '../../reference/grouping.ts';
import { type ApiError, ERRORS, toEnvelope } from '../errors.ts';
import { atom, jsonFeed, jsonFeedOf } from '../feeds.ts';
import { CSV_MEDIA_TYPE, FORMATS, JSON_TYPE } from '../headers.ts';
import { csvHeader, csvRows } from '../route.ts';
import { OPERATION_IDS, type OperationId, ROUTES, type Route } from '../routes.ts';
import { errorHeaders, successHeaders } from './headers.ts';
import { recordReference, responseSchema, toJsonSchema } from './schemas.ts';

/** An error that an operation returns, by a short name of the fault. */
export interface Fault {
  readonly name: string;
  readonly error: ApiError;
}

/** Parts of the document that come from the code that makes responses, so that its examples are real. */
export interface ResponseSources {
  readonly csvOf: (columns: readonly string[], rows: readonly object[]) => string;
  readonly entityTag: (body: string) => string;
  readonly faultsOf: (operation: OperationId) => readonly Fault[];
}

export const EXAMPLE_REQUEST_ID = '0f4f2a54-6c1e-4b0a-9d5e-2f6f0d8f3a71';
const MAX_CSV = 2_000_000;

/** What each status of an error means. `component`: the name of the response, where it is equal for all keyed operations. */
const STATUSES: Readonly<Record<number, { readonly meaning: string; readonly component?: string }>> = {
  400: { meaning: 'The request cannot be read.' },
  401: { meaning: 'The key is missing, malformed or unknown.', component: 'KeyRefused' },
  403: { meaning: 'The key is known but not allowed.' },
  404: { meaning: 'Nothing is there.' },
  409: { meaning: 'Parameters exclude each other.' },
  422: { meaning: 'A parameter is misspelt, or has a value that is not allowed.' },
  429: { meaning: 'The rate limit or the monthly quota is used up.', component: 'Limited' },
  500: { meaning: 'The service failed.', component: 'Failed' },
  502: { meaning: 'A component of the service failed.', component: 'PartFailed' },
  503: { meaning: 'A dependency of the service does not respond.', component: 'Unavailable' },
  504: { meaning: 'The service did not respond in time.', component: 'TimedOut' },
};

function goodContent(operation: OperationId, making: ResponseSources): object {
  const route: Route = ROUTES[operation];
  const { example } = route;
  const csvColumns = csvHeader(route);
  const json = { schema: responseSchema(operation), example };
  if (csvColumns === undefined) return { [JSON_TYPE]: json };
  const base = 'https://data.example';
  const feed = route.feedOf?.(example, {}, base);
  const self = (format: 'atom' | 'jsonfeed'): string => `${base}${route.paths[0]}?format=${format}`;
  const csv = {
    schema: {
      type: 'string',
      description: `Header \`${csvColumns.join(',')}\`, then one row each, ASCII or UTF-8 without a byte-order mark, LF line ends.`,
      pattern: `^${csvColumns.join(',')}\\n`,
      maxLength: MAX_CSV,
    },
    example: making.csvOf(csvColumns, csvRows(route, example)),
  };
  return {
    [JSON_TYPE]: json,
    [CSV_MEDIA_TYPE]: csv,
    ...(route.geoJson && {
      [FORMATS.geojson]: {
        schema: toJsonSchema(route.geoJson.schema),
        example: route.geoJson.of(example),
      },
    }),
    ...(feed && {
      [FORMATS.atom]: {
        schema: {
          type: 'string',
          description: 'Atom 1.0 (RFC 4287).',
          pattern: '^<\\?xml ',
          maxLength: MAX_CSV,
        },
        example: atom(feed, self('atom'), '2025-10-04'),
      },
      [FORMATS.jsonfeed]: {
        schema: toJsonSchema(jsonFeed),
        example: jsonFeedOf(feed, self('jsonfeed')),
      },
    }),
  };
}

function errorResponse(operation: OperationId, status: number, faults: readonly Fault[]): object {
  return {
    description: STATUSES[status]?.meaning ?? `Status ${status}.`,
    headers: errorHeaders(ROUTES[operation], status),
    content: {
      [JSON_TYPE]: {
        schema: recordReference('ErrorEnvelope'),
        examples: Object.fromEntries(
          faults.map(({ name, error }) => [
            name,
            { summary: ERRORS[error.code].meaning, value: toEnvelope(error, EXAMPLE_REQUEST_ID) },
          ]),
        ),
      },
    },
  };
}

const byStatus = (faults: readonly Fault[]): ReadonlyMap<number, readonly Fault[]> =>
  new Map([...groupBy(faults, ({ error }) => error.status)].sort(([a], [b]) => a - b));

/** The shared components. Throws when two operations differ. */
export function sharedResponses(making: ResponseSources): Readonly<Record<string, object>> {
  const shared = new Map<string, object>();
  for (const operation of OPERATION_IDS.filter((id) => ROUTES[id].authenticated)) {
    for (const [status, faults] of byStatus(making.faultsOf(operation))) {
      const name = STATUSES[status]?.component;
      if (name === undefined) continue;
      const response = errorResponse(operation, status, faults);
      const other = shared.get(name) ?? response;
      if (JSON.stringify(other) !== JSON.stringify(response))
        throw new Error(`the ${status} of ${operation} differs from that of the other operations`);
      shared.set(name, response);
    }
  }
  return Object.fromEntries(shared);
}

/** Every status that `operation` returns on `path`. */
export function describeResponses(operation: OperationId, path: string, making: ResponseSources): object {
  const route: Route = ROUTES[operation];
  const errors = [...byStatus(making.faultsOf(operation))].map(([status, faults]) => {
    const name = route.authenticated ? STATUSES[status]?.component : undefined;
    const response = name && { $ref: `#/components/responses/${name}` };
    return [status, response ?? errorResponse(operation, status, faults)];
  });
  return {
    200: {
      description: route.summary,
      headers: successHeaders(route, path, 200),
      content: goodContent(operation, making),
    },
    ...(route.authenticated && {
      304: {
        description:
          'The data have not changed since the response whose tag was sent in If-None-Match. No body.',
        headers: successHeaders(route, path, 304),
      },
    }),
    ...Object.fromEntries(errors),
  };
}
