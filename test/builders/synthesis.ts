/** Synthesizes the stacks in this process, which loads the CDK. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../lib/application.ts';
import type { StageName } from '../../lib/stage-config.ts';
import { placeholderHandlers, placeholderPortal } from './placeholder-builds.ts';
import { readStacks, SHARED_STACKS, type Stacks, sharedStacks } from './stacks.ts';

/** Account and region of a stage of the tests: prod must set them, dev uses those of the shell. */
const placeOf = (stage: StageName): Record<string, unknown> =>
  stage === 'prod' ? { account: '111122223333', region: 'eu-north-1' } : {};

// The CDK captures a stack at each construct, and Jest lets one have a hundred frames.
Error.stackTraceLimit = 2;

const synthesized = new Map<string, Stacks>();

/**
 * The stacks of `stage` with placeholder handlers, under further settings where given; made once for each, and not at all
 * under one of the shared settings.
 */
export function synthesizeStacks(stage: StageName, context: Record<string, unknown> = {}): Stacks {
  const name = JSON.stringify([stage, context]);
  const isShared = SHARED_STACKS.some((shared) => JSON.stringify(shared) === name);
  const stacks =
    synthesized.get(name) ?? (isShared ? sharedStacks(stage, context) : synthesize(stage, context));
  synthesized.set(name, stacks);
  return stacks;
}

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

export function synthesize(stage: StageName, context: Record<string, unknown>, folder?: string): Stacks {
  const outdir = folder === undefined ? {} : { outdir: folder };
  return readStacks(createTestApp(stage, { ...context, ...outdir }).app.synth().directory, stage);
}
