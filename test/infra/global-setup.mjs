// Builds the handlers, and synthesizes the stacks that several suites read: each suite would take seconds for either.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { register } from 'tsx/esm/api';

register();

export default async function setUp() {
  const { buildHandlers } = await import('../../tools/handlers.ts');
  await buildHandlers();
  const { SYNTHESIZED } = await import('../builders/stacks.ts');
  const { synthesize } = await import('../builders/synthesis.ts');
  const { placeholderHandlers, placeholderPortal } = await import('../builders/placeholder-builds.ts');
  const folder = mkdtempSync(join(tmpdir(), 'shared-stacks-'));
  const builds = { handlersDir: placeholderHandlers(), portalDir: placeholderPortal() };
  for (const [index, [stage, context]] of SYNTHESIZED.entries())
    synthesize(stage, { ...context, ...builds }, join(folder, String(index)));
  process.env.SHARED_STACKS = folder;
}
