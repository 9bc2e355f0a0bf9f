/**
 * The resources that must never be replaced: another logical id gives the API or the portal a new address, takes every key
 * off its plan, or leaves the data behind in a table or bucket that nothing reads. Their logical ids do not follow from the place of a
 * construct in the tree, so renaming or moving a construct changes nothing.
 */
import { CfnResource } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { StageConfig } from './stage-config.ts';

/** Resource types by logical id, by stack. Take nothing out of this list, and rename nothing in it. */
export const PINNED = {
  data: {
    Alarms: 'AWS::SNS::Topic',
    AlertFeedTable: 'AWS::DynamoDB::Table',
    AlertsTable: 'AWS::DynamoDB::Table',
    ApiKeysTable: 'AWS::DynamoDB::Table',
    DailyMetricsTable: 'AWS::DynamoDB::Table',
    ForecastsTable: 'AWS::DynamoDB::Table',
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
    VintagesTable: 'AWS::DynamoDB::Table',
    WaitDaysTable: 'AWS::DynamoDB::Table',
  },
  api: {
    Api: 'AWS::ApiGateway::RestApi',
    CustomDomain50EDADAC: 'AWS::ApiGateway::DomainName',
    LitePlan: 'AWS::ApiGateway::UsagePlan',
    ProPlan: 'AWS::ApiGateway::UsagePlan',
    Stage: 'AWS::ApiGateway::Stage',
    StarterPlan: 'AWS::ApiGateway::UsagePlan',
  },
  portal: {
    PortalDistribution29412EF8: 'AWS::CloudFront::Distribution',
    PortalFilesA1E38FB9: 'AWS::S3::Bucket',
    PortalLogs26A5BB73: 'AWS::S3::Bucket',
    Releases: 'AWS::S3::Bucket',
  },
} as const;

type Pinned = typeof PINNED;
export type PinnedId = { [Stack in keyof Pinned]: keyof Pinned[Stack] }[keyof Pinned];

/** `dailyMetrics` as `DailyMetrics`: the form of names in templates. */
export const titled = <Id extends string>(id: Id): Capitalize<Id> =>
  (id.charAt(0).toUpperCase() + id.slice(1)) as Capitalize<Id>;

const findResource = (construct: Construct): CfnResource => {
  const resource = construct.node.defaultChild;
  if (resource instanceof CfnResource) return resource;
  throw new Error(`${construct.node.path} is not one resource`);
};

/** Gives the resource behind `construct` its pinned logical id. It goes when its stack is deleted. */
export const pin = (construct: Construct, id: PinnedId): void =>
  findResource(construct).overrideLogicalId(id);

/**
 * Pins the resource behind `construct` and gives it the removal policy of the stage: prod keeps it when its stack is
 * deleted or an update would replace it, and deletes it only when its first creation fails.
 */
export function keep(construct: Construct, id: PinnedId, config: StageConfig): void {
  pin(construct, id);
  keepWithin(construct, config);
}

/** As `keep` does, for a resource that what is kept cannot be without. Its id may change: each version of it is kept. */
export const keepWithin = (construct: Construct, { removalPolicy }: StageConfig): void =>
  findResource(construct).applyRemovalPolicy(removalPolicy);
