/** The stacks of one stage, and the one direction in which they know one another: data to ingest, both to API, all to portal. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Annotations, App, DefaultStackSynthesizer, PermissionsBoundary } from 'aws-cdk-lib';
import { SOURCE_DECLARATIONS } from '../core/sources/declarations.ts';
import { ApiStack } from './api-stack.ts';
import { addDashboard } from './constructs/stage-dashboard.ts';
import { DataStack } from './data-stack.ts';
import { DeployerStack } from './deployer-stack.ts';
import { IngestStack } from './ingest-stack.ts';
import { PortalStack } from './portal-stack.ts';
import { readStageConfig, StageConfigError, type StageName } from './stage-config.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const HANDLERS_DIR = fileURLToPath(new URL('../dist/lambdas', import.meta.url));

interface BuiltFolders {
  /** With one built handler in each subfolder; by default where `npm run build` writes them. */
  readonly handlersDir?: string;
  /** With the built portal; without it there is no portal stack. */
  readonly portalDir?: string;
}

function checkNames(setting: string, given: readonly string[], what: string, known: readonly string[]): void {
  const unknown = given.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new StageConfigError(`${setting}: ${unknown.join(', ')}: ${what} ${known.join(', ')}`);
}

/** Defines the stacks of the stage that the app's context names; throws StageConfigError when it cannot be read. */
export function defineApplication(app: App, { handlersDir = HANDLERS_DIR, portalDir }: BuiltFolders) {
  const config = readStageConfig(app.node.getAllContext());
  const sourceIds = SOURCE_DECLARATIONS.map(({ id }) => id);
  const keyed = SOURCE_DECLARATIONS.flatMap(({ id, secret }) => (secret === undefined ? [] : [id]));
  checkNames('keyedSources', config.keyedSources, 'the sources with a key are', keyed);
  checkNames('excludedSources', config.excludedSources, 'the sources are', sourceIds);
  const feeds = SOURCE_DECLARATIONS.flatMap((source) => source.feeds ?? []).map(({ name }) => name);
  checkNames('excludedFeeds', config.excludedFeeds, 'the feeds are', feeds);
  const { account, region, permissionsBoundary } = config;
  const boundary = permissionsBoundary && PermissionsBoundary.fromName(permissionsBoundary);
  const stackProps = (part: string) => ({
    config,
    // Roles of its own deploy each stage, so that who may deploy dev may not deploy prod.
    synthesizer: new DefaultStackSynthesizer({ qualifier: config.qualifier }),
    ...(boundary && { permissionsBoundary: boundary }),
    env: account === undefined ? undefined : { account, region },
    description: `Port Congestion Data Service, ${config.stage}: ${part}`,
    terminationProtection: config.production,
    tags: { service: 'port-congestion', stage: config.stage },
  });
  const name = (part: string) => `pcd-${config.stage}-${part}`;
  const data = new DataStack(app, name('data'), { ...stackProps('tables and raw archive'), sourceIds });
  const { tables, archive, topics } = data;
  const shared = { tables, topics, handlersDir };
  // A source that cannot fetch without its key is deployed only where the stage settings say that the key exists.
  const asked = SOURCE_DECLARATIONS.filter(
    ({ id, secret }) =>
      !config.excludedSources.includes(id) && (secret === undefined || config.keyedSources.includes(id)),
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
  const { ingest: lambda, deadLetters } = ingest;
  addDashboard(api, {
    config,
    tables,
    sources: asked,
    ingest: lambda,
    ingestDeadLetters: deadLetters,
    stage,
    functions,
  });
  const portal =
    portalDir === undefined || !config.portal
      ? undefined
      : new PortalStack(app, name('portal'), {
          ...stackProps('portal and dataset'),
          ...shared,
          deadLetters,
          api,
          portalDir,
        });
  if (config.githubRepository !== undefined)
    new DeployerStack(app, name('deployer'), {
      ...stackProps('roles of the deployment from GitHub'),
      repository: config.githubRepository,
    });
  for (const setting of config.passing) {
    Annotations.of(data).addWarningV2(
      `pcd:passing-setting:${setting}`,
      `${setting} is given for this deployment only: the next one without it takes it back. Write it in cdk.json under stages.${config.stage}.`,
    );
  }
  return { config, data, ingest, api, portal };
}

interface SynthesisOptions extends BuiltFolders {
  /** Folder for the templates and their assets. */
  readonly outdir: string;
  readonly stage: StageName;
  /** Further settings, as `-c name=value` gives them. */
  readonly context?: Readonly<Record<string, unknown>>;
}

/** The app of one stage, not yet synthesized, with the context flags of the command line. */
export function createApp({ outdir, stage, context, ...folders }: SynthesisOptions) {
  const { context: flags } = JSON.parse(readFileSync(`${ROOT}cdk.json`, 'utf8'));
  const app = new App({
    outdir,
    analyticsReporting: false,
    // Loading it takes seconds. `cdk synth` validates, and a test does for every setting and region.
    builtinCloudFormationValidation: false,
    treeMetadata: false,
    context: { ...flags, 'aws:cdk:enable-asset-metadata': true, stage, ...context },
  });
  return { app, application: defineApplication(app, folders) };
}

/** Writes the templates of a stage to `outdir`; the handlers must have been built. */
export function synthesize(options: SynthesisOptions): void {
  createApp(options).app.synth();
}
