/** Building blocks of the wire: the formats that every resource shares. */
import * as z from 'zod/mini';

type Described = { description: string; example?: unknown };

/** Attaches what the OpenAPI file says of a schema; the schema itself stays as it is. */
export const described = <S extends z.core.$ZodType>(schema: S, meta: Described): S => {
  z.globalRegistry.add(schema, meta);
  return schema;
};

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;
const LONGEST_TEXT = 200;

export const timestamp = (description: string) =>
  described(z.string().check(z.regex(TIMESTAMP), z.maxLength(20)), {
    description: `${description} ISO 8601 in UTC, whole seconds.`,
    example: '2026-11-20T12:00:00Z',
  });

/** Text on one line: no answer carries anything that would break a log line or a CSV reader. */
export const ONE_LINE = /^[^\r\n]+$/;

export const text = (description: string, example: string) =>
  described(z.string().check(z.minLength(1), z.regex(ONE_LINE), z.maxLength(LONGEST_TEXT)), {
    description,
    example,
  });

/** A number with at most `decimals` digits behind the point. */
export const decimal = (
  decimals: number,
  limits: { minimum?: number; maximum?: number },
  meta: Described,
) => {
  const rounded = z.refine(
    (value: unknown) =>
      typeof value === 'number' &&
      Math.abs(value * 10 ** decimals - Math.round(value * 10 ** decimals)) < 1e-6,
    { error: `at most ${decimals} decimals` },
  );
  const { minimum = -1e15, maximum = 1e15 } = limits;
  return described(z.number().check(z.minimum(minimum), z.maximum(maximum), rounded), meta);
};

export const count = (description: string, example: number) =>
  described(z.int().check(z.minimum(0), z.maximum(1_000_000)), { description, example });

/** A list with an upper bound, because an unbounded one is a promise that nobody can test. */
export const listOf = <S extends z.core.$ZodType>(item: S, longest: number, description: string) =>
  described(z.array(item).check(z.maxLength(longest)), { description });
