/**
 * Run by the parts `ports` and `records` of the benchmark, as the ingest function would, with the number of ports that the sources know,
 * the number that their replies touch (half of them from lists of 500, half from positions) and the days of their past; `plain` without
 * forecasts and raised alerts. Prints a line of JSON when the past is made, and one after each round of passes.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ingestStores } from '../../core/ingest/dependencies.ts';
import { createPass } from '../../core/ingest/pass.ts';
import { pollReader } from '../../core/positions/steps.ts';
import type { Port } from '../../core/reference/ports.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/reference/time.ts';
import { decodeOpenWaters } from '../../core/sources/open-waters-ais/source.ts';
import { randomStream } from '../../core/sources/sample-simulator/source.ts';
import { createFolderArchive, createFolderStates } from '../../core/store/raw-archive.ts';
import {
  createStoreClient,
  INGEST_TABLES,
  type IngestTableId,
  openTables,
  PATIENT_RESPONSE_MS,
} from '../../core/store/tables.ts';
import type { Source, SourceDeclaration } from '../../core/upstream/source.ts';
import { MemoryTable } from '../../test/builders/memory-table.ts';
import { scriptedSource } from '../../test/builders/scripted-source.ts';
import { generatedPort } from './copied-store.ts';
import { pollAt, recordOf } from './generated-calls.ts';
import { peakMebibytes } from './program-run.ts';

const [count, touched, DAYS] = process.argv.slice(2, 5).map(Number) as [number, number, number];
const isPlain = process.argv[5] === 'plain';
const CALLS_A_DAY = 10;
/** About those that the calls of a port have in port at once. */
const VESSELS_A_PORT = 12;
const LIST_PORTS = 500;
const START = Date.UTC(2026, 0, 5);

const random = randomStream('many-ports', 1);
const calls = Array.from({ length: CALLS_A_DAY * (DAYS + 3) }, (_, n) =>
  recordOf('call', n, START + ((n - 3 * CALLS_A_DAY) * DAY_MS) / CALLS_A_DAY, random),
);

const placeOf = (n: number) => ({
  latitude: (n % 100) - 50,
  longitude: (Math.floor(n / 100) % 170) * 2 - 170,
});
const portOf = (n: number): Port => ({
  locode: generatedPort(n),
  name: `Made-up Harbour ${n}`,
  countryCode: 'XZ',
  ...placeOf(n),
});

/** @param touched how many of the ports its replies list */
function listSource(id: string, numbers: readonly number[], touched = numbers.length) {
  const ports = numbers.slice(0, touched).map(generatedPort);
  const source = scriptedSource(id, numbers.map(generatedPort));
  // Four hours apart, more vessels move than a list may lose; what is made from positions is not judged so.
  const declaration = { ...source.declaration, boxes: [], maxReplyBytes: 1e9, maxRows: 1e7 };
  const ask = (at: number): Source => {
    const observations = ports.map((port) => pollAt(port, calls, at));
    source.turns.push({ asOfAt: at, observations });
    return { ...source, declaration };
  };
  return ask;
}

/** Vessels that lie at the touched ports, a tenth of them gone and as many arrived with every hour. */
function positionSource(numbers: readonly number[], touched: number, reference: readonly Port[]) {
  const boxes = numbers.map((n) => {
    const { latitude, longitude } = placeOf(n);
    const [south, north, west, east] = [latitude - 0.1, latitude + 0.1, longitude - 0.1, longitude + 0.1];
    return { south, north, west, east, ports: [generatedPort(n)], neighbours: [] };
  });
  const declaration: SourceDeclaration = {
    ...scriptedSource('positions', numbers.map(generatedPort)).declaration,
    boxes,
    everyMinutes: 5,
    maxReplyBytes: 1e9,
    maxRows: 1e7,
  };
  const reader = pollReader(
    {
      declaration,
      boxes,
      canaryPorts: numbers.slice(0, 5).map(generatedPort),
      vesselsFile: /^vessels-\d+\.geojson$/,
      decode: decodeOpenWaters,
    },
    reference,
  );
  const featureOf = (at: number, n: number, berth: number): string => {
    const { latitude, longitude } = placeOf(n);
    const stay = Math.floor(at / HOUR_MS / 10 + berth / VESSELS_A_PORT);
    const mmsi = 205_000_000 + n * 1000 + berth * 80 + (stay % 80);
    const seen = `${new Date(at - MINUTE_MS).toISOString().slice(0, 19)}Z`;
    const properties = { mmsi, kind: 'vessel', seen, type: 70, sog: 0.1, heading: berth * 7, nav_status: 5 };
    const coordinates = [longitude + berth / 1000, latitude + berth / 1000];
    return JSON.stringify({
      type: 'Feature',
      id: mmsi,
      geometry: { type: 'Point', coordinates },
      properties,
    });
  };
  // In files of a thousand ports, as a list of boxes is asked for in parts.
  const filesAt = (at: number) =>
    new Map(
      Array.from({ length: Math.ceil(touched / 1000) }, (_, part) => {
        const features = numbers
          .slice(part * 1000, Math.min(touched, (part + 1) * 1000))
          .flatMap((n) => Array.from({ length: VESSELS_A_PORT }, (_, berth) => featureOf(at, n, berth)));
        const text = `{"type":"FeatureCollection","features":[${features.join(',')}]}`;
        return [`vessels-${part + 1}.geojson`, new TextEncoder().encode(text)] as const;
      }),
    );
  return (at: number): Source => ({ declaration, ...reader, fetch: async () => filesAt(at) });
}

const reference = Array.from({ length: count + 1 }, (_, n) => portOf(n));
const byCode = new Map(reference.map((port) => [port.locode, port]));
const clock = { nowAt: START };
const folder = mkdtempSync(join(tmpdir(), 'many-ports-'));
const opened = openTables(
  createStoreClient(PATIENT_RESPONSE_MS),
  Object.fromEntries(INGEST_TABLES.map((id) => [id, id])) as Record<IngestTableId, string>,
);
const stores = ingestStores({ ...opened, sourceStatus: new MemoryTable('sourceStatus') }, () => clock.nowAt);
const noRecords = { between: async () => [], write: async () => undefined, remove: async () => undefined };
const run = createPass({
  ...stores,
  ...(isPlain && { raisedAlerts: noRecords }),
  archive: createFolderArchive(folder),
  steps: { calls: createFolderArchive(folder), states: createFolderStates(folder) },
  httpFor: () => ({ get: () => Promise.reject(new Error('the bench asks no upstream')) }),
  secretFor: async () => undefined,
  findPort: (code) => byCode.get(code),
  now: () => clock.nowAt,
  owner: 'bench',
});

async function pass(source: Source): Promise<void> {
  const { state, detail, refusals } = await run(source, { ask: true });
  if (state !== 'ok' || refusals.count > 0)
    throw new Error(`${source.declaration.id}: ${state} ${detail} ${refusals.first[0]?.detail}`);
}

async function measured(round: string, work: () => Promise<void>): Promise<void> {
  const [before, beganAt] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(before);
  const [seconds, cpuSeconds] = [(performance.now() - beganAt) / 1000, (user + system) / 1e6];
  console.log(JSON.stringify({ round, seconds, cpuSeconds, rss: peakMebibytes() }));
}

const endAt = START + DAYS * DAY_MS - 5 * MINUTE_MS;
await measured('past', async () => {
  const first = listSource('first', [0]);
  for (let at = START; at < endAt; at += 4 * HOUR_MS) {
    clock.nowAt = at;
    await pass(first(at));
    // As if forecasts had been issued for every day to come. The other ports begin with this row.
    const reached = isPlain && at === START ? await stores.portClocks.get(generatedPort(0)) : undefined;
    if (reached) await stores.portClocks.put(generatedPort(0), { ...reached, forecastDay: '9999-12-31' });
  }
  clock.nowAt = endAt;
  await pass(first(endAt));
});
const numbers = Array.from({ length: count }, (_, n) => n + 1);
const [half, touchedHalf] = [Math.floor(count / 2), Math.floor(touched / 2)];
const lists =
  touched < count
    ? [listSource('list', numbers.slice(0, half), touchedHalf)]
    : Array.from({ length: Math.ceil(half / LIST_PORTS) }, (_, n) =>
        listSource(`list-${n}`, numbers.slice(n * LIST_PORTS, Math.min(half, (n + 1) * LIST_PORTS))),
      );
const positions = positionSource(numbers.slice(half), touched - touchedHalf, reference.slice(1));
// The first passes of a day, which issue forecasts, in a process that starts; then those of five minutes later.
const rounds = { first: 10, next: 15 };
for (const [round, minutes] of Object.entries(rounds)) {
  clock.nowAt = endAt + minutes * MINUTE_MS;
  await measured(`${round}, lists`, async () => {
    for (const list of lists) await pass(list(clock.nowAt));
  });
  await measured(`${round}, positions`, () => pass(positions(clock.nowAt)));
}
