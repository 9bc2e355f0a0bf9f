/** The `release` part of the benchmark: a year of many ports, and what a query reads of it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { duckdbRows } from '../../test/builders/duckdb.ts';
import type { Figure } from './figure.ts';
import type { ProgramRun } from './program-run.ts';

const WAITS = 'release=2026-01-01/table=waits/year=2025/part-0.parquet';

/** As of `npm run release`, and about that of the function: without one, a large machine's heap grows by garbage alone. */
const HEAP_LIMIT = '--max-old-space-size=900';

/** A release of `ports` generated ports, in a program of its own, so that its memory is its own. */
export async function benchRelease(ports: number): Promise<readonly Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    const program = join(directory, 'release.mjs');
    await build({
      entryPoints: [fileURLToPath(new URL('release-program.ts', import.meta.url))],
      bundle: true,
      platform: 'node',
      format: 'esm',
      // The AWS SDK requires Node's own modules.
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
      outfile: program,
      logLevel: 'error',
    });
    const folder = join(directory, 'dataset');
    const rowFiles = join(directory, 'rows');
    const step = (...words: readonly string[]): string => {
      const parameters = [HEAP_LIMIT, program, ...words, String(ports)];
      const { status, stdout, stderr } = spawnSync(process.execPath, parameters, { encoding: 'utf8' });
      if (status !== 0) throw new Error(`${words[0]} ended with ${status}: ${stderr}`);
      return stdout;
    };
    step('rows', rowFiles);
    const { rows, seconds, cpuSeconds, rss } = JSON.parse(step('release', rowFiles, folder)) as ProgramRun;
    const startedAt = performance.now();
    await duckdbRows(
      `SELECT port, median(hours) AS median_hours FROM (SELECT port, unnest(waits) AS hours FROM '${join(folder, WAITS)}' WHERE class = 'all' AND date BETWEEN '2025-06-01' AND '2025-06-30') GROUP BY port ORDER BY median_hours DESC LIMIT 10`,
    );
    const querySeconds = (performance.now() - startedAt) / 1000;
    return [
      {
        what: `release of ${ports} ports and a year`,
        value: seconds,
        unit: 's',
        against: `${(rows / 1e6).toFixed(1)} M rows, ${cpuSeconds.toFixed(0)} s of processor time`,
        atMost: 60,
      },
      { what: 'peak resident memory of that', value: rss, unit: 'MiB', atMost: 200 },
      { what: 'worst ten ports of a month in DuckDB', value: querySeconds, unit: 's', atMost: 2 },
      {
        what: 'size of the file that it reads from',
        value: statSync(join(folder, WAITS)).size / 1e6,
        unit: 'MB',
        atMost: 5,
      },
    ];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
