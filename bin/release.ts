/** `npm run release`: writes a release of the dataset into a folder of this machine. */
import { resolve } from 'node:path';
import { dayOf } from '../core/reference/time.ts';
import { writeRelease } from '../core/release/release.ts';
import { SOURCE_DECLARATIONS } from '../core/sources/declarations.ts';
import { SAMPLE_DECLARATION } from '../core/sources/sample-simulator/declaration.ts';
import { createReleaseFolder } from '../core/store/release-place.ts';
import { run } from '../local/command-line.ts';
import { readReleaseOptions } from '../tools/release/release-options.ts';
import { openReleaseTables } from '../tools/release/release-tables.ts';

await run(async () => {
  const { out, dataDir, address } = readReleaseOptions(process.argv.slice(2));
  const opened = await openReleaseTables(dataDir, console.log);
  const folder = resolve(out ?? opened.releases);
  try {
    const { manifest, written } = await writeRelease({
      tables: opened.tables,
      declarations: [...SOURCE_DECLARATIONS, SAMPLE_DECLARATION],
      place: createReleaseFolder(folder),
      day: dayOf(opened.nowAt),
      address: address ?? opened.address,
      madeAt: Date.now(),
    });
    const { release, files } = manifest;
    const rows = files.reduce((sum, file) => sum + file.rows, 0);
    console.log(
      `release=${release} in ${folder} ${written ? 'is written' : 'was there already'}: ${files.length} files, ${rows} rows`,
    );
  } finally {
    await opened.close();
  }
});
