/** `npm run release`: writes a release of the dataset into a folder of this machine. */
import { resolve } from 'node:path';
import { dayOf } from '../core/reference/time.ts';
import { RELEASED_DECLARATIONS } from '../core/release/manifest.ts';
import { writeRelease } from '../core/release/release.ts';
import { SAMPLE_DECLARATION } from '../core/sources/sample-simulator/declaration.ts';
import { createReleaseFolder } from '../core/store/release-place.ts';
import { command, dataDirOption, notEmpty, parse, run, UsageError } from '../local/command-line.ts';
import { openReleaseTables } from '../tools/release/release-tables.ts';

const ABOUT = `Writes a release of the dataset: Parquet files of everything up to yesterday (UTC), and a manifest. It reads the service
that runs on the data directory, else the data of the real upstreams in it, or the tables that the environment names (PORTS_TABLE
and the others). npm start serves the newest release under /data/.`;

interface Options {
  /** Undefined: the folder from which the service on the data directory serves its releases. */
  readonly out?: string;
  /** Undefined: the default, unless the environment names tables. */
  readonly dataDir?: string;
  /** With a slash at its end. Undefined: where the service that runs on the data directory serves its releases. */
  readonly address?: string;
}

function readAddress(address: string): string {
  if (/^(https?|s3):\/\/\S+$/.test(address)) return address.replace(/\/?$/, '/');
  throw new UsageError(`--address must be an http, https or s3 address, not ${address}`);
}

await run(async () => {
  const definition = command('npm run release --', ABOUT)
    .option(
      '--out <dir>',
      'folder of the releases (default: where the service on the folder of the data serves them)',
      notEmpty('--out must name a folder'),
    )
    .addOption(dataDirOption())
    .option(
      '--address <url>',
      'where the folder will be read, for the manifest (default: /data/ of the running service, else of 127.0.0.1:3000)',
      readAddress,
    );
  const { out, dataDir, address } = parse<Options>(definition);
  const opened = await openReleaseTables(dataDir, console.log);
  const folder = resolve(out ?? opened.releases);
  try {
    const { manifest, written } = await writeRelease({
      tables: opened.tables,
      declarations: [...RELEASED_DECLARATIONS, SAMPLE_DECLARATION],
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
