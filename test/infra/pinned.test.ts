/** Logical ids that must never change: a changed one replaces the API, takes keys off their plans, or loses data. */
import { describe, expect, it } from '@jest/globals';
import { PINNED } from '../../lib/pinned.ts';
import { ofType, synthesizeStacks } from '../builders/stacks.ts';

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

it('the list and the deployed ids are the same', () => {
  const listed = Object.entries(PINNED).flatMap(([stack, ids]) =>
    Object.entries(ids).map(([id, type]) => `${stack} ${id} ${type}`),
  );
  expect(listed.sort()).toEqual(DEPLOYED);
});
