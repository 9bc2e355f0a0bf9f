/** The parameters of an operation, from the route table. */
import * as z from 'zod/mini';
import type { Parameter } from '../parameters.ts';
import { type Route, requiredParameter } from '../route.ts';
import { type JsonSchema, toJsonSchema } from './schemas.ts';

/** The default as text: the allowed text that parses to the default value. */
function sentDefault(parameter: Parameter<unknown>, { enum: allowed }: JsonSchema): unknown {
  if (parameter.default === undefined || !Array.isArray(allowed)) return undefined;
  return allowed.find((text) => z.safeParse(parameter.schema, text).data === parameter.default);
}

/** Values with data in the recordings that a first start serves. Hints name a port that the sample has too. */
const RECORDED_EXAMPLES: Readonly<Record<string, string>> = {
  UNLOCODE: 'TWKHH',
  port: 'TWKHH',
  country: 'TW',
};

function describeParameter(
  place: 'path' | 'query',
  name: string,
  parameter: Parameter<unknown>,
  route: Route,
) {
  const { description, ...text } = toJsonSchema(parameter.schema) as { description?: string };
  const { integer, example } = parameter;
  const schema: JsonSchema = integer === undefined ? text : { type: 'integer', format: 'int32', ...integer };
  const fallback = sentDefault(parameter, schema);
  const rivals = (route.exclusive ?? []).filter((rival) => rival !== name).map((rival) => `\`${rival}\``);
  const required = requiredParameter(route) === undefined ? '' : '; one of them must be given';
  return {
    name,
    in: place,
    required: place === 'path',
    description: route.exclusive?.includes(name)
      ? `${parameter.description} Excludes ${rivals.join(', ')}${required}.`
      : parameter.description,
    schema: { ...schema, ...(fallback !== undefined && { default: fallback }) },
    example: integer === undefined ? (RECORDED_EXAMPLES[name] ?? example) : Number(example),
  };
}

/** Path parameters first; then the query, then the conditional header where responses have a tag. */
export function parameters(route: Route): readonly object[] {
  const of = (place: 'path' | 'query') =>
    Object.entries(route[place]).map(([name, parameter]) => describeParameter(place, name, parameter, route));
  return [
    ...of('path'),
    ...of('query'),
    ...(route.authenticated ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ];
}

/** Parameters that operations share. */
export const sharedParameters = (etagExample: string) => ({
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'ETag of an earlier response, a list of them, or `*`: an unchanged response is a 304.',
    schema: { type: 'string', maxLength: 8192, pattern: '^[\\x20-\\x7e\\x80-\\xff]*$' },
    example: etagExample,
  },
});
