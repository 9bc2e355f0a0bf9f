/** An alarm that says what is wrong and links the runbook section on what to do; both are required. */
import { Alarm, type AlarmProps, type IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { type RunbookHeading, runbookLink } from '../runbook.ts';

export interface RunbookAlarmProps extends Omit<AlarmProps, 'alarmDescription' | 'actionsEnabled'> {
  readonly runbook: RunbookHeading;
  /** One sentence for the person on call. */
  readonly meaning: string;
  /** Topic that is notified of the alarm and of its end. Absent only for parts of a composite alarm. */
  readonly topic?: ITopic;
}

export const describeAlarm = (meaning: string, runbook: RunbookHeading): string =>
  `${meaning} Runbook: ${runbookLink(runbook)}`;

/** Notifies `topic` when `alarm` begins and when it ends. */
export function notify(alarm: IAlarm & Pick<Alarm, 'addAlarmAction' | 'addOkAction'>, topic: ITopic): void {
  const action = new SnsAction(topic);
  alarm.addAlarmAction(action);
  alarm.addOkAction(action);
}

export class RunbookAlarm extends Alarm {
  constructor(scope: Construct, id: string, { runbook, meaning, topic, ...props }: RunbookAlarmProps) {
    super(scope, id, { ...props, alarmDescription: describeAlarm(meaning, runbook) });
    if (topic !== undefined) notify(this, topic);
  }
}
