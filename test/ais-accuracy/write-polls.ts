/** `npm run ais-polls -- DIR [--days N] [--vessels N] [--every MINUTES] [--seed N]`: a folder for `npm start -- --replay`. */
import { parseArgs } from 'node:util';
import { PORT_BOXES } from '../../core/sources/open-waters-ais/ports.ts';
import { createFolderArchive } from '../../core/store/folder-archive.ts';
import { livePolls } from './live-polls.ts';
import { roadsteadWorld } from './roadstead-world.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    days: { type: 'string', default: '9' },
    vessels: { type: 'string', default: '120' },
    every: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
  },
});
const [directory] = positionals;
const [days, vessels, every, seed] = [values.days, values.vessels, values.every, values.seed].map(Number);
if (directory === undefined || !days || !vessels || !every || seed === undefined || Number.isNaN(seed)) {
  console.error('usage: npm run ais-polls -- DIR [--days N] [--vessels N] [--every MINUTES] [--seed N]');
  process.exit(2);
}
const startAt = Date.UTC(2026, 0, 5);
const world = roadsteadWorld({ seed, startAt, days, vessels, fixSeconds: 60, hard: false });
const archive = createFolderArchive(directory);
let written = 0;
for (const { fetchedAt, files } of livePolls(world, {
  startAt,
  days,
  everyMinutes: every,
  boxes: PORT_BOXES,
})) {
  await archive.write('open-waters-ais', fetchedAt, files);
  written += 1;
}
console.log(`${written} polls of ${days} days in ${directory}: npm start -- --replay ${directory}`);
