/** What the settings of a stage change in its templates, and what stops a synthesis. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { MockIntegration, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { OPERATION_IDS } from '../../core/contracts/routes.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { overrideMethod } from '../../lib/constructs/rest-api.ts';
import type { StageName } from '../../lib/stage-config.ts';
import { placeholderHandlers, placeholderPortal } from '../builders/placeholder-builds.ts';
import {
  alarmOf,
  at,
  CANARY,
  functionOf,
  grantsIn,
  grantsOf,
  LEAST_SETTINGS,
  listAt,
  MOST_SETTINGS,
  objectAt,
  PROD_SETTINGS,
  sharedStacks,
  UNGUARDED,
  variablesOf,
  WITHOUT_STARTER,
  withType,
} from '../builders/stacks.ts';
import { createTestApp } from '../builders/synthesis.ts';

const resourcesOf = (context: Record<string, unknown> = {}) => sharedStacks('dev', context).resources;
const variables = (id: string, context: Record<string, unknown>) =>
  variablesOf(functionOf(resourcesOf(context), id));

it.each([
  ['keyedSources', 'census', /keyedSources: census: the sources with a key are .*us-census-trade/],
  ['excludedSources', 'open-water', /excludedSources: open-water: the sources are .*open-waters-ais/],
  ['excludedFeeds', 'aishubb', /excludedFeeds: aishubb: the feeds are aishub, .*others/],
])('a wrong name in %s stops the synthesis with the names there are', (setting, given, message) => {
  expect(() => createTestApp('dev', { [setting]: given })).toThrow(message);
});

describe('the source with a key', () => {
  const schedulesOf = (context: Record<string, unknown>) =>
    withType(resourcesOf(context), 'AWS::Scheduler::Schedule').map(({ properties }) =>
      at(properties.Target, 'Input'),
    );

  it('is scheduled only where its key is stated to exist', () => {
    expect(schedulesOf({})).not.toContain('{"source":"us-census-trade"}');
    expect(schedulesOf(MOST_SETTINGS)).toContain('{"source":"us-census-trade"}');
  });

  it('gets the name of its secret, which the template does not make', () => {
    expect(variables('Ingest', MOST_SETTINGS).CENSUS_API_KEY_SECRET_NAME).toBe('pcd/dev/census-api-key');
    expect(withType(resourcesOf(MOST_SETTINGS), 'AWS::SecretsManager::Secret')).toEqual([]);
  });
});

it('an excluded source has no schedule, no alarm and no place in the watch; the others keep theirs', () => {
  const [all, some] = [resourcesOf(), resourcesOf(LEAST_SETTINGS)];
  const named = (resources: typeof all, id: string) =>
    resources.filter(({ stack, properties }) => stack !== 'data' && JSON.stringify(properties).includes(id));
  expect(named(all, 'open-waters-ais').length).toBeGreaterThan(2);
  expect(named(some, 'open-waters-ais')).toEqual([]);
  expect(named(some, 'dma-ais')).toEqual([]);
  expect(named(some, 'hk-marine-department').length).toBe(named(all, 'hk-marine-department').length);
});

it('an excluded feed is named to the ingest', () => {
  expect(variables('Ingest', {}).EXCLUDED_FEEDS).toBeUndefined();
  expect(variables('Ingest', LEAST_SETTINGS).EXCLUDED_FEEDS).toBe('aishub,aisstream');
});

const archiveOf = (context: Record<string, unknown>) =>
  withType(resourcesOf(context), 'AWS::S3::Bucket').find(({ id }) => id === 'RawArchive')?.properties;

describe('a copy in another region', () => {
  it('is made by S3 of every object of the archive, only where the stage names a bucket', () => {
    expect(archiveOf({})?.ReplicationConfiguration).toBeUndefined();
    const [rule, ...others] = listAt(archiveOf(MOST_SETTINGS)?.ReplicationConfiguration, 'Rules');
    expect(others).toEqual([]);
    expect(rule).toMatchObject({ Status: 'Enabled' });
    expect(JSON.stringify(at(rule, 'Destination'))).toContain(':s3:::copy-of-the-archive');
  });

  it('has the list of the keys, which the reconciliation may write and nothing else of the archive', () => {
    expect(variables('KeyReconciliation', {}).KEY_COPY_BUCKET).toBeUndefined();
    expect(variables('KeyReconciliation', MOST_SETTINGS).KEY_COPY_BUCKET).toBeDefined();
    const resources = resourcesOf(MOST_SETTINGS);
    const rights = grantsOf(resources, functionOf(resources, 'KeyReconciliation').properties.Role);
    const toStore = rights.filter(({ actions }) => actions.some((action) => action.startsWith('s3:')));
    expect(toStore.map(({ actions }) => actions)).toEqual([['s3:PutObject']]);
    expect(JSON.stringify(toStore[0]?.statement.Resource)).toContain('/keys.json');
  });
});

describe('the raw archive', () => {
  const rulesOf = (context: Record<string, unknown>) =>
    listAt(archiveOf(context)?.LifecycleConfiguration, 'Rules');

  it('keeps replies indefinitely, and has no rule that its small objects would never meet', () => {
    const rules = rulesOf({});
    expect(rules).toHaveLength(1);
    expect(rules[0]).toMatchObject({ NoncurrentVersionExpiration: { NoncurrentDays: 30 } });
    expect(JSON.stringify(rules)).not.toMatch(/ExpirationInDays|Transitions/);
  });

  // A state of positions is beside these folders, and a pause of the publisher may be longer.
  it('deletes replies of every source after the days that the stage sets, and the markers that this leaves', () => {
    const [, ...rules] = rulesOf(LEAST_SETTINGS);
    expect(rules).toEqual([
      ...SOURCE_DECLARATIONS.map(({ id }) => ({
        Prefix: `${id}/`,
        ExpirationInDays: 400,
        Status: 'Enabled',
      })),
      { ExpiredObjectDeleteMarker: true, Status: 'Enabled' },
    ]);
  });
});

it('the place of a stage is pinned in every stack, so that a shell that points elsewhere deploys nothing', () => {
  const { outdir } = sharedStacks('dev', LEAST_SETTINGS);
  const { artifacts } = JSON.parse(readFileSync(join(outdir, 'manifest.json'), 'utf8'));
  const stacks = Object.values(artifacts as Record<string, { type: string; environment: string }>)
    .filter(({ type }) => type === 'aws:cloudformation:stack')
    .map(({ environment }) => environment);
  expect(new Set(stacks)).toEqual(new Set(['aws://111122223333/ap-east-1']));
});

describe('the health canary', () => {
  const canaryOf = (context: Record<string, unknown>) =>
    withType(resourcesOf(context), 'AWS::Synthetics::Canary')[0]?.properties;
  const environmentOf = (context: Record<string, unknown>) =>
    objectAt(canaryOf(context)?.RunConfig, 'EnvironmentVariables');

  it('is in no stage unless its period is set, and adds nothing but itself', () => {
    const others = resourcesOf(CANARY).filter(({ id }) => !id.startsWith('HealthCanary'));
    expect(others).toEqual(resourcesOf());
    expect(withType(resourcesOf(CANARY), 'AWS::Synthetics::Canary')).toHaveLength(1);
  });

  it('requests the public address of the probe, and with the demo key the newest figure', () => {
    expect(JSON.stringify(environmentOf(CANARY).HEALTH_URL)).toMatch(
      /execute-api.*"Ref":"Stage"\},"\/v1\/health"/,
    );
    expect(environmentOf(MOST_SETTINGS).HEALTH_URL).toBe('https://api.example.org/v1/health');
    expect(JSON.stringify(environmentOf(MOST_SETTINGS).FIGURE_URL)).toContain(
      '/v1/ports?sort=-last_observed',
    );
  });

  it('runs at its period, and two runs that failed or are missing raise its alarm', () => {
    const { resources } = sharedStacks('prod', PROD_SETTINGS);
    const [canary] = withType(resources, 'AWS::Synthetics::Canary');
    expect(at(canary?.properties.Schedule, 'Expression')).toBe('rate(60 minutes)');
    expect(alarmOf(resources, 'the-health-canary-fails')).toMatchObject({
      MetricName: 'SuccessPercent',
      Namespace: 'CloudWatchSynthetics',
      Period: 3600,
      EvaluationPeriods: 2,
      Threshold: 100,
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'breaching',
    });
  });

  /** Runs the script of the canary of `context` over a service that `respond` stands for. */
  async function run(context: Record<string, unknown>, respond: RequestListener): Promise<void> {
    const server = createServer(respond).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const env = { ...environmentOf(context), HEALTH_URL: `${base}/health`, FIGURE_URL: `${base}/ports` };
    const exports: { handler?: () => Promise<void> } = {};
    new Function('exports', 'process', String(at(canaryOf(context)?.Code, 'Script')))(exports, { env });
    await exports.handler?.().finally(() => {
      server.closeAllConnections();
      server.close();
    });
  }

  it.each([
    ['fails on another status', 503, '{"status":"ok"}', /status 503 instead of 200/],
    ['fails on a redirect', 302, '{"status":"ok"}', /status 302 instead of 200/],
    ['fails on another field', 200, '{"status":"down"}', /"down" instead of "ok"/],
    ['fails on a page', 200, '<html></html>', /JSON/],
  ])('%s', async (_what, status, body, failure) => {
    const running = run(CANARY, (_, response) => {
      response.writeHead(status, { location: '/elsewhere' }).end(body);
    });
    await expect(running).rejects.toThrow(failure);
  });

  const withFigure =
    (ageMinutes: number, status: number): RequestListener =>
    ({ url, headers }, response) => {
      if (url === '/health') response.end('{"status":"ok"}');
      else if (headers['x-api-key'] !== MOST_SETTINGS.demoKey) response.writeHead(500).end();
      else
        response
          .writeHead(status)
          .end(JSON.stringify([{ as_of: new Date(Date.now() - ageMinutes * 60_000 - 1000).toISOString() }]));
    };

  it('passes on 200 with status ok, and with the key on a figure of the last hour', async () => {
    await expect(run(CANARY, withFigure(61, 200))).resolves.toBeUndefined();
    await expect(run(MOST_SETTINGS, withFigure(59, 200))).resolves.toBeUndefined();
  });

  it.each([
    ['on an older figure', 61, 200, /61\.\d+ minutes old/],
    ['where the key is refused', 1, 401, /status 401 instead of 200/],
  ])('fails with the key %s', async (_what, ageMinutes, status, failure) => {
    await expect(run(MOST_SETTINGS, withFigure(ageMinutes, status))).rejects.toThrow(failure);
  });
});

describe('the portal under a domain of its own', () => {
  it('gives the distribution its name, with a certificate and TLS 1.2 at least', () => {
    const [distribution] = withType(resourcesOf(MOST_SETTINGS), 'AWS::CloudFront::Distribution');
    expect(distribution?.properties.DistributionConfig).toMatchObject({
      Aliases: ['ports.example.org'],
      ViewerCertificate: {
        AcmCertificateArn: MOST_SETTINGS.portalCertificateArn,
        MinimumProtocolVersion: 'TLSv1.2_2021',
      },
    });
  });

  it('is the address of the dataset, and the name to point a record at is an output', () => {
    expect(variables('DatasetRelease', MOST_SETTINGS).DATASET_ADDRESS).toBe(
      'https://ports.example.org/data/',
    );
    expect(sharedStacks('dev', MOST_SETTINGS).outputs).toContain('PortalTarget');
    expect(sharedStacks('dev').outputs).not.toContain('PortalTarget');
  });
});

it('pages go to an HTTPS endpoint too, and tickets do not', () => {
  const subscribed = withType(resourcesOf(MOST_SETTINGS), 'AWS::SNS::Subscription').map(({ properties }) => [
    properties.Protocol,
    properties.Endpoint,
    /Pages/.test(JSON.stringify(properties.TopicArn)) ? 'pages' : 'tickets',
  ]);
  expect(subscribed).toEqual([
    ['email', 'ops@example.org', 'tickets'],
    ['email', 'oncall@example.org', 'pages'],
    ['https', MOST_SETTINGS.pageEndpoint, 'pages'],
  ]);
});

it('reserved concurrency bounds the ingest and the reconciliation, and is set only where a stage asks for it', () => {
  const reserved = (context: Record<string, unknown>) =>
    withType(resourcesOf(context), 'AWS::Lambda::Function').flatMap(
      ({ id, properties: { ReservedConcurrentExecutions: count } }) =>
        count === undefined ? [] : [[id.replace(/Function.*/, ''), count]],
    );
  expect(reserved({})).toEqual([]);
  expect(reserved(MOST_SETTINGS)).toEqual([
    ['Ingest', SOURCE_DECLARATIONS.length + 1],
    ['KeyReconciliationKeySync', 2],
  ]);
});

describe('the events of keys', () => {
  const [rule] = withType(resourcesOf(), 'AWS::Events::Rule');
  const [queue] = withType(resourcesOf(), 'AWS::SQS::Queue').filter(({ properties }) => properties.FifoQueue);

  it('are those of keys and plans, and of tags only on these', () => {
    const [calls, tags] = listAt(rule?.properties.EventPattern, 'detail', '$or');
    expect(at(calls, 'eventName')).toContain('UpdateUsagePlan');
    expect(at(calls, 'eventName')).not.toContain('TagResource');
    expect(at(tags, 'eventName')).toEqual(['TagResource', 'UntagResource']);
    const arns = listAt(tags, 'requestParameters', 'resourceArn').map((arn) => JSON.stringify(arn));
    expect(arns).toHaveLength(2);
    expect(arns.join()).toMatch(/::\/apikeys\/.*::\/usageplans\//);
  });

  it('wait in one message group for the run before them, and go when the schedule has made up for them', () => {
    const [target] = listAt(rule?.properties.Targets);
    expect(at(target, 'SqsParameters', 'MessageGroupId')).toBe('keys');
    expect(JSON.stringify(at(target, 'Arn'))).toContain(String(queue?.id));
    const [mapping] = withType(resourcesOf(), 'AWS::Lambda::EventSourceMapping');
    expect(mapping?.properties.ScalingConfig).toBeUndefined();
    expect(at(mapping?.properties.EventSourceArn, 'Fn::GetAtt', 0)).toBe(queue?.id);
    const timeout = Number(functionOf(resourcesOf(), 'KeyReconciliation').properties.Timeout);
    expect(queue?.properties.VisibilityTimeout).toBeGreaterThanOrEqual(timeout);
    expect(queue?.properties.MessageRetentionPeriod).toBe(600);
  });
});

describe('the roles of a deployment from GitHub', () => {
  const rolesOf = (stage: StageName, context: Record<string, unknown>) =>
    withType(sharedStacks(stage, context).resources, 'AWS::IAM::Role').filter(
      ({ stack }) => stack === 'deployer',
    );

  it('are in no stage without a repository', () => {
    expect(rolesOf('dev', {})).toEqual([]);
  });

  it.each([
    ['dev', MOST_SETTINGS, ['dev cdk-another-* pcd-dev-portal-portalfiles*/*']],
    [
      'prod',
      PROD_SETTINGS,
      ['prod cdk-pcdprod-* pcd-prod-portal-portalfiles*/*', 'prod-plan cdk-pcdprod-lookup-role-*'],
    ],
  ] as const)('of %s are for its own environments, bootstrap and files alone', (stage, context, expected) => {
    const found = rolesOf(stage, context).map(({ properties }) => {
      const [trust, ...others] = listAt(properties.AssumeRolePolicyDocument, 'Statement');
      expect(others).toEqual([]);
      const { StringEquals } = objectAt(trust, 'Condition');
      const subject = at(StringEquals, 'token.actions.githubusercontent.com:sub');
      expect(at(StringEquals, 'token.actions.githubusercontent.com:aud')).toBe('sts.amazonaws.com');
      const rights = listAt(properties.Policies, 0, 'PolicyDocument', 'Statement').map((statement) => [
        at(statement, 'Action'),
        /(?:role\/|:::)([^"]+)"/.exec(JSON.stringify(at(statement, 'Resource')))?.[1],
      ]);
      expect(rights.map(([action]) => action)).toEqual(
        ['sts:AssumeRole', 's3:PutObject'].slice(0, rights.length),
      );
      const environment = String(subject).replace('repo:owner/repository:environment:', '');
      return [environment, ...rights.map(([, resource]) => resource)].join(' ');
    });
    expect(found).toEqual(expected);
  });
});

describe('settings', () => {
  it('response cache: five seconds in every keyed endpoint unless set otherwise, never in the health probe', () => {
    const cached = (context: Record<string, unknown>) =>
      withType(resourcesOf(context), 'AWS::Lambda::Function')
        .map((lambda) => ({ id: lambda.id, seconds: variablesOf(lambda).RESPONSE_CACHE_SECONDS }))
        .filter(({ seconds }) => seconds !== undefined);
    const byDefault = cached({});
    expect(byDefault.map(({ seconds }) => seconds)).toEqual(Array(OPERATION_IDS.length - 1).fill('5'));
    expect(byDefault.filter(({ id }) => /health|authorizer|ingest|keysync/i.test(id))).toEqual([]);
    expect(new Set(cached(MOST_SETTINGS).map(({ seconds }) => seconds))).toEqual(new Set(['2']));
    expect(cached(LEAST_SETTINGS)).toEqual([]);
  });

  it('firewall: in prod unless switched off, in dev where it is asked for', () => {
    const rules = (stage: StageName, context: Record<string, unknown>) =>
      withType(sharedStacks(stage, context).resources, 'AWS::WAFv2::WebACL').flatMap(({ properties }) =>
        listAt(properties.Rules).map((rule) => at(rule, 'Name')),
      );
    expect(rules('dev', {})).toEqual([]);
    expect(rules('dev', MOST_SETTINGS)).toEqual(['rate-per-address', 'rate-per-viewer']);
    expect(rules('prod', {})).toEqual(['rate-per-address', 'rate-per-viewer']);
    expect(rules('prod', { portal: 'false' })).toEqual(['rate-per-address']);
    expect(rules('prod', UNGUARDED)).toEqual([]);
  });

  it('the limit of the firewall is a setting, of both rules', () => {
    const limits = (stage: StageName, context: Record<string, unknown>) =>
      withType(sharedStacks(stage, context).resources, 'AWS::WAFv2::WebACL').flatMap(({ properties }) =>
        listAt(properties.Rules).map((rule) => at(rule, 'Statement', 'RateBasedStatement', 'Limit')),
      );
    expect(limits('prod', {})).toEqual([3000, 3000]);
    expect(limits('prod', { portal: 'false' })).toEqual([3000]);
    expect(limits('dev', MOST_SETTINGS)).toEqual([12_000, 12_000]);
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
    const machine = (context: Record<string, unknown>) =>
      at(
        withType(resourcesOf(context), 'AWS::StepFunctions::StateMachine')[0]?.properties
          .TracingConfiguration,
        'Enabled',
      );
    expect([machine({}) ?? false, machine(MOST_SETTINGS)]).toEqual([false, true]);
    expect(JSON.stringify(grantsIn(resourcesOf()))).not.toContain('xray:');
    expect(new Set(traced({}))).toEqual(new Set([undefined, false]));
    expect(new Set(traced(MOST_SETTINGS))).toEqual(new Set(['Active', true]));
  });

  it('schedules: of sources, dataset and status on unless switched off, of the key reconciliation and the watch always', () => {
    const states = (context: Record<string, unknown>) =>
      withType(resourcesOf(context), 'AWS::Scheduler::Schedule').map(({ stack, properties }) => {
        const input = JSON.parse(String(at(properties.Target, 'Input')));
        return `${'source' in input ? 'source' : stack === 'portal' ? 'portal' : 'others'} ${properties.State}`;
      });
    expect(new Set(states({}))).toEqual(new Set(['source ENABLED', 'portal ENABLED', 'others ENABLED']));
    expect(new Set(states(LEAST_SETTINGS))).toEqual(
      new Set(['source DISABLED', 'portal DISABLED', 'others ENABLED']),
    );
  });

  it('origins: preflights and headers for the named ones only', () => {
    const resources = resourcesOf(MOST_SETTINGS);
    const preflights = withType(resources, 'AWS::ApiGateway::Method').filter(
      ({ properties }) => properties.HttpMethod === 'OPTIONS',
    );
    expect(preflights.length).toBeGreaterThan(0);
    // The responses state the list, and browsers ignore a second one here.
    expect(JSON.stringify(preflights)).not.toContain('Expose-Headers');
    for (const { properties } of preflights)
      expect(JSON.stringify(properties)).toContain(
        `"method.response.header.Access-Control-Max-Age":"'3600'"`,
      );
    // The gateway's own errors name every origin, because a gateway response cannot choose between two.
    for (const response of withType(resources, 'AWS::ApiGateway::GatewayResponse'))
      expect(response.properties.ResponseParameters).toMatchObject({
        'gatewayresponse.header.Access-Control-Allow-Origin': "'*'",
        'gatewayresponse.header.Access-Control-Expose-Headers': expect.stringContaining('Retry-After'),
      });
  });

  it('a changed override of a method redeploys the API', () => {
    const deploymentOf = (value: string): string => {
      // Loading what validates a template takes seconds.
      const stack = new Stack(new App({ builtinCloudFormationValidation: false }));
      const api = new RestApi(stack, 'Api', { cloudWatchRole: false });
      overrideMethod(
        api.root.addMethod('OPTIONS', new MockIntegration()),
        'Integration.ContentHandling',
        value,
      );
      const resources = Template.fromStack(stack).findResources('AWS::ApiGateway::Deployment');
      return Object.keys(resources).join();
    };
    expect(deploymentOf('CONVERT_TO_TEXT')).toBe(deploymentOf('CONVERT_TO_TEXT'));
    expect(deploymentOf('CONVERT_TO_TEXT')).not.toBe(deploymentOf('CONVERT_TO_BINARY'));
  });

  it('domain: an empty base path in front of the stage, over TLS 1.2', () => {
    const resources = resourcesOf(MOST_SETTINGS);
    const [domain] = withType(resources, 'AWS::ApiGateway::DomainName');
    const [mapping] = withType(resources, 'AWS::ApiGateway::BasePathMapping');
    expect(domain?.properties.SecurityPolicy).toBe('TLS_1_2');
    expect(mapping?.properties.BasePath).toBeUndefined();
  });
});

it('leaves a plan that is recreated, and nothing else, out of the stack for one deployment', () => {
  const partsOf = (context: Record<string, unknown>) => {
    const { resources, outputs } = sharedStacks('dev', context);
    return [...resources.map(({ stack, id }) => `${stack} ${id}`), ...outputs];
  };
  const [all, without] = [partsOf({}), partsOf(WITHOUT_STARTER)];
  expect(all.filter((part) => !without.includes(part))).toEqual(['api StarterPlan', 'StarterPlanId']);
  expect(without.filter((part) => !all.includes(part))).toEqual([]);
});

it('the back-fill repeats each step with its own result until it is done', () => {
  const [machine] = withType(resourcesOf(), 'AWS::StepFunctions::StateMachine');
  const text = listAt(machine?.properties.DefinitionString, 'Fn::Join', 1)
    .map((part) => (typeof part === 'string' ? part : 'arn'))
    .join('');
  const done = (next: string) => [{ Variable: '$.done', BooleanEquals: true, Next: next }];
  expect(JSON.parse(text)).toMatchObject({
    StartAt: 'Load',
    States: {
      Load: { Next: 'LoadIsDone', Parameters: { backFill: 'load', 'request.$': '$' } },
      LoadIsDone: { Choices: done('Apply'), Default: 'Load' },
      Apply: { Next: 'ApplyIsDone', Parameters: { backFill: 'apply', 'request.$': '$' } },
      ApplyIsDone: { Choices: done('Done'), Default: 'Apply' },
      Done: { Type: 'Succeed' },
    },
  });
});

it('the back-fill alarms when one fails, and when one takes longer than it may', () => {
  const alarm = alarmOf(resourcesOf(), 'a-back-fill-fails');
  expect(JSON.stringify(alarm?.Metrics)).toMatch(/ExecutionsFailed.*ExecutionsTimedOut/);
});

it('synthesis stops with the folder and the remedy when a handler was not built', () => {
  const handlersDir = placeholderHandlers(['ingest', 'watch']);
  expect(() => createTestApp('dev', { handlersDir })).toThrow(/authorizer: run "npm run build"/);
});

describe('the application', () => {
  it('is without a portal where a stage has none', () => {
    expect(createTestApp('dev', { portal: 'false' }).application.portal).toBeUndefined();
  });

  it('says what to do when the portal is not built', () => {
    expect(() => createTestApp('dev', { portalDir: '/not-there' })).toThrow('npm run build -- portal');
  });

  it('is refused before a deployment when its pages do not fit into the function of CloudFront', () => {
    const portalDir = placeholderPortal();
    for (let page = 0; page < 400; page += 1)
      writeFileSync(join(portalDir, `a-page-of-the-portal-${page}`), '');
    expect(() => createTestApp('dev', { portalDir })).toThrow(
      /Paths has 1\d{4} bytes, and CloudFront takes 10240/,
    );
  });
});
