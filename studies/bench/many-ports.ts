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
  /** Bytes of the rows of one port, by table. */
  readonly bytes: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly rss: number;
}

/** What Lambda starts Node with in a function of 1,024 MB: 90 % of it for old objects, 5 % for each half of the new ones. */
const MEMORY_OPTIONS = ['--max-old-space-size=921', '--max-semi-space-size=51'];

interface World {
  /** Ports that the sources know. */
  readonly known: number;
  /** How many of them the replies touch. */
  readonly touched: number;
  /** Days of their past. */
  readonly days: number;
  /** Whether forecasts and raised alerts are left out. */
  readonly isPlain?: boolean;
}

async function rounds({ known, touched, days, isPlain = false }: World): Promise<Round[]> {
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
    const counts = [known, touched, days].map(String);
    const child = spawn(process.execPath, [...MEMORY_OPTIONS, program, ...counts, isPlain ? 'plain' : ''], {
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
const FEW_PORTS = 100;
const DAYS = 37;
const PASSES_A_MONTH = { first: 30, next: 30 * 24 * 12 };

const peakOf = (measured: readonly Round[]): number => measured.at(-1)?.rss ?? Number.NaN;

export async function benchManyPorts(ports: number): Promise<Figure[]> {
  const few = peakOf(await rounds({ known: FEW_PORTS, touched: FEW_PORTS, days: DAYS }));
  const fewOfMany = peakOf(await rounds({ known: ports, touched: FEW_PORTS, days: DAYS }));
  const whole = await rounds({ known: ports, touched: ports, days: DAYS });
  const measured = whole.filter(({ round }) => round !== 'past');
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

const RECORDS = ['forecasts', 'raisedAlerts'];
const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** What forecasts and raised alerts add to the tables of ports with a year, and to the processor time of their passes: with and without in turn. */
export async function benchRecords(ports: number): Promise<Figure[]> {
  const year = { known: ports, touched: ports, days: 365 };
  const turns: { readonly whole: Round[]; readonly plain: Round[] }[] = [];
  for (let turn = 0; turn < 2; turn += 1)
    turns.push({ whole: await rounds(year), plain: await rounds({ ...year, isPlain: true }) });
  const bytes = Object.entries(turns[0]?.whole[0]?.bytes ?? {});
  const added = total(bytes.filter(([table]) => RECORDS.includes(table)).map(([, of]) => of));
  const rest = total(bytes.map(([, of]) => of)) - added;
  const seconds = (of: (turn: (typeof turns)[number]) => Round[], name: string): number =>
    total(
      turns
        .flatMap((turn) => of(turn).filter(({ round }) => round.startsWith(name)))
        .map(({ cpuSeconds }) => cpuSeconds),
    );
  const [wholeDay, plainDay] = [
    seconds(({ whole }) => whole, 'first'),
    seconds(({ plain }) => plain, 'first'),
  ];
  const warm = seconds(({ plain }) => plain, 'next');
  // Singapore and Korea are asked once an hour, no list of port calls less often.
  const passes = (wholeDay - plainDay) / (plainDay + 23 * warm);
  return [
    {
      what: `forecasts and raised alerts of a port and a year, over its other rows`,
      value: (100 * added) / rest,
      unit: '%',
      against: `${counted(added)} of ${counted(rest)} bytes: ${bytes.map(([table, of]) => `${table} ${counted(of)}`).join(', ')}`,
      atMost: 10,
    },
    {
      what: `processor time that they add to the passes of a day, one each hour`,
      value: 100 * passes,
      unit: '%',
      against: `${counted(ports)} ports; first pass of a day ${wholeDay.toFixed(1)} s with and ${plainDay.toFixed(1)} s without, a later one ${warm.toFixed(1)} s, two turns`,
      atMost: 10,
    },
  ];
}
