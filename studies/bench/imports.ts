/** Modules of the repository that a program loads, by the closure of its imports; those of npm are not counted. */
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
  ];
}
