/** The function that writes the public status file. */
import { Duration } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { STATUS_FILE } from '../../core/contracts/status.ts';
import { HandlerFunction, type StackFunctionDefaults } from './handler-function.ts';
import { runRegularly } from './schedule.ts';

const EVERY_MINUTES = 5;

export interface StatusJobProps extends StackFunctionDefaults {
  readonly bucket: Bucket;
}

export class StatusJob extends Construct {
  constructor(scope: Construct, id: string, props: StatusJobProps) {
    super(scope, id);
    const { bucket, config, deadLetters } = props;
    const { lambda } = new HandlerFunction(this, 'Status', {
      ...props,
      handler: 'status',
      description: 'Writes the public status of the sources',
      memoryMb: 256,
      timeout: Duration.minutes(1),
      uses: { sourceStatus: 'scan' },
      environment: { STATUS_BUCKET: bucket.bucketName },
      errorAlarm: true,
    });
    const resourceArns = [bucket.arnForObjects(STATUS_FILE.slice(1))];
    Grant.addToPrincipal({ grantee: lambda, actions: ['s3:PutObject'], resourceArns });
    runRegularly(this, 'Regularly', {
      description: 'Writes the status of the sources',
      everyMinutes: EVERY_MINUTES,
      enabled: config.schedules,
      lambda,
      deadLetters,
    });
  }
}
