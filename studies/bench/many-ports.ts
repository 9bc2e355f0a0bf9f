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
  /** Bytes of the rows of one port, by table. */
  readonly bytes: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly rss: number;
}

/** About the limit of a function of 1,024 MB. */
const HEAP_LIMIT = '--max-old-space-size=820';

async function rounds(ports: number, ...more: readonly string[]): Promise<Round[]> {
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
    const child = spawn(process.execPath, [HEAP_LIMIT, program, String(ports), ...more], {
      env: { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: store.endpoint, TMPDIR: directory },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const measured: Round[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      const made = JSON.parse(line) as Round;
      const bytes = made.round === 'past' ? store.firstPortBytes() : {};
      const round = { ...made, bytes, ...store.take() };
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
  const measured = (await rounds(ports, '37')).filter(({ round }) => round !== 'past');
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

const RECORDS = ['forecasts', 'raisedAlerts'];
const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** What forecasts and raised alerts add to the tables of ports with a year, and to the processor time of their passes: with and without in turn. */
export async function benchRecords(ports: number): Promise<Figure[]> {
  const turns: { readonly whole: Round[]; readonly plain: Round[] }[] = [];
  for (let turn = 0; turn < 2; turn += 1)
    turns.push({ whole: await rounds(ports, '365'), plain: await rounds(ports, '365', 'plain') });
  const bytes = Object.entries(turns[0]?.whole[0]?.bytes ?? {});
  const added = total(bytes.filter(([table]) => RECORDS.includes(table)).map(([, of]) => of));
  const rest = total(bytes.map(([, of]) => of)) - added;
  const seconds = (of: (turn: (typeof turns)[number]) => Round[], name: string): number =>
    total(
      turns
        .flatMap((turn) => of(turn).filter(({ round }) => round.startsWith(name)))
        .map(({ cpuSeconds }) => cpuSeconds),
    );
  const [wholeDay, plainDay] = [seconds(({ whole }) => whole, 'day'), seconds(({ plain }) => plain, 'day')];
  const warm = seconds(({ plain }) => plain, 'warm');
  // A port that is polled every four hours has five more passes a day.
  const passes = (wholeDay - plainDay) / (plainDay + 5 * warm);
  return [
    {
      what: `forecasts and raised alerts of a port and a year, over its other rows`,
      value: (100 * added) / rest,
      unit: '%',
      against: `${counted(added)} of ${counted(rest)} bytes: ${bytes.map(([table, of]) => `${table} ${counted(of)}`).join(', ')}`,
      atMost: 10,
    },
    {
      what: `processor time that they add to the passes of a day, every four hours`,
      value: 100 * passes,
      unit: '%',
      against: `${counted(ports)} ports; first pass of a day ${wholeDay.toFixed(1)} s with and ${plainDay.toFixed(1)} s without, a later one ${warm.toFixed(1)} s, two turns`,
      atMost: 10,
    },
  ];
}
