/**
 * `npm run ais-side-by-side`: the stays of some generated days, as the engine finds them, as movingpandas' stop detector does
 * and as window functions in SQL do, against the truth. Installs movingpandas into a Python environment of its own.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fixedDegrees } from '../../../core/ais/fix.ts';
import { nearestPort } from '../../../core/ais/port-areas.ts';
import { DAY_MS, HOUR_MS } from '../../../core/reference/time.ts';
import { noaaDays } from './day-files.ts';
import { type Duckdb, noaaRows, openDuckdb, segmentsOf } from './duckdb.ts';
import { foundStays, placesFrom, runEngine, stayParts } from './engine-run.ts';
import { averageWait } from './measure.ts';
import { queueWorld } from './queue-world/world.ts';
import { roadsteadWorld } from './roadstead-world.ts';
import { type FoundStay, scoreStays } from './scoring.ts';
import type { GenerateWorld, World } from './world-types.ts';

const START = Date.UTC(2026, 0, 5);
const DAYS = 2;
const END = START + DAYS * DAY_MS;
const WINDOW = { startAt: START, endAt: END };
const VESSELS = 60;
/** The spread below which the engine takes a stop for a berth; the others state no kind. */
const BERTH_RMS_METRES = 60;
const MAX_PORT_METRES = 20 * 1852;

/** MMSI, milliseconds of start and end, mean latitude and longitude, spread in metres. */
type StopRow = readonly [number, number, number, number, number, number];

/** The interpreter of an environment of its own with movingpandas from PyPI, made on first use. */
function python(): string {
  const script =
    '. .ci/python-tools.sh; python_tools side-by-side movingpandas==0.22.4 >&2; echo "$tools/bin/python"';
  const { status, stdout } = spawnSync('bash', ['-euc', script], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error('movingpandas cannot be installed from PyPI: it needs python3 with venv');
  return stdout.trim().split('\n').at(-1) ?? '';
}

/** The stops that a Python program prints, one a line. */
function printedStops(interpreter: string, file: string): StopRow[] {
  const program = fileURLToPath(new URL('movingpandas_stops.py', import.meta.url));
  const { status, stdout, stderr } = spawnSync(interpreter, [program, file], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`movingpandas ended with ${status}: ${stderr}`);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as StopRow);
}

/** The stops of vessels that state a cargo vessel's type in one row at least. */
async function stopsInSql(duckdb: Duckdb, file: string): Promise<StopRow[]> {
  const rows = noaaRows([file]);
  const cargo = `MMSI between 200000000 and 799999999 and abs(LAT) <= 90
    and MMSI in (select MMSI from ${rows} where VesselType between 70 and 89)`;
  return (await duckdb.query(segmentsOf(rows, cargo))).map((row) => row.map(Number) as unknown as StopRow);
}

/** Kind by spread and the nearest port for detectors that state neither. */
function staysOf(stops: readonly StopRow[], { ports }: World): FoundStay[] {
  const nearest = nearestPort(ports);
  return stops
    .map(([mmsi, startAt, endAt, latitude, longitude, rms]): FoundStay => {
      const port = nearest.within(fixedDegrees(latitude), fixedDegrees(longitude), MAX_PORT_METRES);
      return { mmsi, kind: rms < BERTH_RMS_METRES ? 'berth' : 'wait', startAt, endAt, port };
    })
    .filter(({ kind, startAt, endAt }) => endAt - startAt >= (kind === 'berth' ? 1 : 3) * HOUR_MS);
}

const hours = (value: number): string => (Number.isFinite(value) ? value.toFixed(2) : 'none');

function row(name: string, { truth }: World, found: readonly FoundStay[], seconds: number): string {
  const shared = new Set(truth.filter((stay) => stay.shared).map(({ mmsi }) => mmsi));
  const [own, ofShared] = [false, true].map((isShared) =>
    scoreStays(
      truth.filter((stay) => stay.shared === isShared),
      found.filter(({ mmsi }) => shared.has(mmsi) === isShared),
      WINDOW,
    ),
  );
  if (own === undefined || ofShared === undefined) throw new Error('no scores');
  const wait = averageWait(truth, found, WINDOW);
  const cells = [
    name,
    ...[own.recall, own.precision, own.kind, own.port, own.berthedWaitPort, ofShared.recall].map((share) =>
      share.toFixed(3),
    ),
    `${own.startP95.toFixed(1)} / ${own.endP95.toFixed(1)}`,
    `${hours(wait.found)} / ${hours(wait.truth)}`,
    `${hours(wait.meanError)} / ${hours(wait.largestError)}`,
    seconds.toFixed(1),
  ];
  return `| ${cells.join(' | ')} |`;
}

async function compare(
  generator: string,
  generate: GenerateWorld,
  directory: string,
  others: Readonly<Record<string, (file: string) => Promise<StopRow[]>>>,
): Promise<string[]> {
  const world = generate({
    seed: 1,
    startAt: START,
    days: DAYS,
    vessels: VESSELS,
    fixSeconds: 60,
    hard: false,
  });
  const fixes = [...world.fixes].filter(({ at }) => at < END);
  const file = join(directory, 'days.csv');
  const texts = [...noaaDays(fixes, '2024')].map(({ text }, index) =>
    index === 0 ? text : text.slice(text.indexOf('\n') + 1),
  );
  writeFileSync(file, texts.join(''));
  let startedAt = performance.now();
  const seconds = (): number => (performance.now() - startedAt) / 1000;
  const run = runEngine(fixes, END);
  const learned = stayParts(world.ports, undefined, placesFrom(run, stayParts(world.ports)));
  const ours = foundStays(run, learned, END);
  const rows = [row(`${generator}: this engine`, world, ours, seconds())];
  for (const [name, stopsOf] of Object.entries(others)) {
    startedAt = performance.now();
    const found = staysOf(await stopsOf(file), world);
    rows.push(row(`${generator}: ${name}`, world, found, seconds()));
  }
  return rows;
}

const COLUMNS = [
  'Generator: detector',
  'Recall',
  'Precision',
  'Kind',
  'Port',
  'Port of berthed waits',
  'Recall, shared MMSI',
  'Start / end p95, min',
  'Mean wait h, found / true',
  'Mean wait of a port, error h, mean / largest',
  'Seconds',
];
const directory = mkdtempSync(join(tmpdir(), 'side-by-side-'));
const duckdb = await openDuckdb(1);
try {
  const interpreter = python();
  const others = {
    'movingpandas TrajectoryStopDetector, 700 m, 30 min': async (file: string) =>
      printedStops(interpreter, file),
    'window functions in DuckDB': (file: string) => stopsInSql(duckdb, file),
  };
  const rows: string[] = [];
  for (const [generator, generate] of [
    ['first', roadsteadWorld],
    ['second', queueWorld],
  ] as const) {
    const made = await compare(generator, generate, directory, others);
    console.log(made.join('\n'));
    rows.push(...made);
  }
  const page = `# Stays from positions, beside other detectors

Written by \`npm run ais-side-by-side\`; do not edit. ${DAYS} generated days of ${VESSELS} cargo vessels and other craft, a fix every minute,
from each generator of [the accuracy study](ais-accuracy.md), which also defines the columns. All detectors read the same
fixes. movingpandas and the SQL state neither kind nor port: their stop is a berth where its fixes spread by less than
${BERTH_RMS_METRES} m, else a wait, and its port is the nearest one, which are the engine's own rules in their plainest form. Both
see one track an MMSI; movingpandas gets one fix of a vessel and second, and positions that are none are left out for both. The SQL
takes every run of fixes at 1 knot or less of 30 minutes or more for a stop. Seconds are of the whole program without the
generator, on a machine with other work, so they show an order of magnitude.

| ${COLUMNS.join(' | ')} |
|${' --- |'.repeat(COLUMNS.length)}
${rows.join('\n')}
`;
  writeFileSync(new URL('../../../docs/ais-side-by-side.md', import.meta.url), page);
} finally {
  duckdb.close();
  rmSync(directory, { recursive: true, force: true });
}
