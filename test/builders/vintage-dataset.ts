/** `FOLDER`: writes a release of two months of the simulator whose figures have vintages, for the recipe of the backtest. */
import { DAY_MS, dayOf } from '../../core/reference/time.ts';
import { writeRelease } from '../../core/release/release.ts';
import { createReleaseFolder } from '../../core/store/release-place.ts';
import { simulatedDays } from './simulated-days.ts';

const START = Date.UTC(2026, 0, 5);
const DAYS = 60;

const [, , folder = ''] = process.argv;
const { ingest, source } = await simulatedDays(START, DAYS);
const { manifest } = await writeRelease({
  tables: ingest.tables,
  declarations: [source.declaration],
  place: createReleaseFolder(folder),
  day: dayOf(START + DAYS * DAY_MS),
  address: 'http://127.0.0.1:3000/data/',
});
console.log(manifest.release);
