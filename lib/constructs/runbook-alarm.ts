/** An alarm that says what is wrong and where the runbook tells what to do about it; it cannot be made without. */
import { Alarm, type AlarmProps, type IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { type RunbookHeading, runbookLink } from '../runbook.ts';

export interface RunbookAlarmProps extends Omit<AlarmProps, 'alarmDescription' | 'actionsEnabled'> {
  readonly runbook: RunbookHeading;
  /** One sentence for whoever is woken. */
  readonly meaning: string;
  /** Who is told, of the alarm and of its end. Absent only for parts of a composite alarm. */
  readonly topic?: ITopic;
}

export const describeAlarm = (meaning: string, runbook: RunbookHeading): string =>
  `${meaning} Runbook: ${runbookLink(runbook)}`;

/** Tells `topic` when `alarm` begins and when it ends. */
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
