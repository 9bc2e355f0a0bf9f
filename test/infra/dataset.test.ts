/** The dataset in the portal's stack: its bucket, its job, and Athena where a stage asks for it. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { RELEASE_TABLES } from '../../core/release/columns.ts';
import { createApp } from '../../lib/application.ts';
import { datasetIndexCode } from '../../lib/constructs/portal-paths.ts';
import { placeholderHandlers, placeholderPortal } from '../builders/placeholder-builds.ts';
import { placeOf } from '../builders/synthesis.ts';

const handlersDir = placeholderHandlers();
const portalDir = placeholderPortal();

function templateWith(context: Record<string, unknown>): Template {
  const outdir = mkdtempSync(join(tmpdir(), 'dataset-app-'));
  const { application } = createApp({
    outdir,
    stage: 'prod',
    handlersDir,
    portalDir,
    context: { ...placeOf('prod'), ...context },
  });
  if (!application.portal) throw new Error('there is no portal');
  return Template.fromStack(application.portal);
}

const template = templateWith({ athena: 'true' });

it('serves the releases below /data/: uncompressed, to pages of every host', () => {
  template.hasResourceProperties('AWS::CloudFront::Distribution', {
    DistributionConfig: {
      CacheBehaviors: Match.arrayWith([
        Match.objectLike({
          PathPattern: '/data/*',
          Compress: false,
          ResponseHeadersPolicyId: Match.anyValue(),
          FunctionAssociations: [Match.objectLike({ EventType: 'viewer-request' })],
        }),
      ]),
    },
  });
});

it.each([
  ['/data/', '/data/index.html'],
  ['/data/latest.json', '/data/latest.json'],
])('reads for %s the object %s', (uri, object) => {
  const request = runInNewContext(`${datasetIndexCode()}handler(event)`, { event: { request: { uri } } });
  expect(request.uri).toBe(object);
});

it('lets the job write objects below data/, and neither delete nor read others', () => {
  const policies = Object.values(template.findResources('AWS::IAM::Policy')).map((policy) =>
    JSON.stringify(policy),
  );
  const [own = ''] = policies.filter((text) => text.includes('"s3:GetObject","s3:PutObject"'));
  expect(own).toContain('/data/*');
  expect(own).not.toMatch(/s3:Delete|dynamodb:(Put|Update|Delete)/);
});

it('lets the status function write the one file, read the one table, and runs it every five minutes', () => {
  const policies = Object.values(template.findResources('AWS::IAM::Policy')).map((policy) =>
    JSON.stringify(policy),
  );
  const [own = ''] = policies.filter((text) => text.includes('/data/status.json'));
  expect(own).toContain('"Action":"s3:PutObject"');
  expect(own).not.toMatch(/s3:(?:Get|List|Delete)|dynamodb:(?:Put|Update|Delete)/);
  template.hasResourceProperties('AWS::Scheduler::Schedule', {
    Description: 'Writes the status of the sources',
    ScheduleExpression: 'rate(5 minutes)',
  });
});

it('runs the job every day, and raises an alarm after three days without a release', () => {
  template.hasResourceProperties('AWS::Scheduler::Schedule', { ScheduleExpression: 'rate(1440 minutes)' });
  template.hasResourceProperties('AWS::CloudWatch::Alarm', {
    AlarmDescription: Match.stringLikeRegexp('runbook.md#no-release-is-written'),
    EvaluationPeriods: 3,
  });
});

describe('Athena', () => {
  it('is off by default', () => {
    templateWith({}).resourceCountIs('AWS::Glue::Table', 0);
  });

  it('has every table with its columns, and finds its folders without a crawler', () => {
    template.resourceCountIs('AWS::Glue::Table', Object.keys(RELEASE_TABLES).length);
    template.hasResourceProperties('AWS::Glue::Table', {
      TableInput: Match.objectLike({
        Name: 'waits',
        PartitionKeys: [Match.objectLike({ Name: 'release' }), Match.objectLike({ Name: 'year' })],
        Parameters: Match.objectLike({
          'projection.release.type': 'injected',
          'storage.location.template': {
            'Fn::Join': ['', Match.arrayWith([`/data/release=\${release}/table=waits/year=\${year}/`])],
          },
        }),
        StorageDescriptor: Match.objectLike({
          Columns: Match.arrayWith([
            { Name: 'date', Type: 'date' },
            { Name: 'waits', Type: 'array<double>' },
          ]),
        }),
      }),
    });
  });

  it('stops a query that would read more than a gigabyte', () => {
    template.hasResourceProperties('AWS::Athena::WorkGroup', {
      WorkGroupConfiguration: Match.objectLike({
        EnforceWorkGroupConfiguration: true,
        BytesScannedCutoffPerQuery: 1_000_000_000,
      }),
    });
  });
});
