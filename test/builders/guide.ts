/** The code of a guide: blocks that are whole files, and blocks that are changes of files. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Puts every run of `+` lines behind the first line of `source` that equals the context line above the run. */
function patched(source: string, diff: string): string {
  const lines = source.split('\n');
  let at = -1;
  for (const line of diff.trimEnd().split('\n')) {
    const text = line.slice(1);
    if (line.startsWith('+')) {
      at += 1;
      lines.splice(at, 0, text);
    } else {
      at = lines.indexOf(text);
      if (at < 0) throw new Error(`the file has no line "${text}"`);
    }
  }
  return lines.join('\n');
}

/** The files below `root` that a guide in Markdown leads to, by their path: those of its blocks, whole or changed. */
export function filesOfGuide(root: string, guide: string): ReadonlyMap<string, string> {
  const blocks = guide.matchAll(/^```(ts|diff) (\S+)\n(.*?)^```$/gms);
  return new Map(
    Array.from(blocks, ([, kind, file = '', text = '']) => [
      file,
      kind === 'ts' ? text : patched(readFileSync(join(root, file), 'utf8'), text),
    ]),
  );
}
