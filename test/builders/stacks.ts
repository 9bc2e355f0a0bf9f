/** The synthesized stacks of a stage as plain resources, for rules that look at all of them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StageName } from '../../lib/stage-config.ts';

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };
export type JsonObject = { readonly [key: string]: Json | undefined };

export interface Resource {
  /** `data`, `ingest`, `api`, `portal` or `deployer`. */
  readonly stack: string;
  readonly id: string;
  readonly type: string;
  readonly properties: JsonObject;
  readonly deletionPolicy: string | undefined;
  readonly updateReplacePolicy: string | undefined;
  readonly updatePolicy: JsonObject;
  readonly dependsOn: readonly string[];
}

export interface Stacks {
  readonly resources: readonly Resource[];
  readonly outputs: readonly string[];
  readonly outdir: string;
}

interface TemplateFile {
  readonly Resources: Record<
    string,
    {
      Type: string;
      Properties?: JsonObject;
      DeletionPolicy?: string;
      UpdateReplacePolicy?: string;
      UpdatePolicy?: JsonObject;
      DependsOn?: string | readonly string[];
    }
  >;
  readonly Outputs?: Record<string, unknown>;
}

/** In the order of their deployment. */
export const PARTS = ['data', 'ingest', 'api', 'portal', 'deployer'] as const;

/** Reads the templates of `stage` from a cloud assembly. */
export function readStacks(outdir: string, stage: StageName): Stacks {
  const parts = PARTS.flatMap((stack) => {
    const path = join(outdir, `pcd-${stage}-${stack}.template.json`);
    if (!existsSync(path)) return [];
    const { Resources, Outputs = {} } = JSON.parse(readFileSync(path, 'utf8')) as TemplateFile;
    const resources = Object.entries(Resources).map(([id, resource]) => ({
      stack,
      id,
      type: resource.Type,
      properties: resource.Properties ?? {},
      deletionPolicy: resource.DeletionPolicy,
      updateReplacePolicy: resource.UpdateReplacePolicy,
      updatePolicy: resource.UpdatePolicy ?? {},
      dependsOn: [resource.DependsOn ?? []].flat(),
    }));
    return [{ resources, outputs: Object.keys(Outputs) }];
  });
  return {
    resources: parts.flatMap(({ resources }) => resources),
    outputs: parts.flatMap(({ outputs }) => outputs),
    outdir,
  };
}

const CUSTOM_DOMAIN = {
  domainName: 'api.example.org',
  certificateArn: 'arn:aws:acm:eu-north-1:111122223333:certificate/0',
};

/** Settings of a stage that has all that it can have. */
export const MOST_SETTINGS = {
  ...CUSTOM_DOMAIN,
  keyedSources: 'mpa-singapore,portmis-korea,us-census-trade',
  waf: 'true',
  firewallLimit: '12000',
  tracing: 'true',
  athena: 'true',
  alarmEmail: 'ops@example.org',
  pageEmail: 'oncall@example.org',
  pageEndpoint: 'https://chat.example.org/hooks/1',
  contact: 'keys@example.org',
  canaryMinutes: '5',
  demoKey: `pcd_dev_${'a1'.repeat(16)}`,
  corsOrigins: 'https://app.example,https://other.example',
  responseCacheSeconds: '2',
  copyBucket: 'copy-of-the-archive',
  permissionsBoundary: 'pcd-dev-boundary',
  portalDomainName: 'ports.example.org',
  portalCertificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/1',
  reserveConcurrency: 'true',
  qualifier: 'another',
  githubRepository: 'owner/repository',
  apiGatewayLogRole: 'true',
};

/** Settings that take away, in a region that accounts must opt in to. */
export const LEAST_SETTINGS = {
  account: '111122223333',
  region: 'ap-east-1',
  schedules: 'false',
  checks: 'off',
  withoutPlan: 'starter',
  responseCacheSeconds: '0',
  excludedSources: 'open-waters-ais,dma-ais',
  excludedFeeds: 'aishub,aisstream',
  archiveDays: '400',
};

/** What prod can have that it does not have by itself, of what the rules over both stages read. */
export const PROD_SETTINGS = {
  ...CUSTOM_DOMAIN,
  canaryMinutes: '60',
  athena: 'true',
  keyedSources: MOST_SETTINGS.keyedSources,
  githubRepository: 'owner/repository',
};

/** Settings of one rule alone. */
export const CANARY = { canaryMinutes: '5' };
export const KEYED = { keyedSources: MOST_SETTINGS.keyedSources };
export const UNCHECKED = { checks: 'off' };
export const UNGUARDED = { waf: 'false' };
export const WITHOUT_STARTER = { withoutPlan: 'starter' };

/** Settings under which several suites read the stacks. */
export const SHARED_STACKS: readonly (readonly [stage: StageName, context: Record<string, unknown>])[] = [
  ['dev', {}],
  ['prod', {}],
  ['prod', PROD_SETTINGS],
  ['dev', MOST_SETTINGS],
  ['dev', LEAST_SETTINGS],
  ['prod', { portal: 'false' }],
];

/** What the set-up of the suites synthesizes, once for all: inside of Jest it takes three times as long. */
export const SYNTHESIZED: typeof SHARED_STACKS = [
  ...SHARED_STACKS,
  ['dev', CANARY],
  ['dev', KEYED],
  ['prod', UNCHECKED],
  ['prod', UNGUARDED],
  ['dev', WITHOUT_STARTER],
];

const read = new Map<number, Stacks>();

/** The stacks of `stage` with placeholder handlers, under settings that are synthesized. */
export function sharedStacks(stage: StageName, context: Record<string, unknown> = {}): Stacks {
  const settings = JSON.stringify([stage, context]);
  const index = SYNTHESIZED.findIndex((shared) => JSON.stringify(shared) === settings);
  if (index < 0) throw new Error(`${settings} is not in SYNTHESIZED`);
  const stacks = read.get(index) ?? readStacks(join(String(process.env.SHARED_STACKS), String(index)), stage);
  read.set(index, stacks);
  return stacks;
}

export const withType = (resources: readonly Resource[], ...types: string[]): Resource[] =>
  resources.filter(({ type }) => types.includes(`${type}`));

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at `path` below `value`; undefined when a step is missing. */
export const at = (value: Json | undefined, ...path: (string | number)[]): Json | undefined =>
  path.reduce<Json | undefined>((here, step) => {
    if (Array.isArray(here)) return (here as readonly Json[])[Number(step)];
    return isObject(here) ? here[step] : undefined;
  }, value);

export const objectAt = (value: Json | undefined, ...path: (string | number)[]): JsonObject => {
  const found = at(value, ...path);
  return isObject(found) ? found : {};
};

/** A list as it is, anything else as a list of one, nothing as none. */
export const listAt = (value: Json | undefined, ...path: (string | number)[]): readonly Json[] => {
  const found = at(value, ...path);
  if (found === undefined) return [];
  return Array.isArray(found) ? (found as readonly Json[]) : [found];
};

/** Whether `value` refers to the resource `id` anywhere inside. */
export const refersTo = (value: Json | undefined, id: string): boolean =>
  new RegExp(`"${id}(?:Arn[0-9A-F]{8})?"|[A-Za-z]${id}(?![a-z])`).test(JSON.stringify(value ?? null));

export interface RightsGrant {
  readonly holder: Resource;
  readonly statement: JsonObject;
  readonly actions: readonly string[];
}

/** Every statement of an IAM role or policy that allows something. */
export const grantsIn = (resources: readonly Resource[]): RightsGrant[] =>
  withType(resources, 'AWS::IAM::Role', 'AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy').flatMap((holder) =>
    [
      ...listAt(holder.properties.PolicyDocument, 'Statement'),
      ...listAt(holder.properties.Policies).flatMap((policy) =>
        listAt(policy, 'PolicyDocument', 'Statement'),
      ),
    ]
      .map((statement) => objectAt(statement))
      .filter(({ Effect }) => Effect === 'Allow')
      .map((statement) => ({ holder, statement, actions: listAt(statement.Action).map(String) })),
  );

/** The grants of the role that `reference` gets the ARN of. */
export const grantsOf = (resources: readonly Resource[], reference: Json | undefined): RightsGrant[] => {
  const role = String(at(reference, 'Fn::GetAtt', 0));
  return grantsIn(resources).filter(
    ({ holder }) => holder.id === role || refersTo(holder.properties.Roles, role),
  );
};

/** The function whose logical id begins with `start`. */
export const functionOf = (resources: readonly Resource[], start: string): Resource => {
  const found = withType(resources, 'AWS::Lambda::Function').find(({ id }) => id.startsWith(start));
  if (found === undefined) throw new Error(`there is no function ${start}`);
  return found;
};

export const variablesOf = (lambda: Resource): JsonObject =>
  objectAt(lambda.properties.Environment, 'Variables');

/** The properties of the first alarm whose section of the runbook is `#anchor`. */
export const alarmOf = (resources: readonly Resource[], anchor: string): JsonObject | undefined =>
  withType(resources, 'AWS::CloudWatch::Alarm').find(({ properties }) =>
    String(properties.AlarmDescription).endsWith(`#${anchor}`),
  )?.properties;
