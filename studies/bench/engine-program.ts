/**
 * Run by the `positions` part of the benchmark: `days FILE...`, `steps FIRST_DAY FILE...` or `polls VESSELS` through the
 * engine; prints what it used as JSON.
 */
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { DayCut } from '../../core/positions/day-cut.ts';
import { NOAA_LAYOUT } from '../../core/positions/decoders/csv-layouts.ts';
import { dayPositions } from '../../core/positions/decoders/day-positions.ts';
import { Engine } from '../../core/positions/engine.ts';
import { addDays, type Day, endOfDay } from '../../core/reference/time.ts';
import {
  NOAA_FORMAT,
  source as noaaMarinecadastreAis,
} from '../../core/sources/noaa-marinecadastre-ais/source.ts';
import { PORT_BOXES } from '../../core/sources/open-waters-ais/declaration.ts';
import { source as openWatersAis } from '../../core/sources/open-waters-ais/source.ts';
import type { ArchivedFetch } from '../../core/upstream/source.ts';
import { measured } from './program-run.ts';

const BLOCK = 1024 * 1024;

/** Rows of NOAA's files, from their bytes to stops. */
function readDays(paths: readonly string[]): number {
  const engine = new Engine();
  const block = new Uint8Array(BLOCK);
  let rows = 0;
  for (const path of paths) {
    const reader = dayPositions(NOAA_LAYOUT, (fix) => engine.push(fix));
    const file = openSync(path, 'r');
    for (let bytes = readSync(file, block); bytes > 0; bytes = readSync(file, block))
      reader.push(block.subarray(0, bytes));
    closeSync(file);
    const { fixes, others, broken } = reader.end();
    rows += fixes + others + broken;
  }
  engine.flush();
  return rows;
}

/** Days from `first` on, each cut as it is fetched and then stepped over with the state of the day before. */
async function stepDays(paths: readonly string[], first: Day): Promise<number> {
  const { days } = noaaMarinecadastreAis;
  if (days === undefined) throw new Error('the source has no days');
  const states = new Map<string, Uint8Array>();
  for (const [index, path] of paths.entries()) {
    const day = addDays(first, index);
    const cut = new DayCut({ day, file: `ais-${day}.csv`, version: '1' }, NOAA_FORMAT);
    for await (const chunk of createReadStream(path, { highWaterMark: BLOCK / 16 })) cut.push(chunk);
    const files = cut.end();
    const asOfAt = endOfDay(day);
    for (const region of Object.keys(NOAA_FORMAT.regions)) {
      const before = states.get(region);
      const input = { region, files, before, asOfAt, recordedAt: asOfAt, replaced: undefined };
      states.set(region, days.step(input).state);
    }
  }
  return paths.length;
}

/** A poll of `vessels` cargo vessels that lie in the boxes of the ports, each received a minute ago. */
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

let lastPoll: { readonly cpuSeconds?: number } = {};

/** An hour of polls, each with the state of the one before. The processor time of the last is that of a warm function. */
function readPolls(vessels: number): number {
  const start = Date.UTC(2026, 0, 5);
  const polls = Array.from({ length: 12 }, (_, i) => pollOf(vessels, start + i * 300_000));
  let state: Uint8Array | undefined;
  let before = process.cpuUsage();
  for (const poll of polls) {
    before = process.cpuUsage();
    state = openWatersAis.step(poll, state).state;
  }
  const { user, system } = process.cpuUsage(before);
  lastPoll = { cpuSeconds: (user + system) / 1e6 };
  return vessels;
}

const [task, ...paths] = process.argv.slice(2);
const run = await measured(async () => {
  if (task === 'days') return readDays(paths);
  if (task === 'steps') return stepDays(paths.slice(1), paths[0] ?? '');
  return readPolls(Number(paths[0]));
});
console.log(JSON.stringify({ ...run, ...lastPoll }));
