/** The functions that write below `data/` of the releases' bucket: the release of a day, and the public status file. */
import { Duration, type Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { STATUS_FILE } from '../../core/contracts/published-files.ts';
import { RELEASE_USES } from '../../core/release/store-tables.ts';
import { acceptWildcards, allow } from '../rights.ts';
import { addFunction, type StackFunctionDefaults } from './handler-function.ts';
import { addSilenceAlarm } from './runbook-alarm.ts';
import { runRegularly } from './schedule.ts';

const RELEASE_EVERY_MINUTES = 24 * 60;
const STATUS_EVERY_MINUTES = 5;

/** @param address of the dataset, with a slash at its end */
export function addReleaseJob(
  stack: Stack,
  defaults: StackFunctionDefaults,
  bucket: Bucket,
  address: string,
): IFunction {
  const { config, topics } = defaults;
  const scope = new Construct(stack, 'Dataset');
  const lambda = addFunction(scope, 'Release', {
    ...defaults,
    handler: 'release',
    description: 'Writes the release of the day of the dataset',
    memoryMb: 1024,
    timeout: Duration.minutes(15),
    uses: RELEASE_USES,
    environment: { RELEASE_BUCKET: bucket.bucketName, DATASET_ADDRESS: address },
  });
  // Without the right to list, S3 says "forbidden" of an object that is not there.
  allow(lambda, ['s3:ListBucket'], bucket.bucketArn);
  allow(lambda, ['s3:GetObject', 's3:PutObject'], bucket.arnForObjects('data/*'));
  acceptWildcards(scope, 'objects', '<Releases.Arn>/data/*');
  runRegularly(scope, 'Daily', {
    ...defaults,
    description: 'Writes the release of the day',
    everyMinutes: RELEASE_EVERY_MINUTES,
    enabled: config.schedules,
    lambda,
  });
  if (config.schedules)
    addSilenceAlarm(scope, 'Silent', lambda, RELEASE_EVERY_MINUTES, {
      kind: 'release',
      meaning: 'No release of the dataset has been written for three days.',
      topics,
    });
  return lambda;
}

export function addStatusJob(stack: Stack, defaults: StackFunctionDefaults, bucket: Bucket): void {
  const scope = new Construct(stack, 'Status');
  const lambda = addFunction(scope, 'Status', {
    ...defaults,
    handler: 'status',
    description: 'Writes the public status of the sources',
    memoryMb: 256,
    timeout: Duration.minutes(1),
    uses: { sourceStatus: 'scan' },
    environment: { STATUS_BUCKET: bucket.bucketName },
  });
  allow(lambda, ['s3:PutObject'], bucket.arnForObjects(STATUS_FILE.slice(1)));
  runRegularly(scope, 'Regularly', {
    ...defaults,
    description: 'Writes the status of the sources',
    everyMinutes: STATUS_EVERY_MINUTES,
    enabled: defaults.config.schedules,
    lambda,
  });
}
