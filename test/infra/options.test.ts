/** What the settings of a stage change in its templates, and what stops a synthesis. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { OPERATION_IDS } from '../../core/contracts/routes.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import type { StageName } from '../../lib/stage-config.ts';
import { placeholderHandlers } from '../builders/placeholder-builds.ts';
import { at, listAt, objectAt, withType } from '../builders/stacks.ts';
import { createTestApp, synthesizeStacks } from '../builders/synthesis.ts';

/** Settings that add to the templates, and settings that take away; the stages use neither. */
const ADDING = {
  waf: 'true',
  tracing: 'true',
  keyedSources: 'us-census-trade',
  responseCacheSeconds: '2',
  corsOrigins: 'https://app.example',
  apiGatewayLogRole: 'true',
  domainName: 'api.example.org',
  certificateArn: 'arn:aws:acm:eu-north-1:111122223333:certificate/0',
  canaryMinutes: '5',
};
const REMOVING = {
  schedules: 'false',
  responseCacheSeconds: '0',
  excludedSources: 'open-waters-ais,dma-ais',
  excludedFeeds: 'aishub,aisstream',
  archiveDays: '400',
};

const resourcesOf = (context: Record<string, unknown> = {}) => synthesizeStacks('dev', context).resources;

describe('the source with a key', () => {
  const schedulesOf = (context: Record<string, unknown>) =>
    withType(resourcesOf(context), 'AWS::Scheduler::Schedule').map(({ properties }) =>
      String(at(properties.Target, 'Input')),
    );

  it('is scheduled only where its key is stated to exist', () => {
    expect(schedulesOf({})).not.toContain('{"source":"us-census-trade"}');
    expect(schedulesOf(ADDING)).toContain('{"source":"us-census-trade"}');
  });

  it('is named by its id, and another name stops the synthesis with the names there are', () => {
    expect(() => synthesizeStacks('dev', { keyedSources: 'census' })).toThrow(
      /keyedSources: census: the sources with a key are .*us-census-trade/,
    );
  });

  it('gets the name of its secret, which the template does not make', () => {
    const resources = resourcesOf(ADDING);
    const [ingest] = withType(resources, 'AWS::Lambda::Function').filter(({ id }) => id.startsWith('Ingest'));
    const variables = objectAt(ingest?.properties.Environment, 'Variables');
    expect(variables.CENSUS_API_KEY_SECRET_NAME).toBe('pcd/dev/census-api-key');
    expect(withType(resources, 'AWS::SecretsManager::Secret')).toEqual([]);
  });
});

describe('an excluded source', () => {
  it('has no schedule, no alarm and no place in the watch; the others keep theirs', () => {
    const [all, some] = [resourcesOf(), resourcesOf(REMOVING)];
    const named = (resources: typeof all, id: string) =>
      resources.filter(
        ({ stack, properties }) => stack !== 'data' && JSON.stringify(properties).includes(id),
      );
    expect(named(all, 'open-waters-ais').length).toBeGreaterThan(2);
    expect(named(some, 'open-waters-ais')).toEqual([]);
    expect(named(some, 'dma-ais')).toEqual([]);
    expect(named(some, 'hk-marine-department').length).toBe(named(all, 'hk-marine-department').length);
  });

  it('is named by its id, and another name stops the synthesis with the names there are', () => {
    expect(() => synthesizeStacks('dev', { excludedSources: 'open-water' })).toThrow(
      /excludedSources: open-water: the sources are .*open-waters-ais/,
    );
  });
});

describe('an excluded feed', () => {
  const variableOf = (context: Record<string, unknown>) => {
    const functions = withType(resourcesOf(context), 'AWS::Lambda::Function');
    const [ingest] = functions.filter(({ id }) => id.startsWith('Ingest'));
    return objectAt(ingest?.properties.Environment, 'Variables').EXCLUDED_FEEDS;
  };

  it('is named to the ingest, and another name stops the synthesis with the names there are', () => {
    expect([variableOf({}), variableOf(REMOVING)]).toEqual([undefined, 'aishub,aisstream']);
    expect(() => synthesizeStacks('dev', { excludedFeeds: 'aishubb' })).toThrow(
      /excludedFeeds: aishubb: the feeds are aishub, .*others/,
    );
  });
});

describe('a copy in another region', () => {
  const copied = resourcesOf({ copyBucket: 'copy-of-the-archive' });
  const archiveOf = (resources: typeof copied) =>
    withType(resources, 'AWS::S3::Bucket').find(({ id }) => id === 'RawArchive')?.properties;

  it('is made by S3 of every object of the archive, only where the stage names a bucket', () => {
    expect(archiveOf(resourcesOf())?.ReplicationConfiguration).toBeUndefined();
    const [rule, ...others] = listAt(archiveOf(copied)?.ReplicationConfiguration, 'Rules');
    expect(others).toEqual([]);
    expect(rule).toMatchObject({ Status: 'Enabled' });
    expect(JSON.stringify(at(rule, 'Destination'))).toContain(':s3:::copy-of-the-archive');
  });

  it('has the list of the keys, which the reconciliation may write and nothing else of the archive', () => {
    const keySync = (resources: typeof copied) =>
      withType(resources, 'AWS::Lambda::Function').find(({ id }) => id.startsWith('KeyReconciliation'))
        ?.properties;
    expect(objectAt(keySync(resourcesOf())?.Environment, 'Variables').KEY_COPY_BUCKET).toBeUndefined();
    expect(objectAt(keySync(copied)?.Environment, 'Variables').KEY_COPY_BUCKET).toBeDefined();
    const rights = withType(copied, 'AWS::IAM::Policy').filter(({ id }) =>
      id.startsWith('KeyReconciliationKeySync'),
    );
    const statements = rights.flatMap(({ properties }) => listAt(properties.PolicyDocument, 'Statement'));
    const toStore = statements.filter((statement) => JSON.stringify(at(statement, 'Action')).includes('s3:'));
    expect(toStore.map((statement) => at(statement, 'Action'))).toEqual(['s3:PutObject']);
    expect(JSON.stringify(toStore)).toContain('/keys.json');
  });
});

describe('the raw archive', () => {
  const rulesOf = (context: Record<string, unknown>) => {
    const [bucket] = withType(synthesizeStacks('dev', context).resources, 'AWS::S3::Bucket').filter(
      ({ id }) => /^RawArchive/.test(id) && !/AccessLog/.test(id),
    );
    return listAt(bucket?.properties.LifecycleConfiguration, 'Rules');
  };

  it('keeps replies indefinitely, and has no rule that its small objects would never meet', () => {
    const rules = rulesOf({});
    expect(rules).toHaveLength(1);
    expect(rules[0]).toMatchObject({ NoncurrentVersionExpiration: { NoncurrentDays: 30 } });
    expect(JSON.stringify(rules)).not.toMatch(/ExpirationInDays|Transitions/);
  });

  it('deletes replies of every source after the days that the stage sets, and the markers that this leaves', () => {
    const [, ...rules] = rulesOf(REMOVING);
    expect(rules).toEqual([
      ...SOURCE_DECLARATIONS.map(({ id }) => ({
        Prefix: `${id}/`,
        ExpirationInDays: 400,
        Status: 'Enabled',
      })),
      { ExpiredObjectDeleteMarker: true, Status: 'Enabled' },
    ]);
  });

  it('never deletes the states of positions: a pause of the publisher may be longer', () => {
    const states = ['open-waters-ais.state', 'noaa-marinecadastre-ais.us-gulf.days/20260101T000000Z.zip'];
    const expiring = rulesOf(REMOVING).flatMap((rule) => at(rule, 'Prefix') ?? []);
    expect(expiring.length).toBe(SOURCE_DECLARATIONS.length);
    for (const key of states) expect(expiring.filter((prefix) => key.startsWith(String(prefix)))).toEqual([]);
  });

  it.each(['30', '1.5', 'never'])('refuses archiveDays=%s', (archiveDays) => {
    expect(() => synthesizeStacks('dev', { archiveDays })).toThrow(/archiveDays/);
  });
});

describe('the place of a stage', () => {
  it('is pinned in every stack, so that a shell that points elsewhere deploys nothing', () => {
    const place = { account: '111122223333', region: 'eu-west-1' };
    const { outdir } = synthesizeStacks('dev', place);
    const { artifacts } = JSON.parse(readFileSync(join(outdir, 'manifest.json'), 'utf8'));
    const stacks = Object.values(artifacts as Record<string, { type: string; environment: string }>)
      .filter(({ type }) => type === 'aws:cloudformation:stack')
      .map(({ environment }) => environment);
    expect(new Set(stacks)).toEqual(new Set(['aws://111122223333/eu-west-1']));
  });
});

describe('the health canary', () => {
  const canaryOf = (context: Record<string, unknown>) =>
    withType(resourcesOf(context), 'AWS::Synthetics::Canary')[0]?.properties;

  it('is in no stage unless its period is set, and adds nothing but itself', () => {
    const withCanary = resourcesOf({ canaryMinutes: '5' });
    const others = withCanary.filter(({ id }) => !id.startsWith('HealthCanary'));
    expect(others).toEqual(resourcesOf());
    expect(withType(withCanary, 'AWS::Synthetics::Canary')).toHaveLength(1);
  });

  it('requests the public address of the probe', () => {
    const urlOf = (context: Record<string, unknown>) =>
      at(canaryOf(context)?.RunConfig, 'EnvironmentVariables', 'HEALTH_URL');
    expect(JSON.stringify(urlOf({ canaryMinutes: '5' }))).toMatch(
      /execute-api.*"Ref":"Stage"\},"\/v1\/health"/,
    );
    expect(urlOf(ADDING)).toBe('https://api.example.org/v1/health');
  });

  it('runs at its period, and two runs that failed or are missing raise its alarm', () => {
    const { resources } = synthesizeStacks('prod', { canaryMinutes: '60' });
    const [canary] = withType(resources, 'AWS::Synthetics::Canary');
    expect(at(canary?.properties.Schedule, 'Expression')).toBe('rate(60 minutes)');
    const [alarm] = withType(resources, 'AWS::CloudWatch::Alarm').filter(
      ({ properties }) => properties.MetricName === 'SuccessPercent',
    );
    expect(alarm?.properties).toMatchObject({
      Namespace: 'CloudWatchSynthetics',
      Period: 3600,
      EvaluationPeriods: 2,
      Threshold: 100,
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'breaching',
    });
  });

  it.each([
    ['passes on 200 with status ok', 200, '{"status":"ok"}', undefined],
    ['fails on another status', 503, '{"status":"ok"}', /status 503 instead of 200/],
    ['fails on a redirect', 302, '{"status":"ok"}', /status 302 instead of 200/],
    ['fails on another field', 200, '{"status":"down"}', /"down" instead of "ok"/],
    ['fails on a page', 200, '<html></html>', /JSON/],
  ])('%s', async (_what, status, body, failure) => {
    const script = String(at(canaryOf({ canaryMinutes: '5' })?.Code, 'Script'));
    const server = createServer((_request, response) => {
      response.writeHead(status, { location: '/elsewhere' }).end(body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const exports: { handler?: () => Promise<void> } = {};
      const env = { HEALTH_URL: `http://127.0.0.1:${port}/v1/health` };
      new Function('exports', 'process', script)(exports, { env });
      const run = exports.handler?.();
      await (failure === undefined
        ? expect(run).resolves.toBeUndefined()
        : expect(run).rejects.toThrow(failure));
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

describe('the canary with the demo key', () => {
  const context = { canaryMinutes: '5', demoKey: `pcd_dev_${'a1'.repeat(16)}` };

  it.each([
    ['passes on a figure of the last hour', 59, 200, undefined],
    ['fails on an older one', 61, 200, /61\.\d+ minutes old/],
    ['fails where the key is refused', 1, 401, /status 401 instead of 200/],
  ])('%s', async (_what, ageMinutes, status, failure) => {
    const { Code, RunConfig } =
      withType(resourcesOf(context), 'AWS::Synthetics::Canary')[0]?.properties ?? {};
    const given = objectAt(RunConfig, 'EnvironmentVariables');
    expect(JSON.stringify(given.FIGURE_URL)).toContain('/v1/ports?sort=-last_observed');
    const server = createServer(({ url, headers }, response) => {
      if (url === '/health') response.end('{"status":"ok"}');
      else if (headers['x-api-key'] !== context.demoKey) response.writeHead(500).end();
      else
        response
          .writeHead(status)
          .end(JSON.stringify([{ as_of: new Date(Date.now() - ageMinutes * 60_000 - 1000).toISOString() }]));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const env = { ...given, HEALTH_URL: `${base}/health`, FIGURE_URL: `${base}/ports` };
      const exports: { handler?: () => Promise<void> } = {};
      new Function('exports', 'process', String(at(Code, 'Script')))(exports, { env });
      const run = exports.handler?.();
      await (failure === undefined
        ? expect(run).resolves.toBeUndefined()
        : expect(run).rejects.toThrow(failure));
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

describe('settings', () => {
  it('response cache: five seconds in every keyed endpoint unless set otherwise, never in the health probe', () => {
    const cached = (context: Record<string, unknown>) =>
      withType(resourcesOf(context), 'AWS::Lambda::Function')
        .map(({ id, properties }) => ({
          id,
          seconds: objectAt(properties.Environment, 'Variables').RESPONSE_CACHE_SECONDS,
        }))
        .filter(({ seconds }) => seconds !== undefined);
    const byDefault = cached({});
    expect(byDefault.map(({ seconds }) => seconds)).toEqual(Array(OPERATION_IDS.length - 1).fill('5'));
    expect(byDefault.filter(({ id }) => /health|authorizer|ingest|keysync/i.test(id))).toEqual([]);
    expect(new Set(cached(ADDING).map(({ seconds }) => seconds))).toEqual(new Set(['2']));
    expect(cached(REMOVING)).toEqual([]);
  });

  it('firewall: in prod unless switched off, in dev where it is asked for', () => {
    const rules = (stage: StageName, context: Record<string, unknown>) =>
      withType(synthesizeStacks(stage, context).resources, 'AWS::WAFv2::WebACL').flatMap(({ properties }) =>
        listAt(properties.Rules).map((rule) => at(rule, 'Name')),
      );
    expect(rules('dev', {})).toEqual([]);
    expect(rules('dev', ADDING)).toEqual(['rate-per-address', 'rate-per-viewer']);
    expect(rules('prod', {})).toEqual(['rate-per-address', 'rate-per-viewer']);
    expect(rules('prod', { portal: 'false' })).toEqual(['rate-per-address']);
    expect(rules('prod', { waf: 'false' })).toEqual([]);
  });

  it('tracing: none unless asked for', () => {
    const traced = (context: Record<string, unknown>) => [
      ...withType(resourcesOf(context), 'AWS::Lambda::Function').map(({ properties }) =>
        at(properties.TracingConfig, 'Mode'),
      ),
      ...withType(resourcesOf(context), 'AWS::ApiGateway::Stage').map(
        ({ properties }) => properties.TracingEnabled,
      ),
    ];
    expect(new Set(traced({}))).toEqual(new Set([undefined, false]));
    expect(new Set(traced(ADDING))).toEqual(new Set(['Active', true]));
  });

  it('schedules: of sources, dataset and status on unless switched off, of the key reconciliation and the watch always', () => {
    const states = (context: Record<string, unknown>) =>
      withType(resourcesOf(context), 'AWS::Scheduler::Schedule').map(({ stack, properties }) => {
        const input = JSON.parse(String(at(properties.Target, 'Input')));
        return `${'source' in input ? 'source' : stack === 'portal' ? 'portal' : 'others'} ${properties.State}`;
      });
    expect(new Set(states({}))).toEqual(new Set(['source ENABLED', 'portal ENABLED', 'others ENABLED']));
    expect(new Set(states(REMOVING))).toEqual(
      new Set(['source DISABLED', 'portal DISABLED', 'others ENABLED']),
    );
  });

  it('origins: preflights and headers for the named ones only', () => {
    const resources = resourcesOf(ADDING);
    const preflights = withType(resources, 'AWS::ApiGateway::Method').filter(
      ({ properties }) => properties.HttpMethod === 'OPTIONS',
    );
    expect(preflights.length).toBeGreaterThan(0);
    // The responses state the list, and browsers ignore a second one here.
    expect(JSON.stringify(preflights)).not.toContain('Expose-Headers');
    for (const response of withType(resources, 'AWS::ApiGateway::GatewayResponse')) {
      expect(
        at(response.properties.ResponseParameters, 'gatewayresponse.header.Access-Control-Allow-Origin'),
      ).toBe("'https://app.example'");
    }
  });

  it('domain: an empty base path in front of the stage, over TLS 1.2', () => {
    const resources = resourcesOf(ADDING);
    const [domain] = withType(resources, 'AWS::ApiGateway::DomainName');
    const [mapping] = withType(resources, 'AWS::ApiGateway::BasePathMapping');
    expect(domain?.properties.SecurityPolicy).toBe('TLS_1_2');
    expect(mapping?.properties.BasePath).toBeUndefined();
  });
});

describe('a plan that is made afresh', () => {
  const byId = (context: Record<string, unknown>) => {
    const { resources, outputs } = synthesizeStacks('dev', context);
    return { outputs, ids: resources.map(({ stack, id }) => `${stack} ${id}`) };
  };

  it('is out of the stack for one deployment, and nothing else is', () => {
    const [all, without] = [byId({}), byId({ withoutPlan: 'starter' })];
    expect(all.ids.filter((id) => !without.ids.includes(id))).toEqual(['api StarterPlan']);
    expect(without.ids.filter((id) => !all.ids.includes(id))).toEqual([]);
    expect(all.outputs.filter((output) => !without.outputs.includes(output))).toEqual(['StarterPlanId']);
  });
});

describe('the back-fill', () => {
  it('alarms when one fails, and when one takes longer than it may', () => {
    const alarms = withType(synthesizeStacks('dev').resources, 'AWS::CloudWatch::Alarm');
    const alarm = alarms.find(({ properties }) =>
      String(properties.AlarmDescription).endsWith('#a-back-fill-fails'),
    );
    expect(JSON.stringify(alarm?.properties.Metrics)).toMatch(/ExecutionsFailed.*ExecutionsTimedOut/);
  });
});

describe('synthesis', () => {
  it('stops with the folder and the remedy when a handler was not built', () => {
    const handlersDir = placeholderHandlers(['ingest', 'watch']);
    expect(() => createTestApp('dev', { handlersDir })).toThrow(/authorizer: run "npm run build"/);
  });
});
