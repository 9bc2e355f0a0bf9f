/** Synthesizes the stacks in this process, which loads the CDK. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../lib/application.ts';
import type { StageName } from '../../lib/stage-config.ts';
import { placeholderHandlers, placeholderPortal } from './placeholder-builds.ts';

/** Account and region of a stage of the tests: prod must set them, dev uses those of the shell. */
const placeOf = (stage: StageName): Record<string, unknown> =>
  stage === 'prod' ? { account: '111122223333', region: 'eu-north-1' } : {};

// The CDK captures a stack at each construct, and Jest lets one have a hundred frames.
Error.stackTraceLimit = 2;

type Folders = 'outdir' | 'handlersDir' | 'portalDir';

/** The app of `stage` with its portal, of placeholders instead of builds; not yet synthesized. */
export function createTestApp(
  stage: StageName,
  {
    outdir = mkdtempSync(join(tmpdir(), 'stacks-')),
    handlersDir = placeholderHandlers(),
    portalDir = placeholderPortal(),
    ...context
  }: Record<string, unknown> & Partial<Pick<Parameters<typeof createApp>[0], Folders>> = {},
): ReturnType<typeof createApp> {
  const settings = { ...placeOf(stage), ...context };
  return createApp({ outdir, stage, handlersDir, portalDir, context: settings });
}

/** Synthesizes `stage` with placeholder handlers, under further settings, into a folder of its own or `folder`. Returns the folder. */
export function synthesize(stage: StageName, context: Record<string, unknown>, folder?: string): string {
  const place = folder === undefined ? {} : { outdir: folder };
  return createTestApp(stage, { ...context, ...place }).app.synth().directory;
}
