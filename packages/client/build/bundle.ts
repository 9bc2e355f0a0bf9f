/** Builds the published package: ESM, CommonJS, and the declarations of both. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { routeValues } from '../../../tools/route-values.ts';
import { declarations } from './declarations.ts';

const clientDir = fileURLToPath(new URL('..', import.meta.url));
const FORMATS = { 'index.mjs': 'esm', 'index.cjs': 'cjs' } as const;

/** Bytes of each built program after gzip, by file name. */
export async function buildClient(outdir = `${clientDir}dist`): Promise<Readonly<Record<string, number>>> {
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  for (const [file, format] of Object.entries(FORMATS)) {
    await build({
      absWorkingDir: clientDir,
      entryPoints: ['index.ts'],
      outfile: `${outdir}/${file}`,
      bundle: true,
      plugins: [routeValues],
      format,
      platform: 'neutral',
      target: 'es2022',
      // Identifiers are kept, so that stack traces can be read.
      minifyWhitespace: true,
      minifySyntax: true,
      legalComments: 'none',
      logLevel: 'warning',
    });
  }
  const text = declarations();
  for (const file of ['index.d.mts', 'index.d.cts']) writeFileSync(`${outdir}/${file}`, text);
  return Object.fromEntries(
    Object.keys(FORMATS).map((file) => [file, gzipSync(readFileSync(`${outdir}/${file}`)).length]),
  );
}
