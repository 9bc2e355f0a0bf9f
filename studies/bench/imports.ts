/**
 * How far apart the product's modules are: what a program loads, imports between rooms, files that name a mechanism, and the length of
 * code and documents. Counts are over the files that git lists. The value compared with is that of commit 58cbb0fb; of lines and words,
 * that of 9c6e672e, where the redesign of the modules began.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import type { Metafile } from 'esbuild';
import { buildHandlers } from '../../tools/handlers.ts';
import type { Figure } from './figure.ts';

/** `was`: the value compared with, by this count. */
type Goal = Pick<Figure, 'atMost'> & { readonly was: number };

const figureOf = (what: string, value: number, unit: string, { was, ...goal }: Goal): Figure => ({
  what,
  value,
  unit,
  against: String(was),
  ...goal,
});

const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*/g, '');

/** The names that an import declares are all types. */
const isOfTypes = (names: string): boolean =>
  names.startsWith('type ') ||
  (/^\{[\s\S]*\}$/.test(names) &&
    names
      .slice(1, -1)
      .split(',')
      .every((name) => /^\s*(type\s.*)?$/.test(name)));

const DECLARED = /^\s*(?:import|export)\s+([^;']*?)\s*from\s*'(\.[^']+)'/gm;
const IMPORT = /^import\b[^;']*?from\s*'[^']+'/gm;
const FOR_EFFECT = /^\s*import\s+'(\.[^']+)'/gm;
const DYNAMIC = /\bimport\(\s*'(\.[^']+)'/g;
/** An import whose path is computed: no reader, and no count, can follow it. */
const COMPUTED = /\bimport\((?!\s*'|\s*\.)/g;

/** Modules that a file loads, as paths. */
function loadedBy(path: string, withDynamic: boolean): string[] {
  const code = withoutComments(readFileSync(path, 'utf8'));
  const declared = [...code.matchAll(DECLARED)].filter(([, names = '']) => !isOfTypes(names));
  const specifiers = [
    ...declared.map(([, , to = '']) => to),
    ...[...code.matchAll(FOR_EFFECT)].map(([, to = '']) => to),
    ...(withDynamic ? [...code.matchAll(DYNAMIC)].map(([, to = '']) => to) : []),
  ];
  return specifiers.filter((to) => /\.m?[jt]s$/.test(to)).map((to) => normalize(join(dirname(path), to)));
}

/** The file and all that it loads, directly or not. */
function closureOf(entry: string, { withDynamic = false } = {}): ReadonlySet<string> {
  const found = new Set([entry]);
  for (const path of found) for (const next of loadedBy(path, withDynamic)) found.add(next);
  return found;
}

const isOwn = (path: string): boolean => /\.[cm]?[jt]s$/.test(path) && !path.includes('node_modules/');

const inBundle = ({ outputs }: Metafile, name: string): number =>
  Object.keys(outputs[`dist/lambdas/${name}/index.cjs`]?.inputs ?? {}).filter(isOwn).length;

const closureFigures = (bundles: Metafile): Figure[] => [
  figureOf('endpoints/health.ts', closureOf('lambdas/endpoints/health.ts').size, 'files', { was: 9 }),
  figureOf('endpoints/trend.ts', closureOf('lambdas/endpoints/trend.ts').size, 'files', { was: 17 }),
  figureOf('ingest/index.ts', closureOf('lambdas/ingest/index.ts').size, 'files', { was: 119, atMost: 80 }),
  figureOf(
    'bin/serve.ts, with dynamic imports',
    closureOf('bin/serve.ts', { withDynamic: true }).size,
    'files',
    { was: 174, atMost: 170 },
  ),
  figureOf('built function health', inBundle(bundles, 'health'), 'files', { was: 28, atMost: 18 }),
  figureOf('built function trend', inBundle(bundles, 'trend'), 'files', { was: 44, atMost: 30 }),
];

const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs', 'portal/pages'];
const PRODUCT = ['bin', 'core', 'lambdas', 'lib', 'local', 'packages', 'portal', 'tools'];
/** A folder of `core`, or a top folder. */
const roomOf = (path: string): string =>
  path
    .split('/')
    .slice(0, path.startsWith('core/') ? 2 : 1)
    .join('/');

/** Words that name a mechanism, and the product files that have one of them, comments left out. */
const MECHANISMS: readonly [name: string, words: RegExp, goal: Goal][] = [
  ['verdicts', /\b([vV]erdicts?|[dD]oubts?|notAccepted|isHeld)\b/, { was: 24, atMost: 9 }],
  ['replays', /\b(isReplayed|replays)\b/, { was: 12, atMost: 6 }],
  ['partitions', /\b([pP]artitions?|partitionedBy|partitionKey)\b/, { was: 35, atMost: 14 }],
  ['vintages', /\b([vV]intages?|VINTAGES?|knownOn)\b/, { was: 33, atMost: 11 }],
  ['forecasts', /\b[fF]orecast\w*/, { was: 38, atMost: 12 }],
  ['evidence', /\b[eE]vidence\w*/, { was: 34, atMost: 11 }],
  ['closures', /\b([cC]losures?|stoppedSince|stopped_since)\b/, { was: 26, atMost: 8 }],
];

const tracked = (...paths: readonly string[]): string[] =>
  execFileSync('git', ['ls-files', ...paths], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);

const isCode = (path: string): boolean => /\.(m?[jt]s|css)$/.test(path) && !path.endsWith('.d.ts');
const isTest = (path: string): boolean => path.startsWith('test/') || path.endsWith('.test.ts');

const linesOf = (paths: readonly string[]): number =>
  paths.reduce((sum, path) => sum + readFileSync(path, 'utf8').split('\n').length - 1, 0);
const wordsOf = (paths: readonly string[]): number =>
  paths.reduce((sum, path) => sum + (readFileSync(path, 'utf8').match(/\S+/g)?.length ?? 0), 0);

/** Counts over the product's files: relative imports a file, pairs of rooms where one imports the other, and mentions of mechanisms. */
function houseFigures(): Figure[] {
  const code = tracked(...PRODUCT).filter((path) => isCode(path) && !isTest(path));
  const files = code
    .filter((path) => !path.endsWith('.css'))
    .map((path) => ({ path, text: withoutComments(readFileSync(path, 'utf8')) }));
  const imports = files.flatMap(({ path, text }) =>
    [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, to = '']) => [
      roomOf(path),
      roomOf(normalize(join(dirname(path), to))),
    ]),
  );
  const edges = new Set(imports.filter(([from, to]) => from !== to).map((pair) => pair.join(' ')));
  const declared = files.reduce((sum, { text }) => sum + (text.match(IMPORT)?.length ?? 0), 0);
  const computed = files.flatMap(({ text }) => text.match(COMPUTED) ?? []);
  return [
    figureOf('imports by a computed path', computed.length, '', { was: 2, atMost: 0 }),
    figureOf('imports', declared / files.length, 'a file', { was: 5.8, atMost: 4.6 }),
    figureOf('rooms that import another', edges.size, 'pairs', { was: 119, atMost: 79 }),
    ...MECHANISMS.map(([name, words, goal]) =>
      figureOf(`name ${name}`, files.filter(({ text }) => words.test(text)).length, 'files', goal),
    ),
    figureOf('product', linesOf(code), 'lines', { was: 59_092, atMost: 52_001 }),
    figureOf('product', files.length, 'files', { was: 530 }),
    figureOf('tests', linesOf(tracked().filter((path) => isCode(path) && isTest(path))), 'lines', {
      was: 57_801,
      atMost: 52_020,
    }),
    figureOf('documents', wordsOf(tracked(...DOCUMENTS).filter((path) => path.endsWith('.md'))), 'words', {
      was: 45_204,
      atMost: 25_000,
    }),
  ];
}

export const importFigures = async (): Promise<Figure[]> => [
  ...closureFigures(await buildHandlers()),
  ...houseFigures(),
];
