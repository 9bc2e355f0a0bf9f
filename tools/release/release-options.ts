/** The options of `npm run release`. */
import { command, dataDirOption, notEmpty, parse, UsageError } from '../../local/command-line.ts';

export interface ReleaseOptions {
  /** Undefined: the folder from which the service on the data directory serves its releases. */
  readonly out?: string;
  /** Undefined: the default, unless the environment names tables. */
  readonly dataDir?: string;
  /** With a slash at its end. Undefined: where the service that runs on the data directory serves its releases. */
  readonly address?: string;
}

const ABOUT = `Writes a release of the dataset: Parquet files of everything up to yesterday (UTC), and a manifest. It reads the service
that runs on the data directory, else the data of the real upstreams in it, or the tables that the environment names (PORTS_TABLE
and the others). npm start serves the newest release under /data/.`;

function readAddress(address: string): string {
  if (/^(https?|s3):\/\/\S+$/.test(address)) return address.replace(/\/?$/, '/');
  throw new UsageError(`--address must be an http, https or s3 address, not ${address}`);
}

export const readReleaseOptions = (args: readonly string[]): ReleaseOptions =>
  parse(
    command('npm run release --', ABOUT)
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
      ),
    args,
  );
