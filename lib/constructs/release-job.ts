/** The function that writes a release of the dataset every day, and the alarm when it has not for three days. */
import { Duration } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { RELEASE_USES } from '../../core/release/store-tables.ts';
import { acknowledge } from '../acknowledgements.ts';
import { HandlerFunction, type StackFunctionDefaults } from './handler-function.ts';
import { SilenceAlarm } from './runbook-alarm.ts';
import { runRegularly } from './schedule.ts';

const EVERY_MINUTES = 24 * 60;

export interface ReleaseJobProps extends StackFunctionDefaults {
  readonly bucket: Bucket;
  /** Address of the dataset, with a slash at its end. */
  readonly address: string;
}

export class ReleaseJob extends Construct {
  readonly lambda: IFunction;

  constructor(scope: Construct, id: string, props: ReleaseJobProps) {
    super(scope, id);
    const { bucket, address, config, deadLetters, alarmTopics: topics } = props;
    const { lambda } = new HandlerFunction(this, 'Release', {
      ...props,
      handler: 'release',
      description: 'Writes the release of the day of the dataset',
      memoryMb: 1024,
      timeout: Duration.minutes(15),
      uses: RELEASE_USES,
      environment: { RELEASE_BUCKET: bucket.bucketName, DATASET_ADDRESS: address },
      errorAlarm: true,
    });
    this.lambda = lambda;
    const grant = (actions: string[], resourceArn: string) =>
      Grant.addToPrincipal({ grantee: lambda, actions, resourceArns: [resourceArn] });
    // Without the right to list, S3 says "forbidden" of an object that is not there.
    grant(['s3:ListBucket'], bucket.bucketArn);
    grant(['s3:GetObject', 's3:PutObject'], bucket.arnForObjects('data/*'));
    acknowledge(this, 'objects', ['Resource::<Releases.Arn>/data/*']);
    runRegularly(this, 'Daily', {
      description: 'Writes the release of the day',
      everyMinutes: EVERY_MINUTES,
      enabled: config.schedules,
      lambda,
      deadLetters,
    });
    if (config.schedules)
      new SilenceAlarm(this, 'Silent', {
        lambda,
        everyMinutes: EVERY_MINUTES,
        kind: 'release',
        meaning: 'No release of the dataset has been written for three days.',
        topics,
      });
  }
}
