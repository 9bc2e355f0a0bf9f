/** Run by the `positions` part of the benchmark: one file, or one poll, through the engine; prints what it took as JSON. */
import { closeSync, openSync, readSync } from 'node:fs';
import { NOAA_LAYOUT } from '../../../core/ais/decoders/csv-layouts.ts';
import { csvPositions } from '../../../core/ais/decoders/csv-positions.ts';
import { createEngine } from '../../../core/ais/engine.ts';
import { decompressor } from '../../../core/sources/decompress.ts';
import { PORT_BOXES } from '../../../core/sources/open-waters-ais/ports.ts';
import { stepPoll } from '../../../core/sources/open-waters-ais/step.ts';
import type { ArchivedFetch } from '../../../core/sources/source.ts';

const BLOCK = 1024 * 1024;
const NO_LIMITS = { compressedBytes: Number.MAX_SAFE_INTEGER, bytes: Number.MAX_SAFE_INTEGER };

/** Rows of a NOAA file, plain or compressed, from its bytes to stops, on one thread. */
function readDays(path: string): number {
  const engine = createEngine();
  const reader = csvPositions(
    NOAA_LAYOUT,
    (fix) => engine.push(fix),
    (mmsi) => engine.skips(mmsi),
  );
  const decompressed = path.endsWith('.zst')
    ? decompressor(path, (chunk) => reader.push(chunk), NO_LIMITS)
    : undefined;
  const file = openSync(path, 'r');
  const block = new Uint8Array(BLOCK);
  for (let bytes = readSync(file, block); bytes > 0; bytes = readSync(file, block))
    (decompressed ?? reader).push(block.subarray(0, bytes));
  closeSync(file);
  decompressed?.end();
  const { fixes, others, broken } = reader.end();
  engine.flush();
  return fixes + others + broken;
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

const [task, path = ''] = process.argv.slice(2);
const startedAt = performance.now();
if (task === 'days') {
  const rows = readDays(path);
  const seconds = (performance.now() - startedAt) / 1000;
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  console.log(
    JSON.stringify({ rows, seconds, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, rss: maxRSS / 1024 }),
  );
} else
  console.log(JSON.stringify({ ...readPolls(Number(path)), rss: process.resourceUsage().maxRSS / 1024 }));
