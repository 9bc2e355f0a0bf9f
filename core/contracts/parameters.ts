/** Parameters of paths and queries: the allowed values, and the hint for other values. */
import * as z from 'zod/mini';
import { HS_CODE, isLocode } from '../reference/codes.ts';
import { isDay } from '../reference/time.ts';
import { COUNTRY, described, type Format, locode } from './wire.ts';

/** The part of a saved file's name that a value makes: the subject, its days, or the day of knowledge. */
interface FileNamePart {
  readonly place: 'subject' | 'days' | 'known';
  readonly text?: (value: string) => string;
}

/** A parameter of a request: `T` once parsed, `Sent` as its text. `rule` completes the sentence "<name> ...". */
export interface Parameter<T, Sent extends string = string> {
  readonly description: string;
  readonly schema: z.ZodMiniType<T, Sent>;
  readonly rule: string;
  /** A value that works. */
  readonly example: string;
  /** A value that is refused. */
  readonly counterexample: string;
  /** Set on a parameter that is a whole number: its bounds. */
  readonly integer?: { readonly minimum: number; readonly maximum: number };
  /** Default value; absent on parameters without one. */
  readonly default?: T;
  /** A better hint than the example, derived from the value that was sent. `tryThis`: the hint that names a working request. */
  readonly hintFor?: (value: string, tryThis: () => string) => string | undefined;
  /** Set where the name of a saved file states the value. */
  readonly inFileName?: FileNamePart;
}

/** Largest value of a `limit`. */
export const MAX_LIMIT = 500;

export type Defaulted<T, Sent extends string = string> = Parameter<T, Sent> & { readonly default: T };

export const choiceParameter = <T extends string>(
  values: readonly [T, ...T[]],
  description: string,
  counterexample: string,
  example = values[0],
): Parameter<T> => ({
  description,
  schema: z.enum(values) as unknown as Parameter<T>['schema'],
  rule: `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`,
  example,
  counterexample,
});

const wholeNumber = (maximum: number) => ({
  schema: z.pipe(
    z.string().check(
      z.regex(/^[1-9]\d{0,2}$/),
      z.refine((digits) => Number(digits) <= maximum),
    ),
    z.transform((digits: string): number => Number(digits)),
  ),
  rule: `must be a whole number from 1 to ${maximum}`,
  integer: { minimum: 1, maximum },
});

/** Most rows of a response. `fallback`: the default. */
export const limitParameter = (
  description: string,
  { fallback, ...examples }: { fallback: number; example: string; counterexample: string },
): Defaulted<number> => ({ description, ...wholeNumber(MAX_LIMIT), ...examples, default: fallback });

/** Days of each allowed window. */
export const WINDOWS = { '7d': 7, '14d': 14, '30d': 30 } as const;
export type Window = keyof typeof WINDOWS;
const WINDOW_NAMES = Object.keys(WINDOWS) as [Window, ...Window[]];

const windowSchema = z.pipe(
  z.enum(WINDOW_NAMES),
  z.transform((name: Window): number => WINDOWS[name]),
);

/** Who asks for a longer window wants history, so the hint names the endpoint that has it. */
const hintForLonger = (value: string, tryThis: () => string): string | undefined =>
  /^[1-9]\d{1,4}d?$/.test(value) && Number.parseInt(value, 10) > WINDOWS['30d']
    ? `${tryThis()} and move its days back with until. For a year at once take waits with from and to; the whole past is the dataset, which needs no key: /data/latest.json at the address of the portal.`
    : undefined;

/** The last N UTC calendar days, today included; its value is N. */
export const windowParameter: Parameter<number, Window> = {
  description: 'The last N UTC calendar days, today (running values) included.',
  schema: windowSchema,
  rule: 'must be like 7d, 14d, 30d',
  example: '30d',
  counterexample: '12h',
  hintFor: hintForLonger,
  inFileName: { place: 'days', text: (days) => `${days}d` },
};

/** The same parameter with a default. */
export const windowParameterOr = (fallback: Window): Defaulted<number, Window> => ({
  ...windowParameter,
  default: WINDOWS[fallback],
});

/** Alias of `window`: a bare number of days, canonical form only. */
export const daysParameter: Parameter<number> = {
  description: 'Alias of `window`: a whole number of days, 1 to 30.',
  ...wholeNumber(30),
  example: '30',
  counterexample: '31',
  hintFor: hintForLonger,
  inFileName: { place: 'days', text: (days) => `${days}d` },
};

/** A UTC day. Whether it is in the future is checked against the clock of the service. */
export const dayParameter = (
  description: string,
  example: string,
  inFileName?: FileNamePart,
): Parameter<string> => ({
  description,
  schema: described(
    z.string().check(
      z.regex(/^\d{4}-\d{2}-\d{2}$/),
      z.maxLength(10),
      z.refine((text: string) => isDay(text)),
    ),
    { description: 'UTC calendar day.', format: 'date' },
  ),
  rule: 'must be a UTC day as YYYY-MM-DD, not after today',
  example,
  counterexample: '2026-02-30',
  ...(inFileName && { inFileName }),
});

export const untilParameter = dayParameter(
  'Last UTC day of the window, included; by default today. A day outside the data gives an empty list.',
  '2025-08-31',
  { place: 'days' },
);

/** On routes whose figures have vintages. Other routes refuse it by name, because current figures would mislead. */
export const asOfParameter = dayParameter(
  'The figures as they were served at the end of this UTC day: nothing that became known later. A day before the first vintage gives nothing, and the header `X-Vintages-From` says where the vintages begin.',
  '2025-08-31',
  { place: 'known', text: (day) => `as-of-${day}` },
);

/** A route's formats: JSON, the default, and `others`. */
export const formatParameterOf = (
  others: readonly [Format, ...Format[]],
  description = 'Format of the response.',
  example: Format = others[0],
): Defaulted<Format> => ({
  ...choiceParameter(['json', ...others], description, 'xml', example),
  default: 'json',
});
export const formatParameter = formatParameterOf(['csv']);

export const portParameter: Parameter<string> = {
  description: 'UN/LOCODE of the port, upper case.',
  schema: locode,
  rule: 'must be the two letters of a country and three letters or digits, in upper case',
  example: 'HKHKG',
  counterexample: 'hkhkg',
  hintFor: (value) => (isLocode(value.toUpperCase()) ? `Did you mean ${value.toUpperCase()}?` : undefined),
};

export const hsCodeParameter: Parameter<string> = {
  description: 'HS code: 2, 4, 6, 8 or 10 digits.',
  schema: described(z.string().check(z.regex(HS_CODE), z.maxLength(10)), {
    description: 'HS code.',
    example: '85',
  }),
  rule: 'must be an HS code of 2, 4, 6, 8 or 10 digits',
  example: '85',
  counterexample: '851',
};

export const countryParameter = (what: string): Parameter<string> => ({
  description: `${what}: its ISO 3166-1 alpha-2 code.`,
  schema: described(z.string().check(z.regex(COUNTRY), z.maxLength(2)), {
    description: 'ISO 3166-1 alpha-2 code of a country.',
  }),
  rule: 'must be the two letters of a country (ISO 3166-1), in upper case',
  example: 'HK',
  counterexample: 'hk',
  inFileName: { place: 'subject' },
  hintFor: (value) =>
    COUNTRY.test(value.toUpperCase()) ? `Did you mean ${value.toUpperCase()}?` : undefined,
});

const OF_WINDOWS = ['trend', 'dwell', 'alerts'].map((name) => `/v1/ports/{UNLOCODE}/${name}`);
const OF_WAITS = ['/v1/ports/{UNLOCODE}/waits'];
const OF_ALERTS = ['/v1/ports/{UNLOCODE}/alerts', '/v1/alerts'];

/**
 * Parameters that choose rows, with the paths that take them. Another resource refuses them: ignored, they would return another slice
 * than was asked for. The function of an endpoint does not load the other routes, so a test compares this list with them.
 */
export const ROW_PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  as_of: [
    '/v1/ports',
    ...['trend', 'waits', 'forecast', 'snapshot', 'alerts'].map((name) => `/v1/ports/{UNLOCODE}/${name}`),
    '/v1/hs/{code}/imports',
  ],
  window: OF_WINDOWS,
  days: OF_WINDOWS,
  until: OF_WINDOWS,
  from: OF_WAITS,
  to: OF_WAITS,
  class: OF_WAITS,
  since: ['/v1/alerts'],
  after: ['/v1/alerts'],
  port: ['/v1/alerts'],
  limit: ['/v1/changes', '/v1/alerts'],
  country: ['/v1/ports', '/v1/alerts'],
  sort: ['/v1/ports'],
  type: OF_ALERTS,
  severity: OF_ALERTS,
  metric: ['/v1/ports/{UNLOCODE}/forecast', ...OF_ALERTS],
};
