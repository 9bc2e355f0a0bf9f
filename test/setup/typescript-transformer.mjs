// Hands TypeScript to esbuild, one file at a time: types are checked by `tsc`, not by the test runner.
import { transformSync } from 'esbuild';

export default {
  process(source, path) {
    const { code, map } = transformSync(source, {
      loader: path.endsWith('.json') ? 'json' : 'ts',
      format: 'esm',
      target: 'node20.19',
      sourcemap: 'both',
      sourcefile: path,
    });
    return { code, map };
  },
};
