/** Run by the `positions` part of the benchmark: one file, or one poll, through the engine; prints what it took as JSON. */
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { NOAA_LAYOUT } from '../../../core/ais/decoders/csv-layouts.ts';
import { csvPositions } from '../../../core/ais/decoders/csv-positions.ts';
import { createEngine } from '../../../core/ais/engine.ts';
import { addDays, type Day, endOfDay } from '../../../core/reference/time.ts';
import { DayCut } from '../../../core/sources/day-cut.ts';
import { decompress } from '../../../core/sources/decompress.ts';
import { NOAA_FORMAT, noaaMarinecadastreAis } from '../../../core/sources/noaa-marinecadastre-ais/source.ts';
import { PORT_BOXES } from '../../../core/sources/open-waters-ais/ports.ts';
import { stepPoll } from '../../../core/sources/open-waters-ais/step.ts';
import type { ArchivedFetch } from '../../../core/sources/source.ts';

const BLOCK = 1024 * 1024;
const NO_LIMITS = { compressedBytes: Number.MAX_SAFE_INTEGER, bytes: Number.MAX_SAFE_INTEGER };

/** Rows of NOAA's files, plain or compressed, from their bytes to stops. */
async function readDays(paths: readonly string[]): Promise<number> {
  const engine = createEngine();
  const block = new Uint8Array(BLOCK);
  let rows = 0;
  for (const path of paths) {
    const reader = csvPositions(
      NOAA_LAYOUT,
      (fix) => engine.push(fix),
      (mmsi) => engine.skips(mmsi),
    );
    if (path.endsWith('.zst')) {
      const chunks = createReadStream(path, { highWaterMark: BLOCK / 16 });
      await decompress(path, chunks, NO_LIMITS, (chunk) => reader.push(chunk));
    } else {
      const file = openSync(path, 'r');
      for (let bytes = readSync(file, block); bytes > 0; bytes = readSync(file, block))
        reader.push(block.subarray(0, bytes));
      closeSync(file);
    }
    const { fixes, others, broken } = reader.end();
    rows += fixes + others + broken;
  }
  engine.flush();
  return rows;
}

/** Days from `first` on, each cut as it is fetched and then stepped over with the state of the day before. */
async function stepDays(paths: readonly string[], first: Day): Promise<void> {
  const { days } = noaaMarinecadastreAis;
  if (days === undefined) throw new Error('the source has no days');
  const states = new Map<string, Uint8Array>();
  for (const [index, path] of paths.entries()) {
    const day = addDays(first, index);
    const cut = new DayCut({ day, file: `ais-${day}.csv`, version: '1' }, NOAA_FORMAT);
    await cut.readAll(createReadStream(path, { highWaterMark: BLOCK / 16 }));
    const files = cut.end();
    const asOfAt = endOfDay(day);
    for (const region of Object.keys(NOAA_FORMAT.regions)) {
      const before = states.get(region);
      const input = { region, files, before, asOfAt, recordedAt: asOfAt, replaced: undefined };
      states.set(region, days.step(input).state);
    }
  }
}

/** A poll of `vessels` cargo vessels that lie in the boxes of the ports, each heard a minute ago. */
function pollOf(vessels: number, fetchedAt: number): ArchivedFetch {
  const seen = `${new Date(fetchedAt - 60_000).toISOString().slice(0, 19)}Z`;
  const features = Array.from({ length: vessels }, (_, i) => {
    const { south, north, west, east } = PORT_BOXES[i % PORT_BOXES.length] as (typeof PORT_BOXES)[number];
    const [down, across] = [((i * 7919) % 1000) / 1000, ((i * 104_729) % 1000) / 1000];
    const mmsi = 205_000_000 + i;
    const coordinates = [west + across * (east - west), south + down * (north - south)];
    const properties = { mmsi, kind: 'vessel', seen, type: 70, sog: 0.1, heading: i % 360, nav_status: 5 };
    return { type: 'Feature', id: mmsi, geometry: { type: 'Point', coordinates }, properties };
  });
  const text = JSON.stringify({ type: 'FeatureCollection', features });
  return { fetchedAt, files: new Map([['vessels-1.geojson', new TextEncoder().encode(text)]]) };
}

/** An hour of polls, each with the state of the one before; the processor time of the last. */
function readPolls(vessels: number): { rows: number; cpuSeconds: number } {
  const start = Date.UTC(2026, 0, 5);
  const polls = Array.from({ length: 12 }, (_, i) => pollOf(vessels, start + i * 300_000));
  let state: Uint8Array | undefined;
  let before = process.cpuUsage();
  for (const poll of polls) {
    before = process.cpuUsage();
    state = stepPoll(poll, state).state;
  }
  const { user, system } = process.cpuUsage(before);
  return { rows: vessels, cpuSeconds: (user + system) / 1e6 };
}

const [task, ...paths] = process.argv.slice(2);
const startedAt = performance.now();
let polls = {};
let rows = 0;
if (task === 'days') rows = await readDays(paths);
else if (task === 'steps') await stepDays(paths.slice(1), paths[0] ?? '');
else polls = readPolls(Number(paths[0]));
const seconds = (performance.now() - startedAt) / 1000;
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
const used = { rows, seconds, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, rss: maxRSS / 1024 };
console.log(JSON.stringify({ ...used, ...polls }));
