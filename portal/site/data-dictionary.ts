/** The data dictionary: every field of every response, and every parameter, from the schemas of the contract. */
import * as z from 'zod/mini';
import type { Parameter } from '../../core/contracts/parameters.ts';
import { csvColumnsOf, requiredOf } from '../../core/contracts/route.ts';
import { OPERATION_IDS, type OperationId, ROUTES, type Route } from '../../core/contracts/routes.ts';
import { markdownTable } from './markdown.ts';

interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly description?: string;
  readonly example?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  /** A value or null. */
  readonly anyOf?: readonly JsonSchema[];
}

/** Bounds this far out only keep a number finite. */
const NO_BOUND = 100_000;

function typeText({ type, enum: members, const: only, minimum, maximum, items, anyOf }: JsonSchema): string {
  if (anyOf) return anyOf.map(typeText).join(' or ');
  if (only !== undefined) return `\`${String(only)}\``;
  if (members) return members.map((member) => `\`${member}\``).join(', ');
  if (type === 'array') return `list of ${items?.type ?? 'values'}`;
  const bounded = minimum !== undefined && maximum !== undefined && Math.abs(maximum) < NO_BOUND;
  return bounded ? `${type}, ${minimum} to ${maximum}` : String(type);
}

const exampleText = ({ example }: JsonSchema): string =>
  example === undefined ? '' : `\`${String(example)}\``;

/** Rows of `schema`, fields of an object within it with a dot. */
function fieldRows(schema: JsonSchema, prefix = ''): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const always = schema.required?.includes(name) ?? false;
    const row = [
      `\`${prefix}${name}\``,
      typeText(field),
      always ? 'always' : 'when known',
      field.description ?? '',
      exampleText(field.anyOf?.[0] ?? field),
    ];
    return [row, ...(field.properties ? fieldRows(field, `${prefix}${name}.`) : [])];
  });
}

/** The members of an enumeration, also of one whose value is then converted. */
function choicesOf(schema: unknown): readonly string[] | undefined {
  const { def } = schema as { def: { type: string; in?: unknown; entries?: Record<string, string> } };
  if (def.type === 'pipe') return choicesOf(def.in);
  return def.type === 'enum' && def.entries ? Object.values(def.entries) : undefined;
}

function parameterRows(operation: OperationId): string[][] {
  const route: Route = ROUTES[operation];
  const rowOf = (place: string, name: string, parameter: Parameter<unknown>, given: string): string[] => {
    const choices = choicesOf(parameter.schema);
    const allowed = choices?.map((choice) => `\`${choice}\``).join(', ') ?? parameter.rule;
    return [`\`${name}\``, place, allowed, given, parameter.description];
  };
  const givenText = (name: string, { schema, default: fallback }: Parameter<unknown>): string => {
    if (requiredOf(route) !== undefined && route.exclusive?.includes(name))
      return `exactly one of ${route.exclusive.join(', ')}`;
    const choice = choicesOf(schema)?.find((one) => schema.safeParse(one).data === fallback);
    return `default \`${(fallback === undefined ? undefined : choice) ?? 'none'}\``;
  };
  return [
    ...Object.entries(route.path).map(([name, one]) => rowOf('path', name, one, 'required')),
    ...Object.entries(route.query).map(([name, one]) => rowOf('query', name, one, givenText(name, one))),
  ];
}

function section(operation: OperationId): string {
  const route: Route = ROUTES[operation];
  const schema = z.toJSONSchema(route.response) as JsonSchema;
  const record = schema.items ?? schema;
  const aliases = route.paths.slice(1).map((path) => `\`${path}\``);
  const parameters = parameterRows(operation);
  const columns = csvColumnsOf(route);
  return [
    `## ${route.summary}`,
    `\`GET ${route.paths[0]}\`${aliases.length > 0 ? `, alias ${aliases.join(', ')}` : ''}${route.authenticated ? '' : '; needs no key'}`,
    ...(schema.type === 'array' && schema.description ? [schema.description] : []),
    ...(parameters.length > 0
      ? [markdownTable(['Parameter', 'In', 'Allowed', 'Given', 'Meaning'], parameters)]
      : []),
    markdownTable(['Field', 'Type', 'Present', 'Meaning', 'Example'], fieldRows(record)),
    ...(columns === undefined ? [] : [`CSV header: \`${columns.join(',')}\``]),
  ].join('\n\n');
}

/** Every endpoint in the order of the route table. */
export const dataDictionary = (): string => OPERATION_IDS.map(section).join('\n\n');
