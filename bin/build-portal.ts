/** `npm run build:portal`: writes the portal of a stage into dist/portal, with the contact and the demo key of the stage's settings. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readStageConfig } from '../lib/stage-config.ts';
import { command, parse, run } from '../local/command-line.ts';
import { buildPortal } from '../portal/site/build.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
await run(async () => {
  const definition = command('npm run build:portal --', 'Writes the portal of a stage into dist/portal.')
    .option('--stage <name>', 'dev or prod')
    .option('--contact <address>', "in place of that of the stage's settings");
  const { context } = JSON.parse(readFileSync(`${root}cdk.json`, 'utf8')) as {
    context: Record<string, unknown>;
  };
  const given: Readonly<Record<string, unknown>> = { ...context, ...parse(definition) };
  const { contact, demoKey } = readStageConfig(given);
  await buildPortal(`${root}dist/portal`, { contact, demoKey });
});
