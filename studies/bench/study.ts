/** `npm run study -- bench [-- PART…]`: prints figures beside their goals. Ends with code 1 when a figure misses its goal. */
import { cpus, loadavg } from 'node:os';
import { command, parse, run, UsageError } from '../../local/command-line.ts';
import { buildHandlers } from '../../tools/handlers.ts';

// The store's thread and every client that is created here accept any credentials.
process.env.AWS_REGION ??= 'local';
process.env.AWS_ACCESS_KEY_ID ??= 'local';
process.env.AWS_SECRET_ACCESS_KEY ??= 'local';
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

const { figureTable, meetsGoal } = await import('./figure.ts');
const { PARTS } = await import('./parts.ts');

async function measure(parts: readonly string[]): Promise<number> {
  const today = new Date().toISOString().slice(0, 10);
  console.log(
    `${today}, Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}`,
  );
  await buildHandlers();
  const missed: string[] = [];
  for (const [part, measurePart] of Object.entries(PARTS)) {
    if (parts.length > 0 && !parts.includes(part)) continue;
    const startedAt = performance.now();
    console.log(`\n== ${part}`);
    const figures = await measurePart();
    const [load = 0] = loadavg();
    console.log(figureTable(figures));
    missed.push(...figures.filter((figure) => !meetsGoal(figure)).map(({ what }) => `${part}: ${what}`));
    console.log(
      `== ${part}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s, load ${load.toFixed(1)}`,
    );
  }
  if (missed.length > 0) console.error(`\nmissed goals:\n  ${missed.join('\n  ')}`);
  return missed.length > 0 ? 1 : 0;
}

await run(async () => {
  const about = `Prints figures beside their goals. Parts: ${Object.keys(PARTS).join(', ')}.`;
  const definition = command('npm run study -- bench', about).argument(
    '[part...]',
    'all of them without one',
  );
  parse(definition);
  const unknown = definition.args.filter((part) => !(part in PARTS));
  if (unknown.length > 0) throw new UsageError(`there is no part ${unknown.join(', ')}`);
  return await measure(definition.args);
});
// Threads of stores may still run.
process.exit();
