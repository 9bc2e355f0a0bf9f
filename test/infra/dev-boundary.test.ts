/** lib/dev-boundary.json: what deploys dev, and what dev runs, reaches nothing of prod in the same account. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  at,
  MOST_SETTINGS,
  PROD_SETTINGS,
  type Resource,
  sharedStacks,
  withType,
} from '../builders/stacks.ts';

interface Statement {
  readonly Sid: string;
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource?: string | readonly string[];
  readonly NotResource?: readonly string[];
  readonly Condition?: object;
}

const text = readFileSync(new URL('../../lib/dev-boundary.json', import.meta.url), 'utf8');
const { Statement: statements } = JSON.parse(text) as { readonly Statement: readonly Statement[] };
const denied = statements.find(({ Sid }) => Sid === 'ButNothingOfProdByName')?.Resource as readonly string[];

/** Whether IAM's pattern with `*` takes `arn`. */
const takes = (pattern: string, arn: string): boolean =>
  new RegExp(`^${pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`).test(arn);

const PLACE = 'eu-north-1:111122223333';
/** ARNs by type, of the physical name, which CloudFormation begins with the name of the stack. */
const BY_NAME: Readonly<Record<string, (name: string) => string>> = {
  'AWS::Athena::WorkGroup': (name) => `athena:${PLACE}:workgroup/${name}`,
  'AWS::CloudFront::Function': (name) => `cloudfront::111122223333:function/${name}`,
  'AWS::CloudWatch::Alarm': (name) => `cloudwatch:${PLACE}:alarm:${name}`,
  'AWS::CloudWatch::CompositeAlarm': (name) => `cloudwatch:${PLACE}:alarm:${name}`,
  'AWS::CloudWatch::Dashboard': (name) => `cloudwatch::111122223333:dashboard/${name}`,
  'AWS::CodeDeploy::Application': (name) => `codedeploy:${PLACE}:application:${name}`,
  'AWS::CodeDeploy::DeploymentGroup': (name) => `codedeploy:${PLACE}:deploymentgroup:${name}`,
  'AWS::DynamoDB::Table': (name) => `dynamodb:${PLACE}:table/${name}`,
  'AWS::Events::Rule': (name) => `events:${PLACE}:rule/${name}`,
  'AWS::IAM::Role': (name) => `iam::111122223333:role/${name}`,
  'AWS::Lambda::Function': (name) => `lambda:${PLACE}:function:${name}`,
  'AWS::Logs::LogGroup': (name) => `logs:${PLACE}:log-group:${name}`,
  'AWS::S3::Bucket': (name) => `s3:::${name.toLowerCase()}`,
  'AWS::SNS::Topic': (name) => `sns:${PLACE}:${name}`,
  'AWS::SQS::Queue': (name) => `sqs:${PLACE}:${name}`,
  'AWS::Scheduler::Schedule': (name) => `scheduler:${PLACE}:schedule/default/${name}`,
  'AWS::StepFunctions::StateMachine': (name) => `states:${PLACE}:stateMachine:${name}`,
  'AWS::Synthetics::Canary': (name) => `synthetics:${PLACE}:canary:${name}`,
};
/** Types whose ARNs have ids: the stacks' tag `stage` is on each. */
const BY_TAG = [
  'AWS::ApiGateway::DomainName',
  'AWS::ApiGateway::RestApi',
  'AWS::ApiGateway::Stage',
  'AWS::ApiGateway::UsagePlan',
  'AWS::CloudFront::Distribution',
  'AWS::Lambda::EventSourceMapping',
  'AWS::WAFv2::WebACL',
];
/** Types that are reached through another resource of the stage alone, or that CloudFront keeps while it uses them. */
const BY_ANOTHER =
  /^AWS::(ApiGateway::(Authorizer|BasePathMapping|Deployment|GatewayResponse|Method|Resource)|CloudFront::(OriginAccessControl|ResponseHeadersPolicy)|IAM::Policy|Lambda::(Alias|EventInvokeConfig|Permission|Version)|Logs::MetricFilter|S3::BucketPolicy|SNS::(Subscription|TopicPolicy)|SQS::QueuePolicy|WAFv2::(LoggingConfiguration|WebACLAssociation)|Glue::Table)$/;

const applicationOf = (stage: string): string =>
  withType(stages[stage as keyof typeof stages], 'AWS::CodeDeploy::Application')
    .map(({ properties }) => String(properties.ApplicationName))
    .join();

const nameOf = ({ stack, id, type, properties }: Resource, stage: string): string => {
  const fixed = properties.Name ?? properties[`${type.split('::')[2]}Name`];
  if (type === 'AWS::CodeDeploy::DeploymentGroup') return `${applicationOf(stage)}/${fixed}`;
  if (fixed === undefined) return `pcd-${stage}-${stack}-${id}-1ABCDEF`;
  return typeof fixed === 'string' ? fixed : `API-Gateway-Execution-Logs_a1b2c3/${stage}`;
};

const stages = {
  prod: sharedStacks('prod', PROD_SETTINGS).resources,
  dev: sharedStacks('dev', MOST_SETTINGS).resources,
};
const arnsOf = (stage: 'dev' | 'prod'): string[] => [
  ...stages[stage].flatMap((resource) => {
    const arn = BY_NAME[resource.type];
    return arn === undefined ? [] : [`arn:aws:${arn(nameOf(resource, stage))}`];
  }),
  `arn:aws:glue:${PLACE}:database/pcd_${stage}`,
  `arn:aws:cloudformation:${PLACE}:stack/pcd-${stage}-data/1-2-3`,
  `arn:aws:cloudformation:${PLACE}:stack/CDKToolkit-pcd-${stage}/1-2-3`,
  `arn:aws:iam::111122223333:role/cdk-pcd${stage}-deploy-role-111122223333-eu-north-1`,
  `arn:aws:s3:::cdk-pcd${stage}-assets-111122223333-eu-north-1`,
  `arn:aws:secretsmanager:${PLACE}:secret:pcd/${stage}/census-api-key-AbCdEf`,
];
const isDenied = (arn: string): boolean => denied.some((pattern) => takes(pattern, arn));

describe('the boundary of dev', () => {
  it('denies every resource of prod by name, and no resource of dev', () => {
    expect(arnsOf('prod').length).toBeGreaterThan(100);
    expect(arnsOf('prod').filter((arn) => !isDenied(arn))).toEqual([]);
    expect(arnsOf('dev').filter(isDenied)).toEqual([]);
  });

  it('leaves out no type of resource: each has its name, its tag, or another resource in front of it', () => {
    const others = stages.prod
      .map(({ type }) => type)
      .filter((type) => !(type in BY_NAME) && !BY_TAG.includes(type) && !BY_ANOTHER.test(type));
    expect([...new Set(others)]).toEqual(['AWS::Glue::Database']);
    const byTag = statements.filter(({ Condition }) =>
      JSON.stringify(Condition ?? '').includes('ResourceTag'),
    );
    expect(byTag.map(({ Effect, Action, Resource }) => [Effect, Action, Resource])).toEqual([
      ['Deny', '*', '*'],
      ['Deny', '*', '*'],
    ]);
  });

  it('bounds every role that dev makes, and fits into one managed policy', () => {
    const unbounded = withType(stages.dev, 'AWS::IAM::Role').filter(
      ({ properties }) =>
        !JSON.stringify(at(properties.PermissionsBoundary) ?? '').includes(':policy/pcd-dev-boundary'),
    );
    expect(unbounded).toEqual([]);
    // IAM counts no white space.
    expect(text.replaceAll(/\s/g, '').length).toBeLessThanOrEqual(6144);
  });
});

describe.each(['dev', 'prod'] as const)('the stacks of %s', (stage) => {
  it('are deployed by the roles of their own bootstrap', () => {
    const { outdir } = sharedStacks(stage);
    const { artifacts } = JSON.parse(readFileSync(`${outdir}/manifest.json`, 'utf8')) as {
      readonly artifacts: Readonly<Record<string, { readonly properties?: Record<string, unknown> }>>;
    };
    const roles = Object.values(artifacts).flatMap(({ properties = {} }) =>
      Object.entries(properties).filter(([name]) => /RoleArn$/.test(name)),
    );
    expect(roles.length).toBeGreaterThan(0);
    expect(roles.filter(([, arn]) => !String(arn).includes(`:role/cdk-pcd${stage}-`))).toEqual([]);
  });
});
