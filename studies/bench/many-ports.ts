/** The `ports` part of the benchmark: ten thousand generated ports in one ingest process, its memory, time and requests. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { INGEST_TABLES, TABLES, type TableDefinition } from '../../core/store/tables.ts';
import { type StoreCounts, startCopiedStore } from './copied-store.ts';
import type { Figure } from './figure.ts';

interface Round extends StoreCounts {
  readonly round: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly rss: number;
}

/** About the limit of a function of 1,024 MB. */
const HEAP_LIMIT = '--max-old-space-size=820';

async function rounds(ports: number): Promise<Round[]> {
  const directory = mkdtempSync(join(tmpdir(), 'ports-'));
  const definitions: Readonly<Record<string, TableDefinition>> = TABLES;
  const keys = INGEST_TABLES.map((id) => {
    const { partitionKey, sortKey } = definitions[id] as TableDefinition;
    return [id, sortKey === undefined ? [partitionKey] : [partitionKey, sortKey]] as const;
  });
  const store = await startCopiedStore(Object.fromEntries(keys));
  try {
    const program = join(directory, 'ports.mjs');
    await build({
      entryPoints: [fileURLToPath(new URL('many-ports-program.ts', import.meta.url))],
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner: {
        js: "import { createRequire as bundledRequire } from 'node:module'; const require = bundledRequire(import.meta.url);",
      },
      outfile: program,
      logLevel: 'error',
    });
    const child = spawn(process.execPath, [HEAP_LIMIT, program, String(ports)], {
      env: { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: store.endpoint, TMPDIR: directory },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const measured: Round[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      const round = { ...(JSON.parse(line) as Round), ...store.take() };
      measured.push(round);
    }
    const code = await ended;
    if (code !== 0) throw new Error(`the program ended with ${code}`);
    return measured;
  } finally {
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

const counted = (value: number): string => Math.round(value).toLocaleString('en-US');

/** Lambda's own limit of a pass. */
const MAX_PASS_SECONDS = 900;

export async function benchManyPorts(ports: number): Promise<Figure[]> {
  const measured = (await rounds(ports)).filter(({ round }) => round !== 'past');
  return [
    ...measured.map(
      ({ round, seconds, cpuSeconds, reads, writes, readUnits, writeUnits }): Figure => ({
        what: round,
        value: seconds,
        unit: 's',
        against: `${cpuSeconds.toFixed(0)} s of processor time; ${counted(reads)} reads of ${counted(readUnits)} units, ${counted(writes)} writes of ${counted(writeUnits)}`,
        atMost: MAX_PASS_SECONDS,
      }),
    ),
    {
      what: `${counted(ports)} ports: peak resident memory`,
      value: measured.at(-1)?.rss ?? Number.NaN,
      unit: 'MiB',
      atMost: 1024,
    },
  ];
}
