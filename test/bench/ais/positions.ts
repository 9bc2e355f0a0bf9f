/**
 * The `positions` part of the benchmark: generated day files from their bytes to stops, beside DuckDB's typed scan of
 * the same columns of the same files and beside the same segmentation in SQL. All are programs of their own, in turns.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { DAY_MS } from '../../../core/reference/time.ts';
import type { Figure } from '../figure.ts';
import { median } from '../statistics.ts';
import type { ProgramRun } from './program-run.ts';
import { roadsteadWorld } from './roadstead-world.ts';
import type { GeneratedFix } from './world-types.ts';

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const START = Date.UTC(2026, 0, 5);
const HEADER =
  'MMSI,BaseDateTime,LAT,LON,SOG,COG,Heading,VesselName,IMO,CallSign,VesselType,Status,Length,Width,Draft,Cargo,TransceiverClass\n';

/**
 * An AIS type for a vessel, in the shares of the thousand vessels of 11 January 2023 in `test/unit/ais/samples`: 11 % cargo
 * vessels and tankers, 10 % passenger vessels, 2 % without a type, the others tugs, fishing boats, yachts.
 */
function typeOf(mmsi: number): number | '' {
  const draw = (Math.imul(mmsi, 2_654_435_761) >>> 0) % 1000;
  if (draw < 113) return 70 + (mmsi % 20);
  if (draw < 217) return 60;
  return draw < 233 ? '' : ([30, 31, 36, 37, 52][mmsi % 5] ?? 30);
}

/** A valid IMO number. */
function imoOf(mmsi: number): number {
  const six = 900_000 + (mmsi % 100_000);
  const sum = [...String(six)].reduce((total, digit, index) => total + Number(digit) * (7 - index), 0);
  return six * 10 + (sum % 10);
}

/** A row in the layout of NOAA up to 2024, with ten zeros for its date. */
function rowOf(fix: GeneratedFix): string {
  const { mmsi, at, latitude, longitude, speed = 102.3, heading = 511, status = '' } = fix;
  const time = new Date(at).toISOString().slice(10, 19);
  const numbers = `${latitude.toFixed(5)},${longitude.toFixed(5)},${speed.toFixed(1)},${(mmsi % 3600) / 10},${heading.toFixed(1)}`;
  const names = `VESSEL ${mmsi % 10_000},IMO${imoOf(mmsi)},CALL${mmsi % 1000}`;
  const size = `${100 + (mmsi % 200)},${20 + (mmsi % 20)},${5 + (mmsi % 9)}.0`;
  const type = typeOf(mmsi);
  return `${mmsi},0000000000${time},${numbers},${names},${type},${status},${size},${type},A\n`;
}

const MMSI_BYTES = 9;
const LF = 10;

/** Writes so many files: one generated day, dated a day later each time. */
function writeFiles(directory: string, days: number): string[] {
  const world = roadsteadWorld({
    seed: 1,
    startAt: START,
    days: 1,
    vessels: 665,
    fixSeconds: 60,
    hard: false,
  });
  const rows: string[] = [];
  for (const fix of world.fixes) if (fix.at < START + DAY_MS) rows.push(rowOf(fix));
  const body = Buffer.from(rows.join(''));
  const dates: number[] = [];
  for (let at = 0; at < body.length; at = body.indexOf(LF, at) + 1) dates.push(at + MMSI_BYTES + 1);
  return Array.from({ length: days }, (_, index) => {
    const path = join(directory, `${index}.csv`);
    const date = new Date(START + index * DAY_MS).toISOString().slice(0, 10);
    for (const at of dates) body.write(date, at, 'latin1');
    writeFileSync(path, Buffer.concat([Buffer.from(HEADER), body]));
    return path;
  });
}

function run(...args: readonly string[]): ProgramRun {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return JSON.parse(stdout) as ProgramRun;
}

type Task = 'engine' | 'engine zstd' | 'scan' | 'SQL segments';

/** Each task so many times, in turns, so that a busy machine slows all of them alike. */
function inTurns(
  tasks: Readonly<Record<string, () => ProgramRun>>,
  rounds: number,
): Record<string, ProgramRun> {
  const runs = new Map(Object.keys(tasks).map((name) => [name, [] as ProgramRun[]]));
  for (let round = 0; round < rounds; round += 1)
    for (const [name, task] of Object.entries(tasks)) runs.get(name)?.push(task());
  return Object.fromEntries(
    [...runs].map(([name, of]) => [
      name,
      {
        rows: of[0]?.rows ?? 0,
        seconds: median(of.map(({ seconds }) => seconds)),
        cpuSeconds: median(of.map(({ cpuSeconds }) => cpuSeconds)),
        rss: Math.max(...of.map(({ rss }) => rss)),
      },
    ]),
  );
}

/**
 * `days` files of about a million rows each: the first `compared` of them through all tasks, `rounds` times; as many as
 * `curve` and `steps` say through the engine alone, and through the step of a day, once.
 */
export async function benchPositions(options: {
  readonly compared: number;
  readonly rounds: number;
  readonly curve: readonly number[];
  readonly steps: readonly number[];
}): Promise<{ readonly figures: readonly Figure[]; readonly details: unknown }> {
  const directory = mkdtempSync(join(tmpdir(), 'positions-'));
  try {
    const program = join(directory, 'engine.mjs');
    await build({
      entryPoints: [pathOf('engine-program.ts')],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: program,
      logLevel: 'error',
    });
    const files = writeFiles(directory, Math.max(options.compared, ...options.curve, ...options.steps));
    const compared = files.slice(0, options.compared);
    const duckdb = (task: string, threads: number) =>
      run('--import', 'tsx', pathOf('duckdb-program.ts'), task, String(threads), ...compared);
    duckdb('compress', 2);
    const engine = (paths: readonly string[]) => run(program, 'days', ...paths);
    const tasks: Record<Task, () => ProgramRun> = {
      engine: () => engine(compared),
      'engine zstd': () => engine(compared.map((file) => `${file}.zst`)),
      scan: () => duckdb('scan', 2),
      'SQL segments': () => duckdb('segments', 2),
    };
    const runs = inTurns(tasks, options.rounds) as Record<Task, ProgramRun>;
    const curve = options.curve.map((days) => engine(files.slice(0, days)));
    const firstDay = new Date(START).toISOString().slice(0, 10);
    const steps = options.steps.map((days) => ({
      ...run(program, 'steps', firstDay, ...files.slice(0, days)),
      days,
    }));
    const poll = run(program, 'polls', '15000');
    const { rows } = runs.engine;
    const rate = ({ seconds }: ProgramRun): number => rows / seconds / 1e6;
    const cpuRate = ({ cpuSeconds }: ProgramRun): number => rows / cpuSeconds / 1e6;
    const ratios: readonly [string, ProgramRun, ProgramRun, number][] = [
      ['engine / DuckDB scan, two threads', runs.engine, runs.scan, 1],
      ['engine, zstd input / DuckDB scan of the plain file', runs['engine zstd'], runs.scan, 0.8],
      ['engine / segmentation in SQL, two threads', runs.engine, runs['SQL segments'], 1.5],
    ];
    const growthOf = (of: readonly ProgramRun[]): number => (of.at(-1)?.rss ?? 0) - (of[0]?.rss ?? 0);
    const rowsOf = (of: ProgramRun): string => `${(of.rows / 1e6).toFixed(1)} M rows`;
    const figures: Figure[] = [
      {
        what: 'engine: file to stops',
        value: rate(runs.engine),
        unit: 'M rows/s',
        against: `${rows} rows, one thread`,
      },
      ...ratios.flatMap(([what, ours, theirs, atLeast]): Figure[] => [
        {
          what,
          value: rate(ours) / rate(theirs),
          unit: '',
          against: `${rate(theirs).toFixed(2)} M rows/s`,
          atLeast,
        },
        {
          what: `${what}, by processor time`,
          value: cpuRate(ours) / cpuRate(theirs),
          unit: '',
          against: `${cpuRate(theirs).toFixed(2)} M rows a second of processor time`,
        },
      ]),
      {
        what: 'engine: peak resident memory',
        value: Math.max(runs.engine.rss, runs['engine zstd'].rss, ...curve.map(({ rss }) => rss)),
        unit: 'MiB',
        against: 'files of all lengths, zstd too',
        atMost: 200,
      },
      {
        what: `engine: growth of memory, ${curve.map(rowsOf).join(', ')}`,
        value: growthOf(curve.slice(1)),
        unit: 'MiB',
        against: 'first length of a million rows left out',
        atMost: 20,
      },
      ...curve.map(
        (each): Figure => ({
          what: `engine: ${rowsOf(each)}`,
          value: each.rows / each.seconds / 1e6,
          unit: 'M rows/s',
          against: `${each.rss.toFixed(0)} MiB`,
        }),
      ),
      ...steps.map(
        (each): Figure => ({
          what: `cut and step of ${each.days} days: peak resident memory`,
          value: each.rss,
          unit: 'MiB',
          atMost: 200,
          against: `${(each.cpuSeconds / each.days).toFixed(1)} s of processor time a day of ${(rows / options.compared / 1e6).toFixed(2)} M rows`,
        }),
      ),
      {
        what: `cut and step: growth of memory, ${steps.map(({ days }) => days).join(', ')} days`,
        value: growthOf(steps.slice(1)),
        unit: 'MiB',
        against: 'the fewest left out: the state grows for two weeks',
        atMost: 20,
      },
      {
        what: 'live poll of 15,000 vessels: processor time',
        value: poll.cpuSeconds,
        unit: 's',
        against: 'state read and written',
        atMost: 1,
      },
    ];
    return { figures, details: { runs, curve, steps, poll } };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
