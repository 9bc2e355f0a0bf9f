/** A schedule that invokes one function and may do nothing else, and the sources that have schedules. */
import { Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

/** The part of a source's declaration that the stacks need. */
export interface ScheduledSource {
  readonly id: string;
  readonly everyMinutes: number;
  readonly freshnessBudgetMinutes: number;
  /** Name of the secret it cannot fetch without, if any. */
  readonly secret?: string;
  /** Its publisher has taken it offline: no stage fetches it. */
  readonly gone?: object;
  /** The feeds that its upstream merges, by which an operator can exclude rows. */
  readonly feeds?: readonly { readonly name: string }[];
}

/** The scheduler only hands the event over; it tries again when Lambda does not take it, which is rare. */
const HAND_OVER_RETRIES = 2;
/** A run begins at most this much later than its time, and at most a fifth of its period. */
const MAX_WINDOW_MINUTES = 5;

/** The right to invoke `lambda` and to leave undeliverable events in `deadLetters`. */
export class ScheduleRole extends Role {
  constructor(scope: Construct, id: string, lambda: IFunction, deadLetters: IQueue) {
    super(scope, id, {
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
  }
}

export interface ScheduleProps {
  readonly description: string;
  readonly everyMinutes: number;
  readonly enabled: boolean;
  readonly lambda: IFunction;
  readonly role: ScheduleRole;
  readonly deadLetters: IQueue;
  /** The event that the function is invoked with. */
  readonly input: object;
}

/** The scheduler's words for a period; it insists on the singular of one. */
const rate = (minutes: number): string => `rate(${minutes} ${minutes === 1 ? 'minute' : 'minutes'})`;

export class Schedule extends Construct {
  constructor(scope: Construct, id: string, props: ScheduleProps) {
    super(scope, id);
    new CfnSchedule(this, 'Schedule', {
      description: props.description,
      // The scheduler begins at once; it does not wait for the first period to pass.
      state: props.enabled ? 'ENABLED' : 'DISABLED',
      scheduleExpression: rate(props.everyMinutes),
      // Schedules of one deployment begin together; spread out, they fit into an account's first ten concurrent functions.
      flexibleTimeWindow: {
        mode: 'FLEXIBLE',
        maximumWindowInMinutes: Math.min(MAX_WINDOW_MINUTES, Math.ceil(props.everyMinutes / 5)),
      },
      target: {
        arn: props.lambda.functionArn,
        roleArn: props.role.roleArn,
        input: JSON.stringify(props.input),
        deadLetterConfig: { arn: props.deadLetters.queueArn },
        retryPolicy: {
          maximumRetryAttempts: HAND_OVER_RETRIES,
          // Later than the next one it would only be done twice.
          maximumEventAgeInSeconds: Math.min(86_400, Math.max(60, props.everyMinutes * 60)),
        },
      },
    });
  }
}

/** Runs a function of a stack regularly, whatever else starts it. */
export function runRegularly(
  scope: Construct,
  id: string,
  props: Omit<ScheduleProps, 'role' | 'input'>,
): void {
  const role = new ScheduleRole(scope, 'ScheduleRole', props.lambda, props.deadLetters);
  new Schedule(scope, id, { ...props, role, input: { reason: 'schedule' } });
}
