/** One flat declaration file: the wire's types from the contract, the client's own as the compiler states them. */
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { ERROR_CODES } from '../../../core/contracts/errors.ts';
import { parameters } from '../../../core/contracts/openapi/parameters.ts';
import { type JsonSchema, recordSchemas, responseSchema } from '../../../core/contracts/openapi/schemas.ts';
import { type Route, requiredParameter } from '../../../core/contracts/route.ts';
import { OPERATION_IDS, type OperationId, ROUTES } from '../../../core/contracts/routes.ts';

const union = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join(' | ');

const comment = ({ description }: JsonSchema): string =>
  description === undefined ? '' : `/** ${description} */\n`;

const SIMPLE_TYPES = new Map<unknown, string>([
  ['integer', 'number'],
  ...['null', 'string', 'number', 'boolean'].map((type) => [type, type] as const),
]);

/** The TypeScript type of a schema. Throws for a keyword that no schema has used so far. */
function typeText(schema: JsonSchema): string {
  if (Array.isArray(schema.enum)) return union(schema.enum);
  if (schema.const !== undefined) return union([schema.const]);
  if (schema.$ref !== undefined) return String(schema.$ref).replace(/^.*\//, '');
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map(typeText).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeText({ ...schema, type })).join(' | ');
  if (schema.type === 'array') return `Array<${typeText(schema.items as JsonSchema)}>`;
  if (schema.type === 'object') return objectText(schema);
  const type = SIMPLE_TYPES.get(schema.type);
  if (type === undefined) throw new Error(`no TypeScript for ${JSON.stringify(schema)}`);
  return type;
}

function objectText({ properties, required = [] }: JsonSchema): string {
  const members = Object.entries(properties as Record<string, JsonSchema>).map(
    ([name, schema]) =>
      `${comment(schema)}${name}${(required as string[]).includes(name) ? '' : '?'}: ${typeText(schema)};\n`,
  );
  return `{\n${members.join('')}}`;
}

interface DescribedParameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly schema: JsonSchema;
}

/** The type of an operation's parameters: all of them, and one form for each of those that exclude each other. */
function parametersText(route: Route): string {
  const member = ({ name, description, schema }: DescribedParameter, required: boolean) =>
    `${comment({ description })}readonly ${name}${required ? '' : '?'}: ${typeText(schema)}${required ? '' : ' | undefined'};\n`;
  const described = parameters(route).filter(
    (parameter): parameter is DescribedParameter =>
      'schema' in parameter && (parameter as DescribedParameter).name !== 'format',
  );
  const { exclusive = [] } = route;
  const shared = described.filter(({ name }) => !exclusive.includes(name));
  const forms = described
    .filter(({ name }) => exclusive.includes(name))
    .map((chosen) => {
      const others = exclusive
        .filter((name) => name !== chosen.name)
        .map((name) => `readonly ${name}?: undefined;\n`);
      return `{\n${member(chosen, requiredParameter(route) !== undefined)}${others.join('')}}`;
    });
  const common = `{\n${shared.map((parameter) => member(parameter, parameter.in === 'path')).join('')}}`;
  return forms.length === 0 ? common : `${common} & (${forms.join(' | ')})`;
}

function operationText(operation: OperationId): string {
  const route: Route = ROUTES[operation];
  return `${comment({ description: route.summary })}readonly ${operation}: {
readonly parameters: ${parametersText(route)};
readonly format: ${'format' in route.query ? "'json' | 'csv'" : "'json'"};
readonly response: ${typeText(responseSchema(operation))};
};\n`;
}

/** What `contract.ts` exports. The envelope is not one of the records: a client throws PortCongestionError. */
function contractText(): string {
  const { ErrorEnvelope: _, ...records } = recordSchemas();
  const interfaces = Object.entries(records).map(
    ([name, schema]) => `${comment(schema)}export interface ${name} ${objectText(schema)}\n`,
  );
  return `${interfaces.join('')}/** Codes of the service's errors. */
export type ErrorCode = ${union(ERROR_CODES)};
export interface Operations {\n${OPERATION_IDS.map(operationText).join('')}}\n`;
}

/** Declarations of a module, without its imports: all names are in one file. */
const emitted = (text: string): string =>
  ts
    .transpileDeclaration(text, { compilerOptions: { target: ts.ScriptTarget.ES2022 } })
    .outputText.replace(/^import .*\n/gm, '');

export function declarations(): string {
  const index = new URL('../index.ts', import.meta.url);
  const modules = [...readFileSync(index, 'utf8').matchAll(/ from '(.*)';/g)].map(([, path = '']) =>
    emitted(path === './contract.ts' ? contractText() : readFileSync(new URL(path, index), 'utf8')),
  );
  return `// Made by npm run build -- client. Do not edit.\n${modules.join('\n')}`;
}
