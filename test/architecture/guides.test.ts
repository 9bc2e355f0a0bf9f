/** The code in the guides for contributors compiles against the tree. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import ts from 'typescript';
import { filesOfGuide } from '../builders/guide.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const GUIDES = ['docs/add-a-source.md', 'docs/add-an-endpoint.md'];
const readGuide = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile).config,
  // The program reads what its files import; the files of the tree need no listing.
  { ...ts.sys, readDirectory: () => [] },
  ROOT,
);

/** What the compiler says of files that lie over the tree, by their path below it. */
function faultsOf(files: ReadonlyMap<string, string>): string[] {
  const texts = new Map(Array.from(files, ([name, text]) => [join(ROOT, name), text]));
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (name) => texts.has(name) || fileExists(name);
  host.readFile = (name) => texts.get(name) ?? readFile(name);
  // The folder of a new source does not exist; without this function the compiler looks for its files nevertheless.
  host.directoryExists = undefined;
  const program = ts.createProgram([...texts.keys()], options, host);
  return [...texts.keys()].flatMap((name) => {
    const source = program.getSourceFile(name);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => `${name.slice(ROOT.length)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  });
}

const guides = GUIDES.map((name) => filesOfGuide(ROOT, readGuide(name)));
const STALE = 'core/contracts/stale-position.ts';
const contract = guides[1]?.get('core/contracts/position.ts') ?? '';
const stale = contract.replace('decimal(4, -90, 90)', 'decimal(4, { minimum: -90 })');
const faults = faultsOf(new Map([...guides.flatMap((files) => [...files]), [STALE, stale]]));

it('has guides whose code compiles', () => {
  for (const files of guides) expect(files.size).toBeGreaterThan(2);
  expect(faults.filter((fault) => !fault.startsWith(STALE))).toEqual([]);
});

it('reports a call in a guide that does not fit the signature', () => {
  expect(stale).not.toBe(contract);
  expect(faults.filter((fault) => fault.startsWith(STALE))).toEqual([
    `${STALE}: Argument of type '{ minimum: number; }' is not assignable to parameter of type 'number'.`,
  ]);
});
