/** `npm run restore`: makes the tables and the archive of a stage what those of a stage were at a time. */
import { run } from '../local/command-line.ts';
import { restoreStage } from '../tools/restore/restore-stage.ts';

const startedAt = performance.now();
const report = (line: string): void =>
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(7)} s  ${line}`);

await run(() => restoreStage(process.argv.slice(2), report));
