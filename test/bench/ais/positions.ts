/**
 * The `positions` part of the benchmark: a generated day file from its bytes to stops, beside DuckDB's typed scan of the
 * same columns of the same file and beside the same segmentation in SQL. All are programs of their own, in turns.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { DAY_MS } from '../../../core/reference/time.ts';
import type { Figure } from '../figure.ts';
import { median } from '../statistics.ts';
import { roadsteadWorld } from './roadstead-world.ts';
import type { GeneratedFix } from './world-types.ts';

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const REPOSITORY = pathOf('../../..');
const START = Date.UTC(2026, 0, 5);
const HEADER =
  'MMSI,BaseDateTime,LAT,LON,SOG,COG,Heading,VesselName,IMO,CallSign,VesselType,Status,Length,Width,Draft,Cargo,TransceiverClass\n';

interface Run {
  readonly rows: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Peak resident memory in MiB. */
  readonly rss: number;
}

/** A row in the layout of NOAA up to 2024, without its time: before and behind it. */
function rowParts(fix: GeneratedFix): readonly [string, string] {
  const { mmsi, latitude, longitude, speed = 102.3, heading = 511, vesselType = '', status = '' } = fix;
  const numbers = `${latitude.toFixed(5)},${longitude.toFixed(5)},${speed.toFixed(1)},${(mmsi % 3600) / 10},${heading.toFixed(1)}`;
  const names = `VESSEL ${mmsi % 10_000},IMO9${String(mmsi % 1e6).padStart(6, '0')},CALL${mmsi % 1000}`;
  const size = `${100 + (mmsi % 200)},${20 + (mmsi % 20)},${5 + (mmsi % 9)}.0`;
  return [`${mmsi},`, `,${numbers},${names},${vesselType},${status},${size},${vesselType},A\n`];
}

/** Writes files of so many rows each: the same generated day again and again, a day later each time. */
function writeFiles(directory: string, sizes: readonly number[]): string[] {
  const world = roadsteadWorld({
    seed: 1,
    startAt: START,
    days: 1,
    vessels: 700,
    fixSeconds: 60,
    hard: false,
  });
  const day = [...world.fixes].map((fix) => ({ at: fix.at, parts: rowParts(fix) }));
  return sizes.map((size) => {
    const path = join(directory, `${size}.csv`);
    const file = openSync(path, 'w');
    let text = HEADER;
    for (let row = 0; row < size; row += 1) {
      const { at, parts } = day[row % day.length] as (typeof day)[number];
      const time = new Date(at + Math.floor(row / day.length) * DAY_MS).toISOString().slice(0, 19);
      text += parts[0] + time + parts[1];
      if (text.length > 1 << 20) {
        writeSync(file, text);
        text = '';
      }
    }
    writeSync(file, text);
    closeSync(file);
    return path;
  });
}

function run(program: string, args: readonly string[]): Run {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`);
  return JSON.parse(stdout) as Run;
}

/** The Python of an environment of its own with DuckDB from PyPI, made on first use. */
function duckdbPython(): string {
  const script = '. .ci/python-tools.sh; python_tools positions duckdb==1.5.6 >&2; echo "$tools/bin/python"';
  const { status, stdout } = spawnSync('bash', ['-euc', script], {
    cwd: REPOSITORY,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error('DuckDB cannot be installed from PyPI: it needs python3 with venv');
  return stdout.trim().split('\n').at(-1) ?? '';
}

type Task = 'engine' | 'engine zstd' | 'scan' | 'scan, one thread' | 'SQL segments';

/** Each task so many times, in turns, so that a busy machine slows all of them alike. */
function inTurns(tasks: Readonly<Record<string, () => Run>>, rounds: number): Record<string, Run> {
  const runs = new Map(Object.keys(tasks).map((name) => [name, [] as Run[]]));
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

export async function benchPositions(options: {
  readonly rows: number;
  readonly rounds: number;
  readonly curve: readonly number[];
}): Promise<{ readonly figures: readonly Figure[]; readonly details: unknown }> {
  const python = duckdbPython();
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
    const [file = '', ...files] = writeFiles(directory, [options.rows, ...options.curve]);
    const duckdb = (task: string, threads: number) =>
      run(python, [pathOf('duckdb_positions.py'), task, file, String(threads)]);
    duckdb('compress', 2);
    const engine = (path: string) => run(process.execPath, [program, 'days', path]);
    const tasks: Record<Task, () => Run> = {
      engine: () => engine(file),
      'engine zstd': () => engine(`${file}.zst`),
      scan: () => duckdb('scan', 2),
      'scan, one thread': () => duckdb('scan', 1),
      'SQL segments': () => duckdb('segments', 2),
    };
    const runs = inTurns(tasks, options.rounds) as Record<Task, Run>;
    const curve = files.map(engine);
    const poll = run(process.execPath, [program, 'polls', '15000']);
    const rate = ({ seconds }: Run): number => options.rows / seconds / 1e6;
    const cpuRate = ({ cpuSeconds }: Run): number => options.rows / cpuSeconds / 1e6;
    const against = (other: Run): string => `${rate(other).toFixed(2)} M rows/s`;
    const ratios: readonly [string, Run, Run, number][] = [
      ['engine / DuckDB scan, two threads', runs.engine, runs.scan, 1],
      ['engine, zstd input / DuckDB scan of the plain file', runs['engine zstd'], runs.scan, 0.8],
      ['engine / segmentation in SQL, two threads', runs.engine, runs['SQL segments'], 1.5],
    ];
    const figures: Figure[] = [
      {
        what: 'engine: file to stops',
        value: rate(runs.engine),
        unit: 'M rows/s',
        against: `${options.rows} rows, one thread`,
      },
      ...ratios.map(
        ([what, ours, theirs, atLeast]): Figure => ({
          what,
          value: rate(ours) / rate(theirs),
          unit: '',
          against: against(theirs),
          atLeast,
        }),
      ),
      {
        what: 'engine / DuckDB scan, by processor time',
        value: cpuRate(runs.engine) / cpuRate(runs.scan),
        unit: '',
        against: `${cpuRate(runs.scan).toFixed(2)} M rows a second of processor time`,
      },
      {
        what: 'peak resident memory',
        value: Math.max(runs.engine.rss, ...curve.map(({ rss }) => rss)),
        unit: 'MiB',
        against: 'files of all lengths',
        atMost: 200,
      },
      ...curve.map(
        (each): Figure => ({
          what: `engine: ${each.rows / 1e6} M rows`,
          value: each.rows / each.seconds / 1e6,
          unit: 'M rows/s',
          against: `${each.rss.toFixed(0)} MiB`,
        }),
      ),
      {
        what: 'live poll of 15,000 vessels: processor time',
        value: poll.cpuSeconds,
        unit: 's',
        against: 'state read and written',
        atMost: 1,
      },
    ];
    return { figures, details: { runs, curve, poll } };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
