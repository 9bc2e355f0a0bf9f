/** TypeScript for the records of the wire, from their JSON Schema, with the contract's descriptions as comments. */
import { SEVERITIES } from '../../core/contracts/alerts.ts';
import { ERROR_CODES } from '../../core/contracts/errors.ts';
import { FORECAST_METRICS } from '../../core/contracts/forecast.ts';
import { type JsonSchema, recordSchemas } from '../../core/contracts/openapi/schemas.ts';
import { WINDOWS } from '../../core/contracts/parameters.ts';
import { PORT_ORDERS } from '../../core/contracts/ports.ts';
import { VESSEL_CLASSES } from '../../core/contracts/waits.ts';

const union = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join(' | ');

function comment(schema: JsonSchema, indent: string): string {
  return typeof schema.description === 'string' ? `${indent}/** ${schema.description} */\n` : '';
}

/** A reference to another record. */
const RECORD = /^#\/components\/schemas\/(\w+)$/;

/** The type of a schema. Throws for a form that the wire has not had yet, rather than guess. */
function typeOf(schema: JsonSchema, indent: string): string {
  if (Array.isArray(schema.enum)) return union(schema.enum);
  const named = RECORD.exec(String(schema.$ref))?.[1];
  if (named !== undefined) return named;
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((one) => typeOf(one, indent)).join(' | ');
  if (schema.const !== undefined) return union([schema.const]);
  if (Array.isArray(schema.type))
    return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(' | ');
  switch (schema.type) {
    case 'null':
      return 'null';
    case 'string':
      return 'string';
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return `${typeOf(schema.items as JsonSchema, indent)}[]`;
    case 'object':
      return membersOf(schema, indent);
    default:
      throw new Error(`no TypeScript for ${JSON.stringify(schema)}`);
  }
}

function membersOf({ properties, required }: JsonSchema, indent: string): string {
  const needed = new Set(required as readonly string[] | undefined);
  const inner = `${indent}  `;
  const members = Object.entries(properties as Record<string, JsonSchema>).map(
    ([name, schema]) =>
      `${comment(schema, inner)}${inner}${name}${needed.has(name) ? '' : '?'}: ${typeOf(schema, inner)};\n`,
  );
  return `{\n${members.join('')}${indent}}`;
}

/** The records that users meet. The envelope is not one of them: a client throws PortCongestionError. */
function records(): Readonly<Record<string, JsonSchema>> {
  const { ErrorEnvelope: _, ...others } = recordSchemas();
  return others;
}

/** Names of the types that `recordDeclarations` declares. */
export const recordNames = (): readonly string[] =>
  [
    ...Object.keys(records()),
    'ErrorCode',
    'ForecastMetric',
    'PortOrder',
    'Severity',
    'VesselClass',
    'Window',
  ].sort();

/** Interfaces of the records, and the unions that requests and errors need. */
export function recordDeclarations(): string {
  const interfaces = Object.entries(records()).map(
    ([name, schema]) => `${comment(schema, '')}interface ${name} ${membersOf(schema, '')}`,
  );
  return [
    ...interfaces,
    `/** Codes of the service's errors. */\ntype ErrorCode = ${union(ERROR_CODES)};`,
    `/** A figure that is forecast. */\ntype ForecastMetric = ${union(FORECAST_METRICS)};`,
    `/** A field to sort ports by; a minus before it puts the highest value first. */\ntype PortOrder = ${union(PORT_ORDERS)};`,
    `/** Severity of an alert, the least first. */\ntype Severity = ${union(SEVERITIES)};`,
    `/** Class of a cargo vessel. */\ntype VesselClass = ${union(VESSEL_CLASSES)};`,
    `/** The last 7, 14 or 30 UTC calendar days. */\ntype Window = ${union(Object.keys(WINDOWS))};`,
  ].join('\n');
}
