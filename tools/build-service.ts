/** Builds handlers and portal and synthesizes the stacks of one local start into the folder that it is given. */
import { join } from 'node:path';
import { SOURCE_DECLARATIONS } from '../core/sources/declarations.ts';
import { createApp } from '../lib/application.ts';
import { buildPortal } from '../portal/site/build.ts';
import { buildHandlers } from './handlers.ts';

const [, , outdir] = process.argv;
if (outdir === undefined) throw new Error('the folder to build into is missing');
const handlers = join(outdir, 'handlers');
const keyedSources = SOURCE_DECLARATIONS.filter(({ secret }) => secret !== undefined).map(({ id }) => id);
await buildHandlers(handlers);
const { app, application } = createApp({
  outdir: join(outdir, 'assembly'),
  stage: 'dev',
  handlersDir: join(handlers, 'lambdas'),
  // The template has its schedule; whether it runs depends on the keys in the environment of the start.
  context: { keyedSources },
});
app.synth();
await buildPortal(join(outdir, 'portal'), { contact: application.config.contact });
