/** Rules for what is stored: encrypted, private, retained in production, and deleted with its stack elsewhere. */
import { at, listAt, objectAt, ofType, type Resource, refersTo } from '../../builders/stacks.ts';
import { type Rule, unless } from './rule.ts';

const TABLE = 'AWS::DynamoDB::Table';
const BUCKET = 'AWS::S3::Bucket';
const STORES = [TABLE, BUCKET, 'AWS::Logs::LogGroup'];

/** Whether a policy refuses requests to `id` that do not come over TLS. */
const refusesPlainText = (policies: readonly Resource[], id: string): boolean =>
  policies
    .filter(({ properties }) => refersTo(properties, id))
    .flatMap(({ properties }) => listAt(properties.PolicyDocument, 'Statement'))
    .some(
      (statement) =>
        at(statement, 'Effect') === 'Deny' &&
        at(statement, 'Condition', 'Bool', 'aws:SecureTransport') === 'false',
    );

export const dataRules = {
  'every table is encrypted, restorable to a point in time and paid by request': (resources) =>
    unless(
      ofType(resources, TABLE),
      'not encrypted, restorable or on demand',
      ({ properties }) =>
        at(properties.SSESpecification, 'SSEEnabled') === true &&
        at(properties.PointInTimeRecoverySpecification, 'PointInTimeRecoveryEnabled') === true &&
        properties.BillingMode === 'PAY_PER_REQUEST',
    ),

  'production keeps its data, other stages leave nothing': (resources, stage) => [
    ...unless(
      ofType(resources, ...STORES),
      'retained or deleted against the rule of its stage',
      ({ deletionPolicy, updateReplacePolicy }) =>
        deletionPolicy === (stage === 'prod' ? 'RetainExceptOnCreate' : 'Delete') &&
        updateReplacePolicy === (stage === 'prod' ? 'Retain' : 'Delete'),
    ),
    ...unless(
      ofType(resources, TABLE),
      'deletion protection against the rule of its stage',
      ({ properties }) => Boolean(properties.DeletionProtectionEnabled) === (stage === 'prod'),
    ),
  ],

  'every bucket is private, encrypted and reached over TLS only': (resources) =>
    unless(ofType(resources, BUCKET), 'open, plain, or reached without TLS', ({ id, properties }) => {
      const block = objectAt(properties.PublicAccessBlockConfiguration);
      const blocks = ['BlockPublicAcls', 'BlockPublicPolicy', 'IgnorePublicAcls', 'RestrictPublicBuckets'];
      return (
        blocks.every((name) => block[name] === true) &&
        listAt(properties.BucketEncryption, 'ServerSideEncryptionConfiguration').length > 0 &&
        refusesPlainText(ofType(resources, 'AWS::S3::BucketPolicy'), id)
      );
    }),

  'a bucket is versioned, or forgets': (resources) =>
    unless(
      ofType(resources, BUCKET),
      'neither versioned nor expiring',
      ({ properties }) =>
        at(properties.VersioningConfiguration, 'Status') === 'Enabled' ||
        listAt(properties.LifecycleConfiguration, 'Rules').some(
          (rule) => at(rule, 'ExpirationInDays') !== undefined,
        ),
    ),

  'queues and topics are reached over TLS only, and queues are encrypted': (resources) => [
    ...unless(
      ofType(resources, 'AWS::SQS::Queue'),
      'plain, or reached without TLS',
      ({ id, properties }) =>
        properties.SqsManagedSseEnabled === true &&
        refusesPlainText(ofType(resources, 'AWS::SQS::QueuePolicy'), id),
    ),
    ...unless(ofType(resources, 'AWS::SNS::Topic'), 'reached without TLS', ({ id }) =>
      refusesPlainText(ofType(resources, 'AWS::SNS::TopicPolicy'), id),
    ),
  ],
} satisfies Record<string, Rule>;
