/** The dataset in the portal's stack: its bucket, its jobs, and Athena where a stage asks for it. */
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { RELEASE_TABLES } from '../../core/release/columns.ts';
import { DATASET_REQUEST, DATASET_RESPONSE } from '../../lib/constructs/portal.ts';
import { functionOf, grantsOf, listAt, PROD_SETTINGS, sharedStacks, withType } from '../builders/stacks.ts';

const { resources } = sharedStacks('prod', PROD_SETTINGS);

it('serves the releases below /data/: uncompressed, to pages of every host', () => {
  const [distribution] = withType(resources, 'AWS::CloudFront::Distribution');
  expect(listAt(distribution?.properties.DistributionConfig, 'CacheBehaviors')).toContainEqual(
    expect.objectContaining({
      PathPattern: '/data/*',
      Compress: false,
      ResponseHeadersPolicyId: expect.anything(),
      FunctionAssociations: [
        expect.objectContaining({ EventType: 'viewer-request' }),
        expect.objectContaining({ EventType: 'viewer-response' }),
      ],
    }),
  );
});

/** What a CloudFront function returns for an event. */
const edge = (code: string, event: object) => runInNewContext(`${code}handler(event)`, { event });

it.each([
  ['/data/', '/data/index.html'],
  ['/data/latest.json', '/data/latest.json'],
  ['/data/latest/table=ports/part-0.parquet', '/data/latest.json'],
])('reads for %s the object %s', (uri, object) => {
  const headers = { range: { value: 'bytes=-8' }, host: { value: 'data.example' } };
  const request = edge(DATASET_REQUEST, { request: { uri, method: 'GET', headers: { ...headers } } });
  expect(request.uri).toBe(object);
  // A range of the file that is asked for would be none of the file that names the release.
  expect(Object.keys(request.headers)).toEqual(uri.includes('/latest/') ? ['host'] : ['range', 'host']);
});

describe('below /data/latest/', () => {
  const uri = '/data/latest/table=trend/year=2025/part-0.parquet';
  const respond = (request: object, headers: object = { 'x-amz-meta-release': { value: '2026-02-01' } }) =>
    edge(DATASET_RESPONSE, {
      request: { uri, method: 'GET', ...request },
      response: { statusCode: 200, headers: { ...headers } },
    });

  it('a request is led to the newest release, and no cache keeps that', () => {
    expect(respond({})).toEqual({
      statusCode: 302,
      statusDescription: 'Found',
      headers: {
        'x-amz-meta-release': { value: '2026-02-01' },
        location: { value: '/data/release=2026-02-01/table=trend/year=2025/part-0.parquet' },
        'cache-control': { value: 'no-store' },
      },
    });
  });

  it('a preflight is left to the bucket, with its address', () => {
    const asked = edge(DATASET_REQUEST, { request: { uri, method: 'OPTIONS', headers: {} } });
    expect(asked.uri).toBe(uri);
    expect(respond({ method: 'OPTIONS' }).statusCode).toBe(200);
  });

  it.each([
    ['another path', { uri: '/data/latest.json' }, undefined],
    ['a file that names no release', {}, {}],
  ])('the response for %s stays as it is', (_what, request, headers) => {
    expect(respond(request, headers).statusCode).toBe(200);
  });
});

it.each([
  ['every object of a release, and write it', 'DatasetRelease', '/data/*', ['s3:GetObject', 's3:PutObject']],
  ['nothing, and write the status file', 'StatusFunction', '/data/status.json', ['s3:PutObject']],
])('a job may read %s', (_what, job, objects, actions) => {
  const grants = grantsOf(resources, functionOf(resources, job).properties.Role);
  const own = grants.filter(({ statement }) => JSON.stringify(statement.Resource).includes(objects));
  expect(own.map((grant) => grant.actions)).toEqual([actions]);
  expect(grants.flatMap((grant) => grant.actions).join()).not.toMatch(/dynamodb:(?:Put|Update|Delete)/);
});

it('writes a release each day, and the status every five minutes', () => {
  const rates = withType(resources, 'AWS::Scheduler::Schedule')
    .filter(({ stack }) => stack === 'portal')
    .map(({ properties }) => properties.ScheduleExpression);
  expect(rates).toEqual(['rate(1440 minutes)', 'rate(5 minutes)']);
});

describe('Athena', () => {
  const tables = withType(resources, 'AWS::Glue::Table').map(({ properties }) => properties.TableInput);

  it('is off by default', () => {
    expect(withType(sharedStacks('prod').resources, 'AWS::Glue::Table')).toEqual([]);
  });

  it('has every table with its columns, and finds its folders without a crawler', () => {
    expect(tables).toHaveLength(Object.keys(RELEASE_TABLES).length);
    const path = `/data/release=\${release}/table=waits/year=\${year}/`;
    expect(tables).toContainEqual(
      expect.objectContaining({
        Name: 'waits',
        PartitionKeys: [
          { Name: 'release', Type: 'string' },
          { Name: 'year', Type: 'int' },
        ],
        Parameters: expect.objectContaining({
          'projection.release.type': 'injected',
          'storage.location.template': { 'Fn::Join': ['', expect.arrayContaining([path])] },
        }),
        StorageDescriptor: expect.objectContaining({
          Columns: expect.arrayContaining([
            { Name: 'date', Type: 'date' },
            { Name: 'waits', Type: 'array<double>' },
          ]),
        }),
      }),
    );
  });

  it('stops a query that would read more than a gigabyte', () => {
    const [group] = withType(resources, 'AWS::Athena::WorkGroup');
    expect(group?.properties.WorkGroupConfiguration).toMatchObject({
      EnforceWorkGroupConfiguration: true,
      BytesScannedCutoffPerQuery: 1_000_000_000,
    });
  });
});
