// Compiles TypeScript with esbuild, one file at a time: types are checked by `tsc`, not by the test runner.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';

// Every look-up of a global in the context in which Jest runs a file goes through an interceptor: arithmetic that asks
// for `Math` in a loop takes ten times as long. Bound once a file; only what no test replaces. Tests replace the clock,
// so a file that reads it looks `Date` up.
const BOUND =
  'Array, Error, Infinity, JSON, Map, Math, NaN, Number, Object, Promise, Reflect, RegExp, Set, String';
const READS_CLOCK = /\bDate\.now\b|\bnew Date\(\)/;
const banner = (source) => `const { ${BOUND}${READS_CLOCK.test(source) ? '' : ', Date'} } = globalThis;`;

const OWN_TEXT = readFileSync(new URL(import.meta.url));

export default {
  // Jest keeps what this makes; by itself it would not see that this file has changed.
  getCacheKey: (source, path) =>
    createHash('sha256').update(OWN_TEXT).update(path).update('\0').update(source).digest('hex'),
  process(source, path) {
    const { code, map } = transformSync(source, {
      loader: path.endsWith('.json') ? 'json' : 'ts',
      format: 'esm',
      target: 'node20.19',
      sourcemap: 'both',
      sourcefile: path,
      ...(!path.endsWith('.json') && { banner: banner(source) }),
    });
    return { code, map };
  },
};
