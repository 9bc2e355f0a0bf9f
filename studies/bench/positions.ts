/** The `positions` part of the benchmark: generated day files from their bytes to stops, and live polls. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { DAY_MS } from '../../core/reference/time.ts';
import { roadsteadWorld } from '../../test/worlds/traffic/roadstead-world.ts';
import type { GeneratedFix } from '../../test/worlds/traffic/world-types.ts';
import type { Figure } from './figure.ts';
import type { ProgramRun } from './program-run.ts';

const START = Date.UTC(2026, 0, 5);
const HEADER =
  'MMSI,BaseDateTime,LAT,LON,SOG,COG,Heading,VesselName,IMO,CallSign,VesselType,Status,Length,Width,Draft,Cargo,TransceiverClass\n';

/**
 * An AIS type for a vessel, in the shares of the thousand vessels of 11 January 2023 in `test/unit/positions/samples`: 11 % cargo
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

/**
 * Files of about a million rows each: as many as `curve` says from bytes to stops, as many as `steps` through the cut and the step of
 * a day, and one live poll; each in a program of its own, so that its memory is its own.
 */
export async function benchPositions(options: {
  readonly curve: readonly number[];
  readonly steps: readonly number[];
}): Promise<readonly Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'positions-'));
  try {
    const program = join(directory, 'engine.mjs');
    await build({
      entryPoints: [fileURLToPath(new URL('engine-program.ts', import.meta.url))],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: program,
      logLevel: 'error',
    });
    const files = writeFiles(directory, Math.max(...options.curve, ...options.steps));
    const curve = options.curve.map((days) => run(program, 'days', ...files.slice(0, days)));
    const firstDay = new Date(START).toISOString().slice(0, 10);
    const steps = options.steps.map((days) => ({
      ...run(program, 'steps', firstDay, ...files.slice(0, days)),
      days,
    }));
    const poll = run(program, 'polls', '15000');
    const growthOf = (of: readonly ProgramRun[]): number => (of.at(-1)?.rss ?? 0) - (of[0]?.rss ?? 0);
    return [
      ...curve.flatMap((each): Figure[] => [
        {
          what: `file to stops, ${(each.rows / 1e6).toFixed(1)} M rows`,
          value: each.rows / each.cpuSeconds / 1e6,
          unit: 'M rows',
          against: 'a second of processor time, one thread',
        },
        { what: 'peak resident memory of that', value: each.rss, unit: 'MiB', atMost: 200 },
      ]),
      { what: 'growth of it over these files', value: growthOf(curve), unit: 'MiB', atMost: 20 },
      ...steps.map(
        (each): Figure => ({
          what: `cut and step of ${each.days} days: peak resident memory`,
          value: each.rss,
          unit: 'MiB',
          atMost: 200,
          against: `${(each.cpuSeconds / each.days).toFixed(1)} s of processor time a day of a million rows`,
        }),
      ),
      { what: 'growth of it over these days', value: growthOf(steps), unit: 'MiB', atMost: 20 },
      {
        what: 'live poll of 15,000 vessels: processor time',
        value: poll.cpuSeconds,
        unit: 's',
        against: 'state read and written',
        atMost: 1,
      },
    ];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
