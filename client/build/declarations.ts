/** One flat declaration file: the client's own types as the compiler states them, the wire's from the contract. */
import { dirname } from 'node:path';
import ts from 'typescript';
import { SEVERITIES } from '../../core/contracts/alerts.ts';
import { ERROR_CODES } from '../../core/contracts/errors.ts';
import { FORECAST_METRICS } from '../../core/contracts/forecast.ts';
import { type JsonSchema, recordSchemas } from '../../core/contracts/openapi/schemas.ts';
import { WINDOWS } from '../../core/contracts/parameters.ts';
import { PORT_ORDERS } from '../../core/contracts/ports.ts';
import { VESSEL_CLASSES } from '../../core/contracts/waits.ts';

// TypeScript for the records of the wire, from their JSON Schema, with the contract's descriptions as comments.

const union = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join(' | ');

function comment(schema: JsonSchema, indent: string): string {
  return typeof schema.description === 'string' ? `${indent}/** ${schema.description} */\n` : '';
}

/** A reference to another record. */
const RECORD = /^#\/components\/schemas\/(\w+)$/;

/** The type of a schema. Throws for a form that the wire has not had yet, rather than guess. */
function typeText(schema: JsonSchema, indent: string): string {
  if (Array.isArray(schema.enum)) return union(schema.enum);
  const named = RECORD.exec(String(schema.$ref))?.[1];
  if (named !== undefined) return named;
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((one) => typeText(one, indent)).join(' | ');
  if (schema.const !== undefined) return union([schema.const]);
  if (Array.isArray(schema.type))
    return schema.type.map((type) => typeText({ ...schema, type }, indent)).join(' | ');
  switch (schema.type) {
    case 'null':
      return 'null';
    case 'string':
      return 'string';
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return `${typeText(schema.items as JsonSchema, indent)}[]`;
    case 'object':
      return listMembers(schema, indent);
    default:
      throw new Error(`no TypeScript for ${JSON.stringify(schema)}`);
  }
}

function listMembers({ properties, required }: JsonSchema, indent: string): string {
  const needed = new Set(required as readonly string[] | undefined);
  const inner = `${indent}  `;
  const members = Object.entries(properties as Record<string, JsonSchema>).map(
    ([name, schema]) =>
      `${comment(schema, inner)}${inner}${name}${needed.has(name) ? '' : '?'}: ${typeText(schema, inner)};\n`,
  );
  return `{\n${members.join('')}${indent}}`;
}

/** The records that users meet. The envelope is not one of them: a client throws PortCongestionError. */
function records(): Readonly<Record<string, JsonSchema>> {
  const { ErrorEnvelope: _, ...others } = recordSchemas();
  return others;
}

/** Names of the types that `recordDeclarations` declares. */
const recordNames = (): readonly string[] =>
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
function recordDeclarations(): string {
  const interfaces = Object.entries(records()).map(
    ([name, schema]) => `${comment(schema, '')}interface ${name} ${listMembers(schema, '')}`,
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

const HEADER = '// Made by npm run build -- client. Do not edit.\n';

/** Declaration text of every module of the client that `entry` reaches, by absolute path, dependencies first. */
function emitted(entry: string): ReadonlyMap<string, string> {
  const program = ts.createProgram([entry], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2022.d.ts'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    declaration: true,
    emitDeclarationOnly: true,
  });
  const texts = new Map<string, string>();
  const { emitSkipped, diagnostics } = program.emit(undefined, (_name, text, _mark, _error, sources) => {
    const [source] = sources ?? [];
    if (source !== undefined && dirname(source.fileName) === dirname(entry)) texts.set(source.fileName, text);
  });
  const faults = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (emitSkipped || faults.length > 0)
    throw new Error(
      `the client does not compile: ${faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')).join('; ')}`,
    );
  return texts;
}

interface Statement {
  readonly name: string;
  readonly text: string;
  /** Every identifier in it. */
  readonly mentions: ReadonlySet<string>;
}

/** The declarations of a module, none of them exported yet, each with the comment right above it. */
function listStatements(file: string, text: string): readonly Statement[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  return source.statements.flatMap((statement) => {
    if (
      !ts.isClassDeclaration(statement) &&
      !ts.isInterfaceDeclaration(statement) &&
      !ts.isTypeAliasDeclaration(statement)
    )
      return [];
    const comment = ts.getJSDocCommentsAndTags(statement).at(-1)?.getText();
    const mentions = new Set<string>();
    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node)) mentions.add(node.text);
      node.forEachChild(visit);
    };
    visit(statement);
    const code = statement
      .getText()
      .replace(/^export /, '')
      .replace(/^(?:declare )?class/, 'declare class');
    return [
      {
        name: statement.name?.text ?? '',
        text: comment === undefined ? code : `${comment}\n${code}`,
        mentions,
      },
    ];
  });
}

/** Those statements that the exported names need, directly or through others, in their order. */
function needed(statements: readonly Statement[], names: readonly string[]): readonly Statement[] {
  const wanted = new Set(names);
  for (let before = -1; before !== wanted.size; ) {
    before = wanted.size;
    for (const { name, mentions } of statements)
      if (wanted.has(name)) for (const mention of mentions) wanted.add(mention);
  }
  return statements.filter(({ name }) => wanted.has(name));
}

/** The names that the entry exports, types marked as such; `export type *` stands for the types of the wire. */
function listExports(file: string, text: string): readonly string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  return source.statements.filter(ts.isExportDeclaration).flatMap(({ exportClause, isTypeOnly }) => {
    if (exportClause === undefined) return recordNames().map((name) => `type ${name}`);
    if (!ts.isNamedExports(exportClause)) return [];
    return exportClause.elements.map((element) =>
      isTypeOnly || element.isTypeOnly ? `type ${element.name.text}` : element.name.text,
    );
  });
}

/** @param entry absolute path of the client's index. */
export function declarations(entry: string): string {
  const texts = emitted(entry);
  const index = texts.get(entry);
  if (index === undefined) throw new Error('the compiler emitted no index');
  const modules = [...texts].filter(([file]) => file !== entry && !file.endsWith('/records.ts'));
  const exported = listExports(entry, index);
  const statements = needed(
    modules.flatMap(([file, text]) => listStatements(file, text)),
    exported.map((name) => name.replace('type ', '')),
  );
  return [
    HEADER,
    recordDeclarations(),
    ...statements.map(({ text }) => text),
    `export { ${exported.join(', ')} };\n`,
  ].join('\n');
}
