// How Node loads the modules of a suite: TypeScript compiled one file at a time (types are checked by `tsc`), and the
// project's own modules anew for each suite, so that no suite meets the state that another left. Dependencies load
// once in a process.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

const GLOBALS = new URL('jest-globals.mjs', import.meta.url).href;

export async function resolve(specifier, context, next) {
  const resolved = await next(specifier === '@jest/globals' ? GLOBALS : specifier, context);
  const suite = /\?suite=\d+$/.exec(context.parentURL ?? '')?.[0];
  return suite && resolved.url.startsWith('file:') && !/\/node_modules\/|\?/.test(resolved.url)
    ? { ...resolved, url: resolved.url + suite }
    : resolved;
}

export async function load(url, context, next) {
  if (!/\.ts(\?|$)/.test(url)) return next(url, context);
  const path = fileURLToPath(url);
  const { code } = transformSync(readFileSync(path, 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'node20.19',
    sourcemap: 'inline',
    sourcefile: path,
  });
  return { format: 'module', source: code, shortCircuit: true };
}
