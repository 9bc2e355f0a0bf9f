/** Formats of the wire: the schemas that records are made of. */
import * as z from 'zod/mini';
import { LOCODE } from '../reference/codes.ts';
import { EVIDENCE } from '../reference/evidence.ts';

type Described = { description: string; example?: unknown; format?: 'date' | 'date-time' };

/** Adds what the OpenAPI document says about a schema. Returns the schema itself. */
export const described = <S extends z.core.$ZodType>(schema: S, meta: Described): S => {
  z.globalRegistry.add(schema, meta);
  return schema;
};

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;
const MAX_TEXT = 200;
/** ISO 3166-1 alpha-2. */
export const COUNTRY = /^[A-Z]{2}$/;

export const timestamp = (description: string) =>
  described(z.string().check(z.regex(TIMESTAMP), z.maxLength(20)), {
    description: `${description} ISO 8601 in UTC, whole seconds.`,
    example: '2026-11-20T12:00:00Z',
    format: 'date-time',
  });

/** Text on one line: no response contains anything that would break a log line or a CSV reader. */
export const ONE_LINE = /^[^\r\n]+$/;

export const text = (description: string, example: string) =>
  described(z.string().check(z.minLength(1), z.regex(ONE_LINE), z.maxLength(MAX_TEXT)), {
    description,
    example,
  });

/** The same value, or null. `description` says when it is null. */
export const orNull = <S extends z.core.$ZodType>(schema: S, description: string) =>
  described(z.nullable(schema), { description });

/** A number within limits, with at most `decimals` digits behind the point. */
export const decimal =
  (decimals: number, minimum = -1e15, maximum = 1e15) =>
  (description: string, example: number) => {
    const rounded = z.refine(
      (value: unknown) =>
        typeof value === 'number' &&
        Math.abs(value * 10 ** decimals - Math.round(value * 10 ** decimals)) < 1e-6,
      { error: `at most ${decimals} decimals` },
    );
    return described(z.number().check(z.minimum(minimum), z.maximum(maximum), rounded), {
      description,
      example,
    });
  };

/** A part of a whole. */
export const share = decimal(4, 0, 1);

export const count = (description: string, example: number) =>
  described(z.int().check(z.minimum(0), z.maximum(1_000_000)), { description, example });

/** A list with an upper bound, which a test can check. `element` is the schema of its items. */
export const listOf = <S extends z.core.$ZodType>(element: S, longest: number, description: string) =>
  Object.assign(described(z.array(element).check(z.maxLength(longest)), { description }), { element });

/** Every record of the loaded contracts, by the name it has in the OpenAPI document and in the typed client. */
export const RECORDS = new Map<string, z.core.$ZodType>();

/** An object with a name of its own. */
export function record<S extends z.core.$ZodShape>(
  name: string,
  description: string,
  shape: S,
): z.ZodMiniObject<S> {
  const schema = described(z.object(shape), { description });
  RECORDS.set(name, schema);
  return schema;
}

/** UN/LOCODE as in paths and responses. */
export const locode = described(z.string().check(z.regex(LOCODE), z.maxLength(5)), {
  description: 'UN/LOCODE of the port, upper case.',
  example: 'HKHKG',
});

/** Country as in responses. */
export const country = described(z.string().check(z.regex(COUNTRY), z.maxLength(2)), {
  description: 'ISO 3166-1 alpha-2 code of the country.',
  example: 'HK',
});

/** A UTC calendar day, `YYYY-MM-DD`. */
export const day = (description: string, example = '2026-11-20') =>
  described(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/), z.maxLength(10)), {
    description,
    example,
    format: 'date',
  });

const score = decimal(3, 0, 1);
export const congestionScore = score('Congestion score, 0 (free) to 1, the mean of three terms.', 0.412);

const hours = decimal(1, 0, 100_000);
export const avgWaitHours = hours(
  'Mean hours between arrival and first berth, over seven days of berthings.',
  11.3,
);

/** The evidence of a port or a source. */
export const evidence = described(z.enum(EVIDENCE), {
  description:
    'What the data rest on, by the published rule: `observed`, this deployment has fetched them and they are not stale; else the source is `recorded`, a real reply in the repository passes its tests; `read`, tests have read a real reply that is kept elsewhere; `expected`, published formats only. `given`: a person gave the service a table of calls. `simulated`: made-up sample data.',
  example: 'recorded',
});

// What the committed OpenAPI document and the Postman collection state, until the portal of a service states its own.

/** The service as `npm start` opens it; absolute, because Postman cannot read a relative address. */
export const LOCAL_ADDRESS = 'http://127.0.0.1:3000';
/** The value of the key where there is no public one. */
export const NO_KEY = 'YOUR_API_KEY';

/** The figures of a covered port without observations. Their basis and the closure, which are null too, are left out. */
export const UNOBSERVED_PORT = {
  last_observed: null,
  as_of: null,
  congestion_score: null,
  avg_wait_hours: null,
  at_anchor: null,
  in_port: null,
  first_day: null,
  last_day: null,
} as const;

// Response headers: their names and fixed values.

export const HEADERS = {
  requestId: 'x-request-id',
  cacheControl: 'Cache-Control',
  contentEncoding: 'Content-Encoding',
  contentType: 'Content-Type',
  contentLength: 'Content-Length',
  etag: 'ETag',
  vary: 'Vary',
  retryAfter: 'Retry-After',
  rateLimitLimit: 'RateLimit-Limit',
  rateLimitRemaining: 'RateLimit-Remaining',
  rateLimitReset: 'RateLimit-Reset',
  link: 'Link',
  deprecation: 'Deprecation',
  sunset: 'Sunset',
  contentDisposition: 'Content-Disposition',
  vintages: 'X-Vintages',
  vintagesFrom: 'X-Vintages-From',
  contentTypeOptions: 'X-Content-Type-Options',
} as const;

/** The request header that carries the key. */
export const KEY_HEADER = 'X-API-Key';

/** What responses of read endpoints vary by. */
export const VARY = `${KEY_HEADER}, Accept-Encoding`;

/** Reads may be cached for five minutes, per key. */
export const CACHEABLE = 'public, max-age=300';
export const NOT_CACHEABLE = 'no-store';
export const JSON_TYPE = 'application/json';
export const CSV_MEDIA_TYPE = 'text/csv';
/** Every value of `format` with the type that it is sent as. */
export const FORMATS = {
  json: JSON_TYPE,
  csv: `${CSV_MEDIA_TYPE}; charset=utf-8`,
  atom: 'application/atom+xml',
  jsonfeed: 'application/feed+json',
  geojson: 'application/geo+json',
} as const;
export type Format = keyof typeof FORMATS;

/** Request header in which the portal's distribution states the host that the client asked; the gateway sees another one. */
export const VIEWER_HOST = 'x-viewer-host';
