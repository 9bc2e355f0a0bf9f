/** Arguments of tools from the parameters of the contract: the same names and the same allowed values. */
import * as z from 'zod/mini';
import type { Parameter } from '../../core/contracts/parameters.ts';
import type { Route } from '../../core/contracts/route.ts';
import { described } from '../../core/contracts/wire.ts';

/** `trend` needs a window; a tool takes this one when none is given. */
export const DEFAULT_WINDOW = '30d';

/** Shorter than the contract's descriptions, because an agent reads the arguments of every tool. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  window: `Last UTC days; default ${DEFAULT_WINDOW}.`,
  days: 'Instead of window.',
  until: 'Last UTC day, YYYY-MM-DD, for history; default today.',
  as_of: 'As known at the end of this UTC day.',
  from: 'First UTC day, YYYY-MM-DD; default 29 days before to.',
  to: 'Last UTC day; default today.',
  class: 'Only this class, where the source states it.',
  since: 'First UTC day, at most 90 days back.',
  after: 'Id of the last row of the page before.',
  country: 'ISO 3166-1 alpha-2, e.g. FI.',
  type: 'Only this type.',
  severity: 'At least this.',
  code: 'HS code of 2 to 10 digits, e.g. 85.',
};

/** A number where the parameter is one, one of the words that it lists, or a text that it accepts. */
function valueSchema({ schema, integer, rule }: Parameter<unknown>): z.ZodMiniType {
  if (integer !== undefined) return z.int().check(z.minimum(integer.minimum), z.maximum(integer.maximum));
  const sent = schema instanceof z.ZodMiniPipe ? schema.def.in : schema;
  if (sent instanceof z.ZodMiniEnum) return sent;
  return z.string().check(z.refine((text) => z.safeParse(schema, text).success, { error: rule }));
}

/**
 * Arguments as models write them, in the form that is published: `null` and empty text stand for no argument, a number
 * may be text and text a number, and a list, also one written as JSON, is comma-separated text.
 */
export function readable(given: unknown, { def: { shape } }: z.ZodMiniObject): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const entries = Object.entries(given).map(([name, value]): [string, unknown] => {
    const list = typeof value === 'string' && /^\s*\[.*\]\s*$/s.test(value) ? listIn(value) : value;
    const text = Array.isArray(list) ? list.join(',') : list;
    const schema = shape[name];
    const isInteger = schema !== undefined && toType(schema) === 'integer';
    if (isInteger) return [name, typeof text === 'string' && /^\s*\d+\s*$/.test(text) ? Number(text) : text];
    return [name, typeof text === 'number' ? String(text) : text];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== ''));
}

const toType = (schema: z.core.$ZodType): unknown => z.toJSONSchema(schema, { io: 'input' }).type;

function listIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function argument(name: string, parameter: Parameter<unknown>, required = false) {
  const schema = valueSchema(parameter);
  const stated = parameter.default === undefined ? parameter.description : `Default ${parameter.default}.`;
  const description = DESCRIPTIONS[name] ?? stated;
  return described(required ? schema : z.optional(schema), { description });
}

export const queryArguments = ({ query: { format: _, ...query } }: Route) =>
  Object.fromEntries(Object.entries(query).map(([name, parameter]) => [name, argument(name, parameter)]));

/** Refuses unknown arguments, and names the known ones; also refuses two arguments that exclude each other. */
export const toolInput = <S extends z.core.$ZodShape>(shape: S, exclusive: readonly string[] = []) =>
  z
    .strictObject(shape, {
      error: (issue) =>
        issue.code === 'unrecognized_keys'
          ? `unknown argument ${issue.keys.join(', ')}; this tool takes ${Object.keys(shape).join(', ') || 'none'}`
          : undefined,
    })
    .check(
      z.refine((input) => exclusive.filter((name) => Object.hasOwn(input as object, name)).length < 2, {
        error: `give ${exclusive.join(' or ')}, not both`,
      }),
    );
