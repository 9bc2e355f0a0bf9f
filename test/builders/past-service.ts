/**
 * `FOLDER`: serves figures of the simulator that changed from day to day, with a release of them in FOLDER. Prints address
 * and key; a signal ends it. For clients that compare the dataset with the API.
 */
import '../setup/environment.mjs';
import { addDays, DAY_MS, dayOf, HOUR_MS } from '../../core/reference/time.ts';
import { writeRelease } from '../../core/release/release.ts';
import { createSampleSource } from '../../core/sources/sample-simulator/source.ts';
import { createReleaseFolder } from '../../core/store/release-place.ts';
import { startPreparedService } from '../conformance/prepared-service.ts';

const START = Date.UTC(2025, 11, 28);
/** The figures cross a change of the year; with the history before them there are forecasts. */
const DAYS = 8;
const HISTORY_DAYS = 95;

const [, , folder = ''] = process.argv;
const prepared = await startPreparedService({ releases: folder });
const { clock, ingest, service, tables, url } = prepared;
const source = createSampleSource({ seed: 4, firstDay: async () => addDays(dayOf(START), -HISTORY_DAYS) });
const endAt = START + DAYS * DAY_MS;
for (let at = START; at < endAt; at += 10 * HOUR_MS) {
  clock.at = at;
  await ingest(source);
}
await writeRelease({
  tables,
  declarations: [source.declaration],
  place: createReleaseFolder(folder),
  day: dayOf(clock.at ?? endAt),
  address: `${url}/data/`,
});
console.log(`ready ${url} ${service.keys.bench}`);
process.once('SIGTERM', () => void prepared.close());
