/** The dataset in the portal's stack: its bucket, its job, and Athena where a stage asks for it. */
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { RELEASE_TABLES } from '../../core/release/columns.ts';
import { DATASET_INDEX } from '../../lib/constructs/portal-paths.ts';
import { sharedStacks, withType } from '../builders/stacks.ts';
import { createTestApp } from '../builders/synthesis.ts';

const { portal } = createTestApp('prod', { athena: 'true' }).application;
if (!portal) throw new Error('there is no portal');
const template = Template.fromStack(portal);

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
  const request = runInNewContext(`${DATASET_INDEX}handler(event)`, { event: { request: { uri } } });
  expect(request.uri).toBe(object);
});

it.each([
  ['every object of a release, and write it', '/data/*', '["s3:GetObject","s3:PutObject"]'],
  ['nothing, and write the status file', '/data/status.json', '"s3:PutObject"'],
])('a job may read %s', (_what, objects, actions) => {
  const policies = Object.values(template.findResources('AWS::IAM::Policy')).map((policy) =>
    JSON.stringify(policy),
  );
  const [own = ''] = policies.filter((text) => text.includes(objects) && !text.includes('cloudfront'));
  expect(own).toContain(`"Action":${actions}`);
  expect(own).not.toMatch(/dynamodb:(?:Put|Update|Delete)/);
});

it.each([1440, 5])('has a job that runs every %d minutes', (minutes) => {
  template.hasResourceProperties('AWS::Scheduler::Schedule', {
    ScheduleExpression: `rate(${minutes} minutes)`,
  });
});

describe('Athena', () => {
  it('is off by default', () => {
    expect(withType(sharedStacks('prod').resources, 'AWS::Glue::Table')).toEqual([]);
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
