/** `npm start` as a process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Started {
  readonly child: ChildProcess;
  /** All that was printed up to now. */
  output(): string;
  until(pattern: RegExp): Promise<RegExpMatchArray>;
}

/** On a free port. */
export function start(...options: string[]): Started {
  const child = spawn(process.execPath, ['--import', 'tsx', 'bin/serve.ts', '--port', '0', ...options], {
    cwd: ROOT,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  return {
    child,
    output: () => output,
    async until(pattern) {
      for (;;) {
        const match = output.match(pattern);
        if (match !== null) return match;
        if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${output}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
}

export async function end({ child }: Started): Promise<number | null> {
  child.kill('SIGINT');
  if (child.exitCode === null) await once(child, 'exit');
  return child.exitCode;
}
