// Jest's coverage by V8 knows the modules that Jest has compiled. Node has compiled these: their texts and source maps are V8's.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MAP = /\/\/# sourceMappingURL=data:application\/json;base64,(\S+)\s*$/;

let folder;
const known = new Map();

/** What Jest maps lines by: the compiled text, the original one, and the path of the map. */
function transformOf(session, { url, scriptId }) {
  if (known.has(url)) return known.get(url);
  let code = '';
  // In a session with its own process the answer comes before the call returns.
  session.post('Debugger.getScriptSource', { scriptId }, (_fault, answer) => {
    code = answer?.scriptSource ?? '';
  });
  const [, map] = MAP.exec(code) ?? [];
  if (map === undefined) return undefined;
  folder ??= mkdtempSync(join(tmpdir(), 'source-maps-'));
  const sourceMapPath = join(folder, `${createHash('sha256').update(url).digest('hex')}.json`);
  const originalCode = readFileSync(url, 'utf8');
  const complete = {
    ...JSON.parse(Buffer.from(map, 'base64')),
    sources: [url],
    sourcesContent: [originalCode],
  };
  writeFileSync(sourceMapPath, JSON.stringify(complete));
  const transform = { code, originalCode, sourceMapPath };
  known.set(url, transform);
  return transform;
}

/** Adds to what Jest has measured of a suite what it lacks; modules without a map are left out. */
export function withCompiled(measured) {
  const session = new Session();
  session.connect();
  session.post('Debugger.enable');
  const found = measured.flatMap(({ result }) => {
    const codeTransformResult = transformOf(session, result);
    return codeTransformResult === undefined ? [] : [{ codeTransformResult, result }];
  });
  session.disconnect();
  return found;
}
