/** Places in a built function as places in the sources that it was built from. */
import { SourceMap, type SourceMapPayload } from 'node:module';
import { posix } from 'node:path';

/** A place in a stack trace of a function, wherever Lambda or a test has put the file. */
const PLACE = /[^\s("']*index\.cjs:(\d+):(\d+)/g;

/** `trace` with each place in `index.cjs` as `core/http/chain.ts:120:7`. `folder`: of the built function, from the root of the repository. */
export function withSourcePlaces(trace: string, map: string, folder: string): string {
  const sources = new SourceMap(JSON.parse(map) as SourceMapPayload);
  return trace.replace(PLACE, (place, line, column) => {
    const found = sources.findEntry(Number(line) - 1, Number(column) - 1);
    return 'originalSource' in found
      ? `${posix.join(folder, found.originalSource)}:${found.originalLine + 1}:${found.originalColumn + 1}`
      : place;
  });
}
