/** The fields of each operation's request and their choices, from the route table. */
import type { Parameter } from '../../core/contracts/parameters.ts';
import { requiredOf } from '../../core/contracts/route.ts';
import { type OperationId, ROUTES, type Route } from '../../core/contracts/routes.ts';

export interface Field {
  readonly name: string;
  readonly place: 'path' | 'query';
  readonly description: string;
  /** Completes the sentence "<name> ...". */
  readonly rule: string;
  readonly example: string;
  /** The allowed values, where they are a list. */
  readonly choices: readonly string[] | undefined;
  /** The default; undefined on fields without one. */
  readonly fallback: string | undefined;
  /** One of several that exclude each other. */
  readonly exclusive: boolean;
  /** Undefined when the value is allowed, else what is wrong with it. */
  readonly faultOf: (value: string) => string | undefined;
}

/** The members of an enumeration, also of one whose value is then converted. */
function choicesOf(schema: unknown): readonly string[] | undefined {
  const { def } = schema as { def: { type: string; in?: unknown; entries?: Record<string, string> } };
  if (def.type === 'pipe') return choicesOf(def.in);
  return def.type === 'enum' && def.entries ? Object.values(def.entries) : undefined;
}

function fieldOf(name: string, place: Field['place'], parameter: Parameter<unknown>, route: Route): Field {
  const { schema, rule, hintFor } = parameter;
  const choices = choicesOf(schema);
  const fallback = choices?.find((choice) => schema.safeParse(choice).data === parameter.default);
  return {
    name,
    place,
    description: parameter.description,
    rule,
    example: parameter.example,
    choices,
    fallback: parameter.default === undefined ? undefined : fallback,
    exclusive: route.exclusive?.includes(name) ?? false,
    faultOf: (value) =>
      schema.safeParse(value).success
        ? undefined
        : [`${name} ${rule}.`, hintFor?.(value)].filter(Boolean).join(' '),
  };
}

/** The fields of `operation`, those of the path first. */
export function fieldsOf(operation: OperationId): readonly Field[] {
  const route: Route = ROUTES[operation];
  const of = (place: Field['place'], parameters: Route['path']) =>
    Object.entries(parameters).map(([name, parameter]) => fieldOf(name, place, parameter, route));
  return [...of('path', route.path), ...of('query', route.query)];
}

/** Values for a working request of `operation`: examples of the required fields. */
export function exampleValues(operation: OperationId): Readonly<Record<string, string>> {
  const route: Route = ROUTES[operation];
  const fields = fieldsOf(operation).filter(
    ({ name, place }) => place === 'path' || name === requiredOf(route),
  );
  return Object.fromEntries(fields.map(({ name, example }) => [name, example]));
}
