/** JSON Schema 2020-12, which OpenAPI 3.1 uses, from the zod schemas of the contract. */
import * as z from 'zod/mini';
import '../errors.ts';
import { OPERATION_IDS, type OperationId, ROUTES } from '../routes.ts';
import { RECORDS } from '../wire.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

const COMPONENTS = '#/components/schemas/';

/** A value or null, written as one schema with two types, which generators turn into one type; a record or null stays a choice. */
function withNullAsType({ anyOf, ...outer }: JsonSchema): JsonSchema {
  const [value, none] = (anyOf ?? []) as JsonSchema[];
  if (value?.type === undefined || none?.type !== 'null')
    return anyOf === undefined ? outer : { ...outer, anyOf };
  const members = value.enum as readonly unknown[] | undefined;
  return { ...value, ...outer, type: [value.type, 'null'], ...(members && { enum: [...members, null] }) };
}

/** Widths of numbers: without them a client in Go reads numbers as 32-bit floats. */
const NUMBER_FORMATS = { integer: 'int32', number: 'double' } as const;

function formatOf(type: unknown): object {
  const found = Object.entries(NUMBER_FORMATS).find(([name]) => [type].flat().includes(name));
  return found === undefined ? {} : { format: found[1] };
}

/** Keywords that mean nothing inside an OpenAPI file, or have another form there. Objects are open: fields may be added. */
function adapt(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(adapt);
  if (typeof node !== 'object' || node === null) return node;
  const { $schema, $id, example, additionalProperties, ...rest } = withNullAsType(node as JsonSchema);
  const adapted = Object.entries(rest)
    // Generators turn text with a `format` into dates and UUIDs, and then apply the pattern to these.
    .filter(([key]) => key !== 'pattern' || !('format' in rest))
    .map(([key, value]) => [key, adapt(value)]);
  return {
    ...Object.fromEntries(adapted),
    // OpenAPI 3.1 deprecates `example` on a schema.
    ...(example === undefined ? {} : { examples: [example] }),
    ...formatOf(rest.type),
  };
}

/** The schema of one value as it is sent, such as a parameter. */
export const toJsonSchema = (schema: z.core.$ZodType): JsonSchema =>
  adapt(z.toJSONSchema(schema, { io: 'input' })) as JsonSchema;

const responseName = (operation: OperationId): string => `response:${operation}`;

/** Every record and response schema at once, so that one refers to another instead of repeating it. */
function generated(): Readonly<Record<string, JsonSchema>> {
  const names = z.registry<{ id: string }>();
  for (const [id, schema] of RECORDS) names.add(schema, { id });
  for (const operation of OPERATION_IDS) {
    const { response } = ROUTES[operation];
    if (!names.has(response)) names.add(response, { id: responseName(operation) });
  }
  const { schemas } = z.toJSONSchema(names, { uri: (id) => `${COMPONENTS}${id}` });
  return adapt(schemas) as Record<string, JsonSchema>;
}

const SCHEMAS = generated();

/** The component of a record. */
export const recordReference = (name: string): JsonSchema => ({ $ref: `${COMPONENTS}${name}` });

export const recordSchemas = (): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries([...RECORDS.keys()].map((name) => [name, SCHEMAS[name] ?? {}]));

/** The schema of an operation's JSON response: a list whose elements are records, or a record itself. */
export function responseSchema(operation: OperationId): JsonSchema {
  const list = SCHEMAS[responseName(operation)];
  if (list !== undefined) return list;
  const record = [...RECORDS].find(([, schema]) => schema === ROUTES[operation].response);
  if (record === undefined) throw new Error(`the response of ${operation} is not a named record`);
  return recordReference(record[0]);
}
