/** Runs the files of docs/examples/ as a reader would, and reports which cannot run on this machine and why. */
import { execFile, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
export const EXAMPLES = `${root}docs/examples`;

export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Program, arguments and what must be installed, by extension. */
const LANGUAGES = {
  sh: { command: 'sh', needs: 'curl', environment: {} },
  py: { command: 'python3', needs: 'python3', environment: { PYTHONDONTWRITEBYTECODE: '1' } },
  // As `npx tsx` does. The client comes from the checkout; readers of the example have it installed.
  ts: { command: process.execPath, needs: process.execPath, environment: {} },
} as const;

const languageOf = (file: string) => LANGUAGES[file.split('.').at(-1) as keyof typeof LANGUAGES];

/** File names of all examples. */
export const exampleFiles = (): readonly string[] =>
  readdirSync(EXAMPLES)
    .filter((file) => languageOf(file) !== undefined)
    .sort();

/** Why `file` cannot run here; undefined when it can. */
export function whyNot(file: string): string | undefined {
  const { needs } = languageOf(file);
  return spawnSync(needs, ['--version']).status === 0 ? undefined : `${needs} is not installed`;
}

/** Runs an example against `baseUrl` with `key`; without a key it takes the one it shows. */
export function runExample(file: string, baseUrl: string, key?: string): Promise<Ran> {
  const { command, environment } = languageOf(file);
  const path = `${EXAMPLES}/${file}`;
  const args = file.endsWith('.ts') ? ['--import', 'tsx', path] : [path];
  const { PCD_API_KEY: _, ...inherited } = process.env;
  const env = {
    ...inherited,
    ...environment,
    BASE_URL: baseUrl,
    ...(key === undefined ? {} : { PCD_API_KEY: key }),
  };
  return new Promise((resolve) => {
    execFile(command, args, { cwd: root, env, timeout: 600_000 }, (error, stdout, stderr) => {
      resolve({ exitCode: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
    });
  });
}
