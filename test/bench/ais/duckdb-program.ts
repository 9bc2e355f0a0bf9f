/** Run by the `positions` part of the benchmark: `scan|segments|compress THREADS FILE...`; prints what it used as JSON. */
import { compressionOf, noaaRows, openDuckdb, scanOf, segmentsOf } from './duckdb.ts';
import { measured } from './program-run.ts';

const [task, threads, ...paths] = process.argv.slice(2);
const duckdb = await openDuckdb(Number(threads));

async function work(): Promise<number> {
  const rows = noaaRows(paths);
  switch (task) {
    case 'scan': {
      const [counted] = await duckdb.query(scanOf(rows));
      return Number(counted?.[0]);
    }
    case 'segments':
      return (await duckdb.query(segmentsOf(rows, 'VesselType between 70 and 89'))).length;
    default:
      for (const path of paths) await duckdb.query(compressionOf(path));
      return 0;
  }
}

console.log(JSON.stringify(await measured(work)));
duckdb.close();
