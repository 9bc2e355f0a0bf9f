/** `node --import tsx test/bench/ais/csv-speed.ts FILE`: rows a second from a NOAA file to stays, one thread. */
import { closeSync, openSync, readSync } from 'node:fs';
import { NOAA_LAYOUT } from '../../../core/ais/decoders/csv-layouts.ts';
import { csvPositions } from '../../../core/ais/decoders/csv-positions.ts';
import { createEngine } from '../../../core/ais/engine.ts';

const BLOCK = 1024 * 1024;

/** Rows, seconds and megabytes of resident memory of one run over the file. */
export function readFile(path: string): {
  readonly rows: number;
  readonly seconds: number;
  readonly rss: number;
} {
  const begin = performance.now();
  const engine = createEngine();
  const reader = csvPositions(
    NOAA_LAYOUT,
    (fix) => engine.push(fix),
    (mmsi) => engine.skips(mmsi),
  );
  const file = openSync(path, 'r');
  const block = new Uint8Array(BLOCK);
  for (let bytes = readSync(file, block); bytes > 0; bytes = readSync(file, block))
    reader.push(block.subarray(0, bytes));
  closeSync(file);
  const { fixes, others, broken } = reader.end();
  engine.flush();
  const seconds = (performance.now() - begin) / 1000;
  return { rows: fixes + others + broken, seconds, rss: process.memoryUsage().rss / 1e6 };
}

const [path] = process.argv.slice(2);
if (path === undefined) {
  console.error('usage: node --import tsx test/bench/ais/csv-speed.ts FILE');
  process.exit(2);
}
for (let run = 0; run < 5; run += 1) {
  const { rows, seconds, rss } = readFile(path);
  console.log(`${rows} rows, ${(rows / seconds / 1e6).toFixed(2)} M rows/s, ${rss.toFixed(0)} MB resident`);
}
