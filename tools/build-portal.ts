/** Builds the portal of one local start into the folder that it is given. */
import { readFileSync } from 'node:fs';
import { readStageConfig } from '../lib/stage-config.ts';
import { buildPortal } from '../portal/site/build.ts';

const [, , outdir] = process.argv;
if (outdir === undefined) throw new Error('the folder to build into is missing');
const { context } = JSON.parse(readFileSync(new URL('../cdk.json', import.meta.url), 'utf8'));
await buildPortal(outdir, { contact: readStageConfig({ ...context, stage: 'dev' }).contact });
