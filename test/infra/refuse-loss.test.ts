/** What the run before a deployment of prod refuses, in the words of the CDK's own diff. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { longIt } from '../builders/extent.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'refuse-loss-'));
const write = (name: string, content: object): string => {
  writeFileSync(join(folder, name), JSON.stringify(content));
  return join(folder, name);
};
const table = (key: string) => ({
  Type: 'AWS::DynamoDB::Table',
  Properties: { KeySchema: [{ AttributeName: key, KeyType: 'HASH' }] },
});
const plan = (title: string) => ({
  Type: 'AWS::ApiGateway::UsagePlan',
  Properties: { UsagePlanName: title },
});
const bucket = (BucketName: string) => ({ Type: 'AWS::S3::Bucket', Properties: { BucketName } });
const BEFORE = {
  Removed: { ...table('port'), DeletionPolicy: 'Retain' },
  Replaced: bucket('before'),
  RemovedPlan: plan('Lite'),
  Renamed: plan('Pro'),
  Distribution: {
    Type: 'AWS::CloudFront::Distribution',
    Properties: { DistributionConfig: { Enabled: true } },
  },
  Topic: { Type: 'AWS::SNS::Topic', Properties: { TopicName: 'before' } },
  Queue: { Type: 'AWS::SQS::Queue' },
};

/** The CDK's own diff from `before` to `after`, through the refusal. */
function refusal(before: object, after: object) {
  const deployed = write('deployed.json', { Resources: before });
  write('stack.template.json', { Resources: after });
  write('manifest.json', {
    version: '55.0.0',
    artifacts: {
      stack: {
        type: 'aws:cloudformation:stack',
        environment: 'aws://unknown-account/unknown-region',
        properties: { templateFile: 'stack.template.json' },
      },
    },
  });
  // The CDK prints a diff to its standard error, and to its standard output where CI is set.
  const { stdout, stderr: diff } = spawnSync(
    process.execPath,
    ['node_modules/aws-cdk/bin/cdk', 'diff', 'stack', '--app', folder, '--template', deployed, '--no-color'],
    { cwd: ROOT, encoding: 'utf8', env: { ...process.env, CDK_BUILD: 'true' } },
  );
  const { status, stderr } = spawnSync('bash', ['.github/refuse-loss.sh'], {
    cwd: ROOT,
    encoding: 'utf8',
    input: stdout + diff,
  });
  return { status, lost: [...stderr.matchAll(/^\[.\] AWS::\S+ (\w+)/gm)].map(([, id]) => id).sort() };
}

describe('a deployment of prod', () => {
  it('is refused where it removes or replaces a table, bucket, plan, address or topic, though the stack would retain it', () => {
    const Topic = { Type: 'AWS::SNS::Topic', Properties: { TopicName: 'after' } };
    expect(refusal(BEFORE, { Replaced: bucket('after'), Renamed: plan('Large'), Topic })).toEqual({
      status: 1,
      lost: ['Distribution', 'Removed', 'RemovedPlan', 'Replaced', 'Topic'],
    });
  });

  // That such changes are not among what is lost is asserted above.
  longIt('is not refused where it changes what is there, or removes what can be made again', () => {
    const { Queue: _, ...kept } = BEFORE;
    expect(refusal(BEFORE, { ...kept, Renamed: plan('Large'), Added: table('vessel') })).toEqual({
      status: 0,
      lost: [],
    });
  });
});
