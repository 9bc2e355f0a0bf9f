/** Logical ids that must never change: a changed one replaces the API, takes keys off their plans, or loses data. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { CfnResource, Stack } from 'aws-cdk-lib';
import type { StageName } from '../../lib/stage-config.ts';
import { PROD_SETTINGS, sharedStacks, withType } from '../builders/stacks.ts';
import { createTestApp } from '../builders/synthesis.ts';

/** Take nothing out of this list, and rename nothing in it: each is an id that is deployed, with its type, by stack. */
const DEPLOYED = [
  'api Api AWS::ApiGateway::RestApi',
  'api CustomDomain50EDADAC AWS::ApiGateway::DomainName',
  'api LitePlan AWS::ApiGateway::UsagePlan',
  'api ProPlan AWS::ApiGateway::UsagePlan',
  'api Stage AWS::ApiGateway::Stage',
  'api StarterPlan AWS::ApiGateway::UsagePlan',
  'data Alarms AWS::SNS::Topic',
  'data AlertFeedTable AWS::DynamoDB::Table',
  'data AlertsTable AWS::DynamoDB::Table',
  'data ApiKeysTable AWS::DynamoDB::Table',
  'data DailyMetricsTable AWS::DynamoDB::Table',
  'data ForecastsTable AWS::DynamoDB::Table',
  'data ImportIndexTable AWS::DynamoDB::Table',
  'data ImportValuesTable AWS::DynamoDB::Table',
  'data Pages AWS::SNS::Topic',
  'data PortCallsTable AWS::DynamoDB::Table',
  'data PortClocksTable AWS::DynamoDB::Table',
  'data PortsTable AWS::DynamoDB::Table',
  'data RaisedAlertsTable AWS::DynamoDB::Table',
  'data RateLimitsTable AWS::DynamoDB::Table',
  'data RawArchive AWS::S3::Bucket',
  'data RawArchiveAccessLog AWS::S3::Bucket',
  'data SourceStatusTable AWS::DynamoDB::Table',
  'data StayDaysTable AWS::DynamoDB::Table',
  'data VintagesTable AWS::DynamoDB::Table',
  'data WaitDaysTable AWS::DynamoDB::Table',
  'portal PortalDistribution29412EF8 AWS::CloudFront::Distribution',
  'portal PortalFilesA1E38FB9 AWS::S3::Bucket',
  'portal PortalLogs26A5BB73 AWS::S3::Bucket',
  'portal Releases AWS::S3::Bucket',
];

const PINNED_TYPES = new Set(DEPLOYED.map((line) => line.split(' ')[2]));
const domain = {
  domainName: 'api.example.org',
  certificateArn: 'arn:aws:acm:eu-north-1:111122223333:certificate/0',
};

/** The tree of a stage with all that it can have, and the resources of the pinned types in it. */
function treeOf(stage: StageName) {
  const { app } = createTestApp(stage, domain);
  const constructs = app.node.findAll();
  const isPinned = (construct: object): construct is CfnResource =>
    construct instanceof CfnResource && PINNED_TYPES.has(construct.cfnResourceType);
  return { constructs, pinned: constructs.filter(isPinned) };
}

const idOf = (resource: CfnResource): string => resource.stack.resolve(resource.logicalId);

/** Part of the application, logical id and type. */
const lineOf = (resource: CfnResource): string =>
  `${resource.stack.stackName.split('-').at(-1)} ${idOf(resource)} ${resource.cfnResourceType}`;

describe.each(['dev', 'prod'] as const)('%s', (stage) => {
  const { constructs, pinned } = treeOf(stage);

  it('has every pinned resource under its id, and no other of these types', () => {
    expect(pinned.map(lineOf).sort()).toEqual(DEPLOYED);
  });

  it('keeps the ids whichever construct of the tree is renamed', () => {
    const deployed = pinned.map(idOf);
    const others = constructs.filter((construct) => !(construct instanceof Stack) && construct.node.scope);
    expect(others.length).toBeGreaterThan(500);
    for (const { node } of others) {
      const { id } = node;
      Object.assign(node, { id: `${id}Renamed` });
      const below = pinned.filter((resource) => resource.node.scopes.some((scope) => scope.node === node));
      expect([node.path, below.map(idOf)]).toEqual([
        node.path,
        below.map((resource) => deployed[pinned.indexOf(resource)]),
      ]);
      Object.assign(node, { id });
    }
  });
});

it('the plan of prod is refused where it would lose a resource of a pinned type', () => {
  const script = readFileSync(new URL('../../.github/refuse-loss.sh', import.meta.url), 'utf8');
  const [, types = ''] = /^types='(.+)'$/m.exec(script) ?? [];
  expect(types).not.toBe('');
  expect([...PINNED_TYPES].filter((type) => !new RegExp(`^${types}$`).test(String(type)))).toEqual([]);
});

/** Types with a property that is a name of our own, unique in its account and region. */
const NAMES: Readonly<Record<string, string>> = {
  'AWS::ApiGateway::DomainName': 'DomainName',
  'AWS::CloudWatch::Dashboard': 'DashboardName',
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::Synthetics::Canary': 'Name',
};

describe('a resource that exists once', () => {
  const { resources } = sharedStacks('prod', PROD_SETTINGS);

  // CloudFormation makes the resource of a new id before it deletes the one of the old: the name is taken, and the update fails.
  it('keeps its logical id where its name is fixed', () => {
    const named = withType(resources, ...Object.keys(NAMES)).filter(
      ({ type, properties }) => properties[NAMES[type] ?? ''] !== undefined,
    );
    expect(named.map(({ stack, id, type }) => `${stack} ${id} ${type}`).sort()).toEqual([
      'api CustomDomain50EDADAC AWS::ApiGateway::DomainName',
      'api Dashboard7A714131 AWS::CloudWatch::Dashboard',
      'api HealthCanary3A54441D AWS::Synthetics::Canary',
      'api KeyReconciliationKeySyncFunction522584E6 AWS::Lambda::Function',
      'api RestExecutionLogA24E8C9E AWS::Logs::LogGroup',
      'api RestFirewallLogE00B809C AWS::Logs::LogGroup',
    ]);
  });

  it('keeps its place below the API, from which the ids of paths and gateway responses come', () => {
    const below = withType(resources, 'AWS::ApiGateway::Resource', 'AWS::ApiGateway::GatewayResponse');
    expect(below.length).toBeGreaterThan(30);
    expect(below.filter(({ id }) => !id.startsWith('RestApi'))).toEqual([]);
  });
});
