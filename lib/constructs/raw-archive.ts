/**
 * The bucket with every upstream reply as it came, from which all tables can be rebuilt. No colder storage class: S3 moves no
 * objects under 128 KB, and these are smaller.
 */
import { CfnOutput, Duration, Fn, Stack, Token } from 'aws-cdk-lib';
import { ComparisonOperator, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type IBucket,
  type LifecycleRule,
  ReplicationTimeValue,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { KEY_COPY } from '../../core/access/administration.ts';
import { keep } from '../pinned.ts';
import { acceptWildcards, allow } from '../rights.ts';
import type { StageConfig } from '../stage-config.ts';
import { type AlarmTopics, RunbookAlarm } from './runbook-alarm.ts';

// What every bucket of a stage has: encrypted, private, and read over TLS 1.2 only.

export const CLOSED_BUCKET = {
  encryption: BucketEncryption.S3_MANAGED,
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  enforceSSL: true,
  minimumTLSVersion: 1.2,
} as const satisfies BucketProps;

const ARCHIVE_OUTPUT = 'RawArchiveName';
/** Time to notice a mistake. The state of live positions is overwritten with every poll, so longer would cost. */
const OVERWRITTEN_KEPT = Duration.days(30);
const ACCESS_LOG_KEPT = Duration.days(90);
const COPY_RULE = 'copy';
/** S3 copies most objects within fifteen minutes. */
const LAG = Duration.minutes(30);

/** Expires replies only. A state of positions stays, however old: after a publisher's pause the next day starts from it. */
const expiry = (expiration: Duration, sourceIds: readonly string[]): LifecycleRule[] => [
  ...sourceIds.map((id) => ({ prefix: `${id}/`, expiration })),
  { expiredObjectDeleteMarker: true },
];

export class RawArchive extends Construct {
  readonly bucket: Bucket;

  /** @param sourceIds the replies of a source are the objects below its id */
  constructor(stack: Stack, config: StageConfig, sourceIds: readonly string[], topics: AlarmTopics) {
    super(stack, 'RawArchive');
    const accessLog = new Bucket(this, 'AccessLog', {
      ...CLOSED_BUCKET,
      lifecycleRules: [{ expiration: ACCESS_LOG_KEPT }],
    });
    keep(accessLog, 'RawArchiveAccessLog', config);
    const copy = config.copyBucket && Bucket.fromBucketName(this, 'Copy', config.copyBucket);
    this.bucket = new Bucket(this, 'Bucket', {
      ...CLOSED_BUCKET,
      versioned: true,
      serverAccessLogsBucket: accessLog as IBucket,
      ...(copy && {
        replicationRules: [
          { id: COPY_RULE, destination: copy, metrics: ReplicationTimeValue.FIFTEEN_MINUTES },
        ],
      }),
      lifecycleRules: [
        {
          noncurrentVersionExpiration: OVERWRITTEN_KEPT,
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        },
        ...(config.archiveDays === undefined ? [] : expiry(Duration.days(config.archiveDays), sourceIds)),
      ],
    });
    keep(this.bucket, 'RawArchive', config);
    if (config.copyBucket !== undefined) {
      this.addLagAlarm(config.copyBucket, topics);
      const copied = `arn:aws:s3:::${config.copyBucket}/*`;
      acceptWildcards(this.bucket, 'objects', '<RawArchive.Arn>/*', copied);
    }
    new CfnOutput(stack, ARCHIVE_OUTPUT, {
      value: this.bucket.bucketName,
      description: 'S3 bucket with every upstream reply as it came',
    });
  }

  private addLagAlarm(copyBucket: string, topics: AlarmTopics): void {
    const { bucketName: SourceBucket } = this.bucket;
    new RunbookAlarm(this, 'CopyLags', {
      kind: 'copyLag',
      meaning: `An object of the archive has not been copied for ${LAG.toMinutes()} minutes.`,
      metric: new Metric({
        namespace: 'AWS/S3',
        metricName: 'ReplicationLatency',
        dimensionsMap: { SourceBucket, DestinationBucket: copyBucket, RuleId: COPY_RULE },
        statistic: 'Maximum',
      }),
      threshold: LAG.toSeconds(),
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      topics,
    });
  }

  /** The right to replace the list of the keys, and nothing else. */
  allowKeyCopy(lambda: LambdaFunction): void {
    allow(lambda, ['s3:PutObject'], this.bucket.arnForObjects(KEY_COPY));
  }

  /** The right to add replies, to list them and to read them back; never to delete one. */
  allow(lambda: LambdaFunction): void {
    allow(lambda, ['s3:ListBucket'], this.bucket.bucketArn);
    // By the documented output: the accepted finding has the reference in it, and one that the CDK makes has a hash for a name.
    const { stackName, partition } = Stack.of(this);
    const reference = Fn.getStackOutput(stackName, ARCHIVE_OUTPUT);
    const objects = `arn:${partition}:s3:::${reference}/*`;
    allow(lambda, ['s3:GetObject', 's3:PutObject'], objects);
    const written = JSON.stringify(Stack.of(lambda).resolve(reference));
    const place = Token.isUnresolved(partition) ? '<AWS::Partition>' : partition;
    acceptWildcards(lambda.node.scope ?? lambda, 'objects', `arn:${place}:s3:::${written}/*`);
  }
}
