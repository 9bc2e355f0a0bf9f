/** The CDK app of a stage, as `cdk deploy` and the local service synthesize it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { App } from 'aws-cdk-lib';
import { SOURCE_DECLARATIONS } from '../core/sources/declarations.ts';
import { type Application, defineApplication } from './application.ts';
import type { StageName } from './stage-config.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
export const HANDLERS_DIR = fileURLToPath(new URL('../dist/lambdas', import.meta.url));

export interface SynthesisOptions {
  /** Folder for the templates and their assets. */
  readonly outdir: string;
  readonly stage: StageName;
  /** Folder with the built handlers; by default where `npm run build` writes them. */
  readonly handlersDir?: string;
  /** Folder with the built portal; without it there is no portal stack. */
  readonly portalDir?: string;
  /** Further settings, as `-c name=value` gives them. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** Check the templates against CloudFormation's own schemas; takes two seconds, so a start skips it. */
  readonly validate?: boolean;
}

/** The app of one stage, not yet synthesized, with the context flags of the command line. */
export function createApp(options: SynthesisOptions): { app: App; application: Application } {
  const { outdir, stage, handlersDir = HANDLERS_DIR, context = {}, validate = false, portalDir } = options;
  const { context: flags } = JSON.parse(readFileSync(`${root}cdk.json`, 'utf8'));
  const app = new App({
    outdir,
    analyticsReporting: false,
    builtinCloudFormationValidation: validate,
    treeMetadata: false,
    context: { ...flags, 'aws:cdk:enable-asset-metadata': true, stage, ...context },
  });
  const folders = { handlersDir, ...(portalDir === undefined ? {} : { portalDir }) };
  return { app, application: defineApplication(app, { sources: SOURCE_DECLARATIONS, ...folders }) };
}

/** Writes the templates of a stage to `outdir`; the handlers must have been built. */
export function synthesize(options: SynthesisOptions): void {
  createApp(options).app.synth();
}
