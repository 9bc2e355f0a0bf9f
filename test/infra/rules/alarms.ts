/** Rules that pair alarms with the runbook, both ways. */
import { readFileSync } from 'node:fs';
import { at, listAt, ofType, refersTo } from '../../builders/stacks.ts';
import { type Rule, unless } from './rule.ts';

const ALARM = 'AWS::CloudWatch::Alarm';
const COMPOSITE = 'AWS::CloudWatch::CompositeAlarm';
const LINK = / Runbook: docs\/runbook\.md#([a-z0-9-]+)$/;

/** Anchors of the headings below "Alarms" in the runbook. */
function runbookAnchors(): string[] {
  const page = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8');
  const [, alarms = ''] = page.split(/^## Alarms$/m);
  const [section = ''] = alarms.split(/^## /m);
  return [...section.matchAll(/^### (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^a-z0-9 -]/g, '')
      .replace(/ /g, '-'),
  );
}

const anchorIn = (description: unknown): string => LINK.exec(String(description))?.[1] ?? '';

export const alarmRules = {
  'every alarm names a heading of the runbook': (resources) =>
    unless(ofType(resources, ALARM, COMPOSITE), 'no such heading', ({ properties }) =>
      runbookAnchors().includes(anchorIn(properties.AlarmDescription)),
    ),

  'every heading of the runbook has an alarm': (resources) => {
    const used = ofType(resources, ALARM, COMPOSITE).map(({ properties }) =>
      anchorIn(properties.AlarmDescription),
    );
    return runbookAnchors().filter((anchor) => !used.includes(anchor));
  },

  'every alarm notifies the topic, directly or through its composite alarm': (resources) =>
    unless(
      ofType(resources, ALARM, COMPOSITE),
      'notifies no topic',
      ({ id, properties }) =>
        (listAt(properties.AlarmActions).length > 0 && listAt(properties.OKActions).length > 0) ||
        ofType(resources, COMPOSITE).some(({ properties: { AlarmRule } }) => refersTo(AlarmRule, id)),
    ),

  'every alarm states how it treats missing data': (resources) =>
    unless(
      ofType(resources, ALARM),
      'does not state how it treats missing data',
      ({ properties }) => properties.TreatMissingData !== undefined,
    ),

  'CloudWatch may publish to every topic': (resources) =>
    unless(ofType(resources, 'AWS::SNS::Topic'), 'refuses alarms', ({ id }) =>
      ofType(resources, 'AWS::SNS::TopicPolicy')
        .filter(({ properties }) => refersTo(properties.Topics, id))
        .flatMap(({ properties }) => listAt(properties.PolicyDocument, 'Statement'))
        .some(
          (statement) =>
            at(statement, 'Effect') === 'Allow' &&
            at(statement, 'Action') === 'sns:Publish' &&
            at(statement, 'Principal', 'Service') === 'cloudwatch.amazonaws.com',
        ),
    ),

  'every source that is fetched is watched': (resources) =>
    ofType(resources, 'AWS::Scheduler::Schedule')
      .map(({ properties: { Target } }) => String(at(JSON.parse(String(at(Target, 'Input'))), 'source')))
      .filter((source) => source !== 'undefined')
      .filter(
        (source) =>
          !ofType(resources, ALARM).some(({ properties: { Dimensions } }) =>
            listAt(Dimensions).some((one) => at(one, 'Name') === 'source' && at(one, 'Value') === source),
          ),
      ),
} satisfies Record<string, Rule>;
