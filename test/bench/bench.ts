/**
 * `npm run bench [-- PART…]`: prints figures beside what they are compared with, and writes them to docs/bench. Ends with code 1
 * when a figure misses its goal.
 */
import { loadavg } from 'node:os';
import { buildHandlers } from '../../bin/build.ts';

// The store's thread and every client that is created here accept any credentials.
process.env.AWS_REGION ??= 'local';
process.env.AWS_ACCESS_KEY_ID ??= 'local';
process.env.AWS_SECRET_ACCESS_KEY ??= 'local';
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

const { figureTable, meetsGoal } = await import('./figure.ts');
const { recordResult } = await import('./recorded-result.ts');
const { PARTS } = await import('./parts.ts');

const wanted = process.argv.slice(2);
const unknown = wanted.filter((part) => !(part in PARTS));
if (unknown.length > 0) {
  console.error(`there is no part ${unknown.join(', ')}; there are: ${Object.keys(PARTS).join(', ')}`);
  process.exit(1);
}

await buildHandlers();
const missed: string[] = [];
for (const [part, run] of Object.entries(PARTS)) {
  if (wanted.length > 0 && !wanted.includes(part)) continue;
  const startedAt = performance.now();
  console.log(`\n== ${part}`);
  const { figures, details } = await run();
  const [load = 0] = loadavg();
  recordResult(part, figures, details, load);
  console.log(figureTable(figures));
  missed.push(...figures.filter((figure) => !meetsGoal(figure)).map(({ what }) => `${part}: ${what}`));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(`== ${part}: ${seconds} s, load ${load.toFixed(1)}, written to docs/bench/${part}.json`);
}
if (missed.length > 0) console.error(`\nmissed goals:\n  ${missed.join('\n  ')}`);
process.exit(missed.length > 0 ? 1 : 0);
