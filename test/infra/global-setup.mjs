// Synthesizes the stacks that several suites read. To load the CDK and to synthesize takes seconds in each suite.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { register } from 'tsx/esm/api';

register();

export default async function setUp() {
  const { SYNTHESIZED } = await import('../builders/stacks.ts');
  const { synthesize } = await import('../builders/synthesis.ts');
  const folder = mkdtempSync(join(tmpdir(), 'shared-stacks-'));
  for (const [index, [stage, context]] of SYNTHESIZED.entries())
    synthesize(stage, context, join(folder, String(index)));
  process.env.SHARED_STACKS = folder;
}
