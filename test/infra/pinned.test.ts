/** Logical ids that must never change: a changed one replaces the API, takes keys off their plans, or loses data. */
import { describe, expect, it } from '@jest/globals';
import { PINNED } from '../../lib/pinned.ts';
import { ofType } from '../builders/stacks.ts';
import { synthesizeStacks } from '../builders/synthesis.ts';

/** Written out here as well, so that no single edit changes an id that is deployed. */
const DEPLOYED = [
  'api Api AWS::ApiGateway::RestApi',
  'api LitePlan AWS::ApiGateway::UsagePlan',
  'api ProPlan AWS::ApiGateway::UsagePlan',
  'api Stage AWS::ApiGateway::Stage',
  'api StarterPlan AWS::ApiGateway::UsagePlan',
  'data Alarms AWS::SNS::Topic',
  'data AlertsTable AWS::DynamoDB::Table',
  'data ApiKeysTable AWS::DynamoDB::Table',
  'data DailyMetricsTable AWS::DynamoDB::Table',
  'data ImportIndexTable AWS::DynamoDB::Table',
  'data ImportValuesTable AWS::DynamoDB::Table',
  'data PortCallsTable AWS::DynamoDB::Table',
  'data PortClocksTable AWS::DynamoDB::Table',
  'data PortsTable AWS::DynamoDB::Table',
  'data RateLimitsTable AWS::DynamoDB::Table',
  'data RawArchive AWS::S3::Bucket',
  'data RawArchiveAccessLog AWS::S3::Bucket',
  'data SourceStatusTable AWS::DynamoDB::Table',
  'data StayDaysTable AWS::DynamoDB::Table',
  'data WaitDaysTable AWS::DynamoDB::Table',
];

const KEPT_TYPES = [...new Set(Object.values(PINNED).flatMap((stack) => Object.values(stack)))];

describe.each(['dev', 'prod'] as const)('%s', (stage) => {
  const { resources } = synthesizeStacks(stage);
  const pinned = ofType(resources, ...KEPT_TYPES);

  it('has every pinned resource under its id, and no other of these types', () => {
    const found = pinned.map(({ stack, id, type }) => `${stack} ${id} ${type}`);
    expect(found.sort()).toEqual(DEPLOYED);
  });

  it(stage === 'prod' ? 'keeps them whatever happens to the stack' : 'takes them down with the stack', () => {
    const policies = new Set(
      pinned.map(({ deletionPolicy, updateReplacePolicy }) => `${deletionPolicy} ${updateReplacePolicy}`),
    );
    expect([...policies]).toEqual([stage === 'prod' ? 'RetainExceptOnCreate Retain' : 'Delete Delete']);
  });
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
  const { resources } = synthesizeStacks('prod', {
    canaryMinutes: '60',
    domainName: 'api.example.org',
    certificateArn: 'arn:aws:acm:eu-north-1:111122223333:certificate/0',
  });

  // CloudFormation makes the resource of a new id before it deletes the one of the old: the name is taken, and the update fails.
  it('keeps its logical id where its name is fixed', () => {
    const named = ofType(resources, ...Object.keys(NAMES)).filter(
      ({ type, properties }) => properties[NAMES[type] ?? ''] !== undefined,
    );
    expect(named.map(({ stack, id, type }) => `${stack} ${id} ${type}`).sort()).toEqual([
      'api CustomDomain50EDADAC AWS::ApiGateway::DomainName',
      'api Dashboard7A714131 AWS::CloudWatch::Dashboard',
      'api HealthCanary3A54441D AWS::Synthetics::Canary',
      'api KeyReconciliationKeySyncFunction522584E6 AWS::Lambda::Function',
      'api RestExecutionLogA24E8C9E AWS::Logs::LogGroup',
    ]);
  });

  it('keeps its place below the API, from which the ids of paths and gateway responses come', () => {
    const below = ofType(resources, 'AWS::ApiGateway::Resource', 'AWS::ApiGateway::GatewayResponse');
    expect(below.length).toBeGreaterThan(30);
    expect(below.filter(({ id }) => !id.startsWith('RestApi'))).toEqual([]);
  });
});

it('the list and the deployed ids are the same', () => {
  const listed = Object.entries(PINNED).flatMap(([stack, ids]) =>
    Object.entries(ids).map(([id, type]) => `${stack} ${id} ${type}`),
  );
  expect(listed.sort()).toEqual(DEPLOYED);
});
