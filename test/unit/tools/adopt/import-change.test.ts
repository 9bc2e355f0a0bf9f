/** The import of what a deleted prod stack left, made from the templates of the stage. */
import { describe, expect, it } from '@jest/globals';
import { importChange } from '../../../../tools/adopt/import-change.ts';

const TEMPLATE = {
  Resources: {
    Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { Name: 'port-congestion-prod' } },
    Methods: { Type: 'AWS::ApiGateway::Method', Properties: { RestApiId: { Ref: 'Api' } } },
    Deployment1: {
      Type: 'AWS::ApiGateway::Deployment',
      DependsOn: ['Methods'],
      Properties: { RestApiId: { Ref: 'Api' } },
    },
    Stage: {
      Type: 'AWS::ApiGateway::Stage',
      DependsOn: ['Log', 'Methods'],
      Properties: {
        RestApiId: { Ref: 'Api' },
        StageName: 'prod',
        DeploymentId: { Ref: 'Deployment1' },
        AccessLogSetting: { DestinationArn: { 'Fn::GetAtt': ['AccessLog', 'Arn'] }, Format: '{}' },
        TracingEnabled: false,
      },
    },
    Plan: {
      Type: 'AWS::ApiGateway::UsagePlan',
      Properties: { ApiStages: [{ ApiId: { Ref: 'Api' }, Stage: { Ref: 'Stage' } }], UsagePlanName: 'Pro' },
    },
    Log: {
      Type: 'AWS::Logs::LogGroup',
      Properties: {
        LogGroupName: { 'Fn::Join': ['', ['API-Gateway-Execution-Logs_', { Ref: 'Api' }, '/prod']] },
      },
    },
    AccessLog: { Type: 'AWS::Logs::LogGroup', Properties: { RetentionInDays: 90 } },
    Topic: {
      Type: 'AWS::SNS::Topic',
      Properties: {
        TopicName: 'x',
        KmsMasterKeyId: { 'Fn::GetStackOutput': { StackName: 's', OutputName: 'o' } },
      },
    },
  },
  Outputs: { ApiId: { Value: { Ref: 'Api' } } },
};

const left = (...rows: readonly (readonly [string, string, string, string?])[]) => ({
  StackResourceSummaries: rows.map(
    ([LogicalResourceId, ResourceType, PhysicalResourceId, ResourceStatus]) => ({
      LogicalResourceId,
      ResourceType,
      PhysicalResourceId,
      ResourceStatus: ResourceStatus ?? 'DELETE_SKIPPED',
    }),
  ),
});

const LEFT = left(
  ['Api', 'AWS::ApiGateway::RestApi', 'a1b2'],
  ['Stage', 'AWS::ApiGateway::Stage', 'prod'],
  ['Plan', 'AWS::ApiGateway::UsagePlan', 'plan7'],
  ['Log', 'AWS::Logs::LogGroup', 'API-Gateway-Execution-Logs_a1b2/prod'],
  ['Topic', 'AWS::SNS::Topic', 'arn:aws:sns:eu-north-1:1:Alarms'],
  ['Deployment0', 'AWS::ApiGateway::Deployment', 'd0'],
  ['Deployment1', 'AWS::ApiGateway::Deployment', 'd1'],
  ['AccessLog', 'AWS::Logs::LogGroup', 'group', 'DELETE_COMPLETE'],
);

describe('the import', () => {
  const { template, resources, leftOut } = importChange(TEMPLATE, LEFT);

  it('names each resource by the properties that identify its type', () => {
    expect(
      Object.fromEntries(
        resources.map((resource) => [resource.LogicalResourceId, resource.ResourceIdentifier]),
      ),
    ).toEqual({
      Api: { RestApiId: 'a1b2' },
      Stage: { RestApiId: 'a1b2', StageName: 'prod' },
      Plan: { Id: 'plan7' },
      Log: { LogGroupName: 'API-Gateway-Execution-Logs_a1b2/prod' },
      Topic: { TopicArn: 'arn:aws:sns:eu-north-1:1:Alarms' },
    });
  });

  it('states nothing that refers to what the stack has not yet got', () => {
    const kept = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' };
    expect(template.Resources).toEqual({
      Api: { Type: 'AWS::ApiGateway::RestApi', ...kept, Properties: { Name: 'port-congestion-prod' } },
      Stage: {
        Type: 'AWS::ApiGateway::Stage',
        ...kept,
        Properties: { RestApiId: { Ref: 'Api' }, StageName: 'prod', TracingEnabled: false },
      },
      Plan: { Type: 'AWS::ApiGateway::UsagePlan', ...kept, Properties: TEMPLATE.Resources.Plan.Properties },
      Log: { Type: 'AWS::Logs::LogGroup', ...kept, Properties: TEMPLATE.Resources.Log.Properties },
      Topic: { Type: 'AWS::SNS::Topic', ...kept, Properties: { TopicName: 'x' } },
    });
  });

  it('leaves old deployments of the API out, because they call functions that are gone', () => {
    expect(leftOut).toEqual([
      'Deployment0 (AWS::ApiGateway::Deployment)',
      'Deployment1 (AWS::ApiGateway::Deployment)',
    ]);
  });
});

it('a listing with nothing that the template needs is refused', () => {
  expect(() => importChange(TEMPLATE, left(['Gone', 'AWS::S3::Bucket', 'b']))).toThrow(
    'nothing that was left',
  );
  expect(() => importChange(TEMPLATE, { StackSummaries: [] })).toThrow();
});
