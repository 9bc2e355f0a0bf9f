/**
 * `npm run fuzz`: requests and events in process, requests over HTTP, and spoiled replies of every source.
 * `npm run fuzz -- requests --runs 1000 --seed 7` repeats one part.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openBuiltService } from '../../serve/built-service.ts';
import type { Runs, Tally } from './in-process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Runs between two lines of progress. */
const CHUNK = 50_000;
const LARGEST_HEAP_MEGABYTES = 512;

process.env.AWS_REGION ??= 'local';
process.env.AWS_ACCESS_KEY_ID ??= 'local';
process.env.AWS_SECRET_ACCESS_KEY ??= 'local';

const built = () => openBuiltService(() => console.log('building'), new AbortController().signal);

/** Parts with a seed of its own for each chunk, so that a chunk can be run again alone. */
async function chunked({ runs, seed }: Runs, one: (chunk: Runs) => Promise<Tally>): Promise<void> {
  const total: Tally = new Map();
  for (let done = 0, chunk = 0; done < runs; done += CHUNK, chunk += 1) {
    const part = { runs: Math.min(CHUNK, runs - done), seed: seed + chunk };
    for (const [status, times] of await one(part)) total.set(status, (total.get(status) ?? 0) + times);
    console.log(`  ${done + part.runs} of ${runs} (seed ${part.seed})`);
  }
  const byStatus = [...total].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
  console.log(`  ${byStatus.join(', ')}`);
}

/** The mutation tests of the sources, for longer and in a heap of a fixed size. */
function trySources({ runs, seed }: Runs): void {
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
  const { status } = spawnSync(
    process.execPath,
    [
      `--max-old-space-size=${LARGEST_HEAP_MEGABYTES}`,
      ...jest,
      ...['--selectProjects', 'sources', '--runInBand', '--testTimeout', '3600000', 'mutated-replies'],
    ],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, MUTATIONS: String(runs), MUTATION_SEED: String(seed) },
    },
  );
  if (status !== 0) throw new Error('a spoiled reply got through');
}

const PARTS: Readonly<Record<string, { runs: number; run: (runs: Runs) => Promise<void> | void }>> = {
  requests: {
    runs: 700_000,
    async run(runs) {
      const { tryRequests } = await import('./in-process.ts');
      const { assembly } = await built();
      await chunked(runs, (chunk) => tryRequests(assembly, chunk));
    },
  },
  events: {
    runs: 300_000,
    async run(runs) {
      const { tryEvents } = await import('./in-process.ts');
      await chunked(runs, tryEvents);
    },
  },
  http: {
    runs: 50_000,
    async run(runs) {
      const { tryOverHttp } = await import('./over-http.ts');
      const { assembly, sampleIngest } = await built();
      const ingest = { sources: ['sample-simulator'], bundle: sampleIngest };
      await chunked(runs, (chunk) => tryOverHttp({ assembly, ingest }, chunk));
    },
  },
  parsers: { runs: 200_000, run: trySources },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, runs: { type: 'string' } },
});
const chosen = positionals.length === 0 ? Object.keys(PARTS) : positionals;
const seed = Number(values.seed ?? Date.now() % 1_000_000);
for (const name of chosen) {
  const part = PARTS[name];
  if (part === undefined) throw new Error(`there is no part ${name}: ${Object.keys(PARTS).join(', ')}`);
  const runs = Number(values.runs ?? part.runs);
  console.log(`${name}: ${runs} runs, --seed ${seed}`);
  const startedAt = performance.now();
  await part.run({ runs, seed });
  console.log(`  ${name}: nothing found in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
}
