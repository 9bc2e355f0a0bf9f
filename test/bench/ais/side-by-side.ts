/**
 * `npm run ais-side-by-side`: the stays of one generated day, as the engine finds them, as movingpandas' stop detector does
 * and as window functions in SQL do, against the truth. Installs the two Python programs into an environment of their own.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fixedDegrees } from '../../../core/ais/fix.ts';
import { nearestPort } from '../../../core/ais/nearest-port.ts';
import { DAY_MS, HOUR_MS } from '../../../core/reference/time.ts';
import { noaaDays } from './day-files.ts';
import { foundStays, placesFrom, runEngine, stayParts } from './engine-run.ts';
import { queueWorld } from './queue-world/world.ts';
import { roadsteadWorld } from './roadstead-world.ts';
import { type FoundStay, scoreStays } from './scoring.ts';
import type { GenerateWorld, World } from './world-types.ts';

const START = Date.UTC(2026, 0, 5);
const END = START + DAY_MS;
const VESSELS = 200;
/** The spread below which the engine takes a stop for a berth; the others state no kind. */
const BERTH_RMS_METRES = 60;
const LONGEST_PORT_METRES = 20 * 1852;

interface PrintedStay {
  readonly mmsi: number;
  readonly startAt: number;
  readonly endAt: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly rms: number;
}

function python(): string {
  const script =
    '. .ci/python-tools.sh; python_tools side-by-side movingpandas==0.22.4 duckdb==1.5.6 >&2; echo "$tools/bin/python"';
  const { status, stdout } = spawnSync('bash', ['-euc', script], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error('movingpandas cannot be installed from PyPI: it needs python3 with venv');
  return stdout.trim().split('\n').at(-1) ?? '';
}

/** Kind by spread and the nearest port for detectors that state neither. */
function staysOf(lines: string, { ports }: World): FoundStay[] {
  const nearest = nearestPort(ports);
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line): FoundStay => {
      const { mmsi, startAt, endAt, latitude, longitude, rms } = JSON.parse(line) as PrintedStay;
      const port = nearest.within(fixedDegrees(latitude), fixedDegrees(longitude), LONGEST_PORT_METRES);
      return { mmsi, kind: rms < BERTH_RMS_METRES ? 'berth' : 'wait', startAt, endAt, port };
    })
    .filter(({ kind, startAt, endAt }) => endAt - startAt >= (kind === 'berth' ? 1 : 3) * HOUR_MS);
}

function row(name: string, { truth }: World, found: readonly FoundStay[], seconds: number): string {
  const shared = new Set(truth.filter((stay) => stay.shared).map(({ mmsi }) => mmsi));
  const [own, ofShared] = [false, true].map((isShared) =>
    scoreStays(
      truth.filter((stay) => stay.shared === isShared),
      found.filter(({ mmsi }) => shared.has(mmsi) === isShared),
      { startAt: START, endAt: END },
    ),
  );
  if (own === undefined || ofShared === undefined) throw new Error('no scores');
  const shares = [own.recall, own.precision, own.kind, own.port, own.berthedWaitPort, ofShared.recall];
  const borders = `${own.startP95.toFixed(1)} / ${own.endP95.toFixed(1)}`;
  return `| ${[name, ...shares.map((share) => share.toFixed(3)), borders, seconds.toFixed(1)].join(' | ')} |`;
}

function compare(generate: GenerateWorld, interpreter: string, directory: string): string[] {
  const world = generate({ seed: 1, startAt: START, days: 1, vessels: VESSELS, fixSeconds: 60, hard: false });
  const fixes = [...world.fixes];
  const file = join(directory, 'day.csv');
  for (const { text } of noaaDays(fixes, '2024')) {
    writeFileSync(file, text);
    break;
  }
  const begin = performance.now();
  const engine = runEngine(fixes);
  const learned = stayParts(world.ports, undefined, placesFrom(engine, stayParts(world.ports), END));
  const ours = foundStays(engine, learned, END);
  const rows = [row('this engine', world, ours, (performance.now() - begin) / 1000)];
  for (const [name, task] of [
    ['movingpandas TrajectoryStopDetector, 700 m, 30 min', 'movingpandas'],
    ['window functions in DuckDB', 'sql'],
  ] as const) {
    const startedAt = performance.now();
    const program = fileURLToPath(new URL('stop_detectors.py', import.meta.url));
    const { status, stdout, stderr } = spawnSync(interpreter, [program, task, file], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    if (status !== 0) throw new Error(`${task} ended with ${status}: ${stderr}`);
    rows.push(row(name, world, staysOf(stdout, world), (performance.now() - startedAt) / 1000));
  }
  return rows;
}

const COLUMNS =
  '| Detector | Recall | Precision | Kind | Port | Port of berthed waits | Recall, shared MMSI | Start / end p95, min | Seconds |\n' +
  '| --- | --- | --- | --- | --- | --- | --- | --- | --- |';
const directory = mkdtempSync(join(tmpdir(), 'side-by-side-'));
try {
  const interpreter = python();
  const first = compare(roadsteadWorld, interpreter, directory).join('\n');
  console.log(first);
  const second = compare(queueWorld, interpreter, directory).join('\n');
  console.log(second);
  const page = `# Stays from positions, beside other detectors

Written by \`npm run ais-side-by-side\`; do not edit. One generated day of ${VESSELS} cargo vessels and other craft, once of each
generator of [the accuracy study](ais-accuracy.md). The other detectors state neither kind nor port: their kind is by spread
(${BERTH_RMS_METRES} m) and their port is the nearest one, which are the engine's own rules in their plainest form. They see one
track an MMSI. Seconds are of the whole program without the generator, on a machine with other work, so they are only an order.

## First generator

${COLUMNS}
${first}

## Second generator

${COLUMNS}
${second}
`;
  writeFileSync(new URL('../../../docs/ais-side-by-side.md', import.meta.url), page);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
