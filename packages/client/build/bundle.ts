/** Builds the published package: an ES module that imports openapi-fetch, and its declarations. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import ts from 'typescript';

const clientDir = fileURLToPath(new URL('..', import.meta.url));

/** Bytes of the built program after gzip. */
export async function buildClient(outdir = `${clientDir}dist`): Promise<number> {
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  await build({
    absWorkingDir: clientDir,
    entryPoints: ['index.ts'],
    outfile: `${outdir}/index.js`,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
  });
  const source = readFileSync(`${clientDir}index.ts`, 'utf8');
  const { outputText } = ts.transpileDeclaration(source, {
    compilerOptions: { target: ts.ScriptTarget.ES2022 },
  });
  writeFileSync(`${outdir}/index.d.ts`, outputText.replaceAll("'./api.ts'", "'./api.js'"));
  copyFileSync(`${clientDir}api.ts`, `${outdir}/api.d.ts`);
  return gzipSync(readFileSync(`${outdir}/index.js`)).length;
}
