/**
 * The resources that must never be replaced: another logical id gives the API a new address, takes every key off its
 * plan, or leaves the data behind in a table that nothing reads. Their logical ids do not follow from the place of a
 * construct in the tree, so renaming or moving a construct changes nothing.
 */
import { CfnResource } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { StageConfig } from './stage-config.ts';

/** Resource types by logical id, by stack. Take nothing out of this list, and rename nothing in it. */
export const PINNED = {
  data: {
    Alarms: 'AWS::SNS::Topic',
    AlertsTable: 'AWS::DynamoDB::Table',
    ApiKeysTable: 'AWS::DynamoDB::Table',
    DailyMetricsTable: 'AWS::DynamoDB::Table',
    ImportIndexTable: 'AWS::DynamoDB::Table',
    ImportValuesTable: 'AWS::DynamoDB::Table',
    PortCallsTable: 'AWS::DynamoDB::Table',
    PortClocksTable: 'AWS::DynamoDB::Table',
    PortsTable: 'AWS::DynamoDB::Table',
    RateLimitsTable: 'AWS::DynamoDB::Table',
    RawArchive: 'AWS::S3::Bucket',
    RawArchiveAccessLog: 'AWS::S3::Bucket',
    SourceStatusTable: 'AWS::DynamoDB::Table',
    StayDaysTable: 'AWS::DynamoDB::Table',
    WaitDaysTable: 'AWS::DynamoDB::Table',
  },
  api: {
    Api: 'AWS::ApiGateway::RestApi',
    LitePlan: 'AWS::ApiGateway::UsagePlan',
    ProPlan: 'AWS::ApiGateway::UsagePlan',
    Stage: 'AWS::ApiGateway::Stage',
    StarterPlan: 'AWS::ApiGateway::UsagePlan',
  },
} as const;

export type PinnedId = keyof typeof PINNED.data | keyof typeof PINNED.api;

/**
 * Gives the resource behind `construct` its pinned logical id, and the removal policy of the stage: prod keeps it when
 * its stack is deleted or an update would replace it, and deletes it only when its first creation fails.
 */
export function pin(construct: Construct, id: PinnedId, { removalPolicy }: StageConfig): void {
  const resource = construct.node.defaultChild;
  if (!(resource instanceof CfnResource)) throw new Error(`${construct.node.path} is not one resource`);
  resource.overrideLogicalId(id);
  resource.applyRemovalPolicy(removalPolicy);
}
