/** Schedules. Each may invoke its own function and nothing else. */
import { Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

/** The scheduler only hands the event over; it tries again when Lambda does not take it, which is rare. */
const HAND_OVER_RETRIES = 2;
/** A run begins at most this much later than its time, and at most a fifth of its period. */
const MAX_WINDOW_MINUTES = 5;

interface ScheduleProps {
  readonly description: string;
  readonly everyMinutes: number;
  readonly enabled: boolean;
  readonly lambda: IFunction;
  readonly deadLetters: IQueue;
}

/** The right to invoke a function and to leave undeliverable events in `deadLetters`. */
export const addScheduleRole = (
  scope: Construct,
  { lambda, deadLetters }: Pick<ScheduleProps, 'lambda' | 'deadLetters'>,
): Role =>
  new Role(scope, 'ScheduleRole', {
    // The condition keeps schedules of other accounts from borrowing the role.
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
    inlinePolicies: {
      Invoke: new PolicyDocument({
        statements: [
          new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [lambda.functionArn] }),
          new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [deadLetters.queueArn] }),
        ],
      }),
    },
  });

/** The scheduler's words for a period; it insists on the singular of one. */
const rate = (minutes: number): string => `rate(${minutes} ${minutes === 1 ? 'minute' : 'minutes'})`;

/** @param input the event that the function is invoked with */
export function addSchedule(
  parent: Construct,
  id: string,
  { description, everyMinutes, enabled, lambda, deadLetters }: ScheduleProps,
  { roleArn }: Role,
  input: object,
): void {
  new CfnSchedule(new Construct(parent, id), 'Schedule', {
    description,
    // The scheduler begins at once; it does not wait for the first period to pass.
    state: enabled ? 'ENABLED' : 'DISABLED',
    scheduleExpression: rate(everyMinutes),
    // Schedules of one deployment begin together; spread out, they fit into an account's first ten concurrent functions.
    flexibleTimeWindow: {
      mode: 'FLEXIBLE',
      maximumWindowInMinutes: Math.min(MAX_WINDOW_MINUTES, Math.ceil(everyMinutes / 5)),
    },
    target: {
      arn: lambda.functionArn,
      roleArn,
      input: JSON.stringify(input),
      deadLetterConfig: { arn: deadLetters.queueArn },
      retryPolicy: {
        maximumRetryAttempts: HAND_OVER_RETRIES,
        // Later than the next one it would only be done twice.
        maximumEventAgeInSeconds: Math.min(86_400, Math.max(60, everyMinutes * 60)),
      },
    },
  });
}

/** Runs a function of a stack regularly, whatever else starts it. */
export const runRegularly = (scope: Construct, id: string, props: ScheduleProps): void =>
  addSchedule(scope, id, props, addScheduleRole(scope, props), { reason: 'schedule' });
