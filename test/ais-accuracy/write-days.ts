/** `npm run ais-days -- DIR [--days N] [--vessels N] [--seed N]`: NOAA's day files in a folder for `npm start -- --replay`. */
import { parseArgs } from 'node:util';
import { createFolderArchive } from '../../core/store/folder-archive.ts';
import { nextMidnight, noaaDays } from './day-files.ts';
import { roadsteadWorld } from './roadstead-world.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    days: { type: 'string', default: '9' },
    vessels: { type: 'string', default: '120' },
    seed: { type: 'string', default: '1' },
  },
});
const [directory] = positionals;
const [days, vessels, seed] = [values.days, values.vessels, values.seed].map(Number);
if (directory === undefined || !days || !vessels || seed === undefined || Number.isNaN(seed)) {
  console.error('usage: npm run ais-days -- DIR [--days N] [--vessels N] [--seed N]');
  process.exit(2);
}
const startAt = Date.UTC(2026, 0, 5);
const world = roadsteadWorld({ seed, startAt, days, vessels, fixSeconds: 60, hard: false });
const archive = createFolderArchive(directory);
let written = 0;
for (const { day, text } of noaaDays(world.fixes, '2025')) {
  const file = new Map([[`ais-${day}.csv`, new TextEncoder().encode(text)]]);
  await archive.write('noaa-marinecadastre-ais', nextMidnight(day), file);
  written += 1;
}
console.log(`${written} days in ${directory}: npm start -- --replay ${directory}`);
