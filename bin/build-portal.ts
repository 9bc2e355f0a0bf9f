/** `npm run build:portal`: writes the portal of a stage into dist/portal, with the contact that the stage's settings name. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readStageConfig } from '../lib/stage-config.ts';
import { buildPortal } from '../site/build.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { stage: { type: 'string' }, contact: { type: 'string' } } });
const { context } = JSON.parse(readFileSync(`${root}cdk.json`, 'utf8')) as {
  context: Record<string, unknown>;
};
const given: Readonly<Record<string, unknown>> = { ...context, ...values };
const { contact } = readStageConfig(given);
await buildPortal(`${root}dist/portal`, { contact });
