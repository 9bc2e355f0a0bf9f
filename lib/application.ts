/** The stacks of one stage, and the one direction in which they know one another: data to ingest, both to API, all to portal. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Annotations, App, DefaultStackSynthesizer, PermissionsBoundary } from 'aws-cdk-lib';
import { SOURCE_DECLARATIONS } from '../core/sources/declarations.ts';
import { ApiStack } from './api-stack.ts';
import type { ScheduledSource } from './constructs/schedule.ts';
import { StageDashboard } from './constructs/stage-dashboard.ts';
import { DataStack } from './data-stack.ts';
import { IngestStack } from './ingest-stack.ts';
import { PortalStack } from './portal-stack.ts';
import { readStageConfig, type StageConfig, StageConfigError, type StageName } from './stage-config.ts';

interface ApplicationProps {
  /** Every source that could be deployed. */
  readonly sources: readonly ScheduledSource[];
  /** Folder with one built handler in each subfolder. */
  readonly handlersDir: string;
  /** Folder of the built portal; the application is without one where it is not given. */
  readonly portalDir?: string;
}

interface Application {
  readonly config: StageConfig;
  readonly data: DataStack;
  readonly ingest: IngestStack;
  readonly api: ApiStack;
  readonly portal: PortalStack | undefined;
}

const ids = (sources: readonly ScheduledSource[]): string[] => sources.map(({ id }) => id);

function checkNames(setting: string, given: readonly string[], what: string, known: readonly string[]): void {
  const unknown = given.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new StageConfigError(`${setting}: ${unknown.join(', ')}: ${what} ${known.join(', ')}`);
}

/** Defines the stacks of the stage that the app's context names; throws StageConfigError when it cannot be read. */
export function defineApplication(
  app: App,
  { sources, handlersDir, portalDir }: ApplicationProps,
): Application {
  const config = readStageConfig(app.node.getAllContext());
  const keyed = sources.filter(({ secret }) => secret !== undefined);
  checkNames('keyedSources', config.keyedSources, 'the sources with a key are', ids(keyed));
  checkNames('excludedSources', config.excludedSources, 'the sources are', ids(sources));
  const feeds = sources.flatMap((source) => source.feeds ?? []).map(({ name }) => name);
  checkNames('excludedFeeds', config.excludedFeeds, 'the feeds are', feeds);
  const { account, region, permissionsBoundary } = config;
  const boundary = permissionsBoundary && PermissionsBoundary.fromName(permissionsBoundary);
  const stackProps = (part: string) => ({
    config,
    // Roles of its own deploy each stage, so that who may deploy dev may not deploy prod.
    synthesizer: new DefaultStackSynthesizer({ qualifier: `pcd${config.stage}` }),
    ...(boundary && { permissionsBoundary: boundary }),
    env: account === undefined ? undefined : { account, region },
    description: `Port Congestion Data Service, ${config.stage}: ${part}`,
    terminationProtection: config.production,
    tags: { service: 'port-congestion', stage: config.stage },
  });
  const name = (part: string) => `pcd-${config.stage}-${part}`;
  const data = new DataStack(app, name('data'), {
    ...stackProps('tables and raw archive'),
    sourceIds: sources.map(({ id }) => id),
  });
  const { tables, archive, alarmTopics } = data;
  const shared = { tables, alarmTopics, handlersDir };
  // A source that cannot fetch without its key is deployed only where the stage settings say that the key exists.
  const asked = sources.filter(
    ({ id, secret, gone }) =>
      gone === undefined &&
      !config.excludedSources.includes(id) &&
      (secret === undefined || config.keyedSources.includes(id)),
  );
  const ingest = new IngestStack(app, name('ingest'), {
    ...stackProps('ingest and back-fill'),
    ...shared,
    archive,
    sources: asked,
  });
  const api = new ApiStack(app, name('api'), {
    ...stackProps('API and key reconciliation'),
    ...shared,
    archive,
  });
  const { stage, functions } = api;
  new StageDashboard(api, 'Dashboard', { config, tables, sources: asked, ingest, stage, functions });
  const portal =
    portalDir === undefined || !config.portal
      ? undefined
      : new PortalStack(app, name('portal'), {
          ...stackProps('portal and dataset'),
          ...shared,
          deadLetters: ingest.deadLetters,
          api,
          portalDir,
        });
  for (const setting of config.passing) {
    Annotations.of(data).addWarningV2(
      `pcd:passing-setting:${setting}`,
      `${setting} is given for this deployment only: the next one without it takes it back. Write it in cdk.json under stages.${config.stage}.`,
    );
  }
  return { config, data, ingest, api, portal };
}

// The CDK app of a stage, as `cdk deploy` and the local service synthesize it.

const root = fileURLToPath(new URL('..', import.meta.url));
export const HANDLERS_DIR = fileURLToPath(new URL('../dist/lambdas', import.meta.url));

interface SynthesisOptions {
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
