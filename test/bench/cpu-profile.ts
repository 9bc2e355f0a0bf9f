/** Reads V8 CPU profiles: whose work the samples are, by the source files of bundled functions. */
import { readFileSync } from 'node:fs';

interface Frame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}
interface ProfileNode {
  readonly id: number;
  readonly callFrame: Frame;
  readonly children?: readonly number[];
}
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  /** Microseconds. */
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export const readProfile = (file: string): CpuProfile => JSON.parse(readFileSync(file, 'utf8')) as CpuProfile;

/** What esbuild writes above the code of each file that it bundles. */
const FILE_COMMENT = /^\s*\/\/ (\S+\.(?:[cm]?js|ts|json))$/;

/** The source file of each line of a bundle that was not minified; empty where there is none. */
export function sourcesOf(bundle: string): string[] {
  let current = '';
  return bundle.split('\n').map((line) => {
    current = FILE_COMMENT.exec(line)?.[1] ?? current;
    return current;
  });
}

/** The source file of a frame: itself, or what stands there in a bundle; `node:…` for Node's own. */
export function sourceFinder(): (frame: Frame) => string {
  const bundles = new Map<string, string[]>();
  return ({ url, lineNumber }) => {
    if (!url.endsWith('.cjs')) return url;
    const lines = bundles.get(url) ?? sourcesOf(readFileSync(url.replace('file://', ''), 'utf8'));
    bundles.set(url, lines);
    return lines[lineNumber] ?? '';
  };
}

/** Frame sources from the innermost outwards, and the microseconds that were spent there. */
export interface Sample {
  readonly functionName: string;
  readonly sources: readonly string[];
  readonly micros: number;
}

/** Samples in the order in which they were taken, from `fromMicros` after the start of the profile. */
export function* samplesOf(profile: CpuProfile, fromMicros = 0): Generator<Sample> {
  const sourceOf = sourceFinder();
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  );
  const stacks = new Map<number, readonly string[]>();
  const stackOf = (id: number): readonly string[] => {
    const known = stacks.get(id);
    if (known !== undefined) return known;
    const node = nodes.get(id);
    const parent = parents.get(id);
    const own = node === undefined ? [] : [sourceOf(node.callFrame)];
    const stack = [...own, ...(parent === undefined ? [] : stackOf(parent))];
    stacks.set(id, stack);
    return stack;
  };
  let at = 0;
  for (const [index, id] of profile.samples.entries()) {
    const micros = profile.timeDeltas[index] ?? 0;
    at += micros;
    if (at < fromMicros) continue;
    const functionName = nodes.get(id)?.callFrame.functionName ?? '';
    yield { functionName, sources: stackOf(id), micros };
  }
}
