/** One flat declaration file: the client's own types as the compiler states them, the wire's from the contract. */
import { dirname } from 'node:path';
import ts from 'typescript';
import { recordDeclarations, recordNames } from './record-declarations.ts';

const HEADER = '// Made by npm run build:client. Do not edit.\n';

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
function statementsOf(file: string, text: string): readonly Statement[] {
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
function exportsOf(file: string, text: string): readonly string[] {
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
  const exported = exportsOf(entry, index);
  const statements = needed(
    modules.flatMap(([file, text]) => statementsOf(file, text)),
    exported.map((name) => name.replace('type ', '')),
  );
  return [
    HEADER,
    recordDeclarations(),
    ...statements.map(({ text }) => text),
    `export { ${exported.join(', ')} };\n`,
  ].join('\n');
}
