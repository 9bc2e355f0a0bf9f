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
import list from './list-prices.json' with { type: 'json' };

interface Round extends StoreCounts {
  readonly round: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly rss: number;
}

/** What Lambda starts Node with in a function of 1,024 MB: 90 % of it for old objects, 5 % for each half of the new ones. */
const MEMORY_OPTIONS = ['--max-old-space-size=921', '--max-semi-space-size=51'];

/** @param touched how many of the known ports are in the replies */
async function rounds(known: number, touched: number): Promise<Round[]> {
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
    const child = spawn(process.execPath, [...MEMORY_OPTIONS, program, String(known), String(touched)], {
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
const FEW_PORTS = 100;
const PASSES_A_MONTH = { first: 30, next: 30 * 24 * 12 };

const peakOf = (measured: readonly Round[]): number => measured.at(-1)?.rss ?? Number.NaN;

export async function benchManyPorts(ports: number): Promise<Figure[]> {
  const few = peakOf(await rounds(FEW_PORTS, FEW_PORTS));
  const fewOfMany = peakOf(await rounds(ports, FEW_PORTS));
  const measured = (await rounds(ports, ports)).filter(({ round }) => round !== 'past');
  const { readUnits, writeUnits } = list.prices;
  const dollars = measured.reduce((sum, { round, ...units }) => {
    const passes = PASSES_A_MONTH[round.startsWith('first') ? 'first' : 'next'];
    const read = units.readUnits * readUnits.dollars;
    return sum + (passes * (read + units.writeUnits * writeUnits.dollars)) / 1e6;
  }, 0);
  return [
    ...measured.map(
      ({ round, seconds, cpuSeconds, ...counts }): Figure => ({
        what: round,
        value: seconds,
        unit: 's',
        against: `${cpuSeconds.toFixed(0)} s of processor time; ${counted(counts.reads)} reads of ${counted(counts.readUnits)} units, ${counted(counts.writes)} writes of ${counted(counts.writeUnits)}`,
        atMost: MAX_PASS_SECONDS,
      }),
    ),
    {
      what: 'DynamoDB a month, a pass every five minutes',
      value: dollars,
      unit: 'USD',
      against: 'a process that starts with each day',
    },
    {
      what: `${counted(ports)} ports: peak resident memory`,
      value: peakOf(measured),
      unit: 'MiB',
      atMost: 1024,
    },
    {
      what: `${FEW_PORTS} touched ports of ${counted(ports)}, beside ${FEW_PORTS} of ${FEW_PORTS}: peak resident memory`,
      value: fewOfMany / few,
      unit: 'times',
      against: `${few.toFixed(0)} MiB`,
      atMost: 1.25,
    },
  ];
}
