/** How far apart the product's modules are: import closures of programs, imports between rooms, and files that name a mechanism. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { buildHandlers } from '../../tools/handlers.ts';
import type { Figure } from './figure.ts';

/** Most modules of a built function. */
const FUNCTIONS = { health: 28, trend: 44, ingest: 119 } as const;
/** Most modules of `npm start`, with what it imports only later. */
const SERVE_MODULES = 250;

const isOwn = (path: string): boolean => /\.[cm]?[jt]s$/.test(path) && !path.includes('node_modules/');

const ofFunction = ({ outputs }: Metafile, name: string): number =>
  Object.keys(outputs[`dist/lambdas/${name}/index.cjs`]?.inputs ?? {}).filter(isOwn).length;

async function ofServe(): Promise<number> {
  const { metafile } = await build({
    entryPoints: ['./bin/serve.ts'],
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    splitting: true,
    outdir: 'dist/serve',
  });
  return Object.keys(metafile.inputs).filter(isOwn).length;
}

const PRODUCT = ['bin', 'core', 'lambdas', 'lib', 'local', 'packages', 'portal', 'tools'];
/** A folder of `core`, or a top folder. */
const roomOf = (path: string): string =>
  path
    .split('/')
    .slice(0, path.startsWith('core/') ? 2 : 1)
    .join('/');

/** Words that name a mechanism, and the most product files that may have one of them, comments left out. */
const MECHANISMS: readonly [name: string, words: RegExp, most?: number][] = [
  ['verdicts', /\b([vV]erdicts?|[dD]oubts?|notAccepted|isHeld)\b/, 9],
  ['replays', /\b(isReplayed|replays)\b/, 6],
  ['partitions', /\b([pP]artitions?|partitionedBy|partitionKey)\b/, 14],
  ['vintages', /\b([vV]intages?|VINTAGES?|knownOn)\b/],
  ['forecasts', /\b[fF]orecast\w*/],
  ['evidence', /\b[eE]vidence\w*/],
  ['closures', /\b([cC]losures?|stoppedSince|stopped_since)\b/],
];

const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*/g, '');

/** Counts over the product's files: relative imports a file, pairs of rooms where one imports the other, and mentions of mechanisms. */
function houseFigures(): Figure[] {
  const listed = execFileSync('git', ['ls-files', ...PRODUCT], { encoding: 'utf8' });
  const paths = listed
    .split('\n')
    .filter((path) => /\.m?ts$/.test(path) && !path.endsWith('.test.ts') && !path.endsWith('.d.ts'));
  const files = paths.map((path) => ({ path, code: withoutComments(readFileSync(path, 'utf8')) }));
  const imports = files.flatMap(({ path, code }) =>
    [...code.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, to = '']) => [
      roomOf(path),
      roomOf(normalize(join(dirname(path), to))),
    ]),
  );
  const edges = new Set(imports.filter(([from, to]) => from !== to).map((pair) => pair.join(' ')));
  return [
    { what: 'relative imports', value: imports.length / files.length, unit: 'a file', atMost: 4.6 },
    { what: 'rooms that import another', value: edges.size, unit: 'pairs' },
    ...MECHANISMS.map(([name, words, atMost]) => ({
      what: `files that name ${name}`,
      value: files.filter(({ code }) => words.test(code)).length,
      unit: 'files',
      ...(atMost !== undefined && { atMost }),
    })),
  ];
}

export async function importFigures(): Promise<Figure[]> {
  const metafile = await buildHandlers();
  const figure = (what: string, value: number, most: number): Figure => ({
    what,
    value,
    unit: 'modules',
    atMost: most,
  });
  return [
    ...Object.entries(FUNCTIONS).map(([name, most]) =>
      figure(`function ${name}`, ofFunction(metafile, name), most),
    ),
    figure('npm start, with dynamic imports', await ofServe(), SERVE_MODULES),
    ...houseFigures(),
  ];
}
