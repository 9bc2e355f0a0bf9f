/** Statements of the interface that only the templates can show, by their numbers in the checklist. */
import { describe, expect, it } from '@jest/globals';
import { CONTEXT_RATE_LIMIT, CONTEXT_RATE_RESET, KEY_PREFIXES } from '../../core/access/keys.ts';
import { ERRORS, type ErrorCode, errorEnvelope } from '../../core/contracts/errors.ts';
import { GATEWAY_ERRORS } from '../../core/http/gateway-errors.ts';
import { TABLES } from '../../core/store/tables.ts';
import {
  at,
  functionOf,
  listAt,
  objectAt,
  refersTo,
  sharedStacks,
  variablesOf,
  withType,
} from '../builders/stacks.ts';

const STACKS = {
  dev: sharedStacks('dev').resources,
  prod: sharedStacks('prod').resources,
};

const RESPONSES = withType(STACKS.prod, 'AWS::ApiGateway::GatewayResponse').map(({ properties }) => {
  const template = String(at(properties.ResponseTemplates, 'application/json'));
  const headers = Object.entries(objectAt(properties.ResponseParameters)).map(
    ([name, value]) => [name.replace('gatewayresponse.header.', ''), String(value)] as const,
  );
  return {
    type: String(properties.ResponseType),
    status: properties.StatusCode === undefined ? undefined : Number(properties.StatusCode),
    headers: Object.fromEntries(headers),
    template,
    body: JSON.parse(template) as Record<string, unknown>,
  };
});
const responseOf = (type: string) => {
  const found = RESPONSES.find((response) => response.type === type);
  if (found === undefined) throw new Error(`there is no gateway response ${type}`);
  return found;
};

const plansOf = (stage: keyof typeof STACKS) =>
  Object.fromEntries(
    withType(STACKS[stage], 'AWS::ApiGateway::UsagePlan').map(({ properties }) => [
      String(listAt(properties.Tags).map((tag) => at(tag, 'Value'))[0]),
      { quota: properties.Quota, throttle: properties.Throttle, stages: properties.ApiStages },
    ]),
  );

describe('keys', () => {
  it('[S5.08] no template contains a key, and the key table is keyed by the digest', () => {
    const all = JSON.stringify([STACKS.dev, STACKS.prod]);
    expect(all).not.toMatch(/AWS::ApiGateway::ApiKey"/);
    const tables = withType(STACKS.prod, 'AWS::DynamoDB::Table');
    const table = tables.find(({ id }) => id.startsWith('ApiKeys'));
    expect(table?.properties.KeySchema).toEqual([{ AttributeName: 'digest', KeyType: 'HASH' }]);
    expect(TABLES.apiKeys.partitionKey).toBe('digest');
  });

  it('[S5.09] each stage has a key table of its own and takes its own kind of key', () => {
    for (const [stage, prefix] of [
      ['dev', KEY_PREFIXES.dev],
      ['prod', KEY_PREFIXES.live],
    ] as const) {
      const { KEY_PREFIX, API_KEYS_TABLE } = variablesOf(functionOf(STACKS[stage], 'Authorizer'));
      expect(KEY_PREFIX).toBe(prefix);
      expect(at(API_KEYS_TABLE, 'Fn::GetStackOutput', 'StackName')).toBe(`pcd-${stage}-data`);
    }
  });

  it('[S5.11] console changes are carried over within five minutes, and at once where there is a trail', () => {
    const { id, properties } = functionOf(STACKS.prod, 'KeyReconciliation');
    expect(properties.FunctionName).toBe('port-congestion-prod-key-sync');
    const rates = withType(STACKS.prod, 'AWS::Scheduler::Schedule')
      .filter(({ properties }) => refersTo(at(properties.Target, 'Arn'), id))
      .map(({ properties }) => properties.ScheduleExpression);
    expect(rates).toEqual(['rate(5 minutes)']);
    const [rule] = withType(STACKS.prod, 'AWS::Events::Rule');
    const [mapping] = withType(STACKS.prod, 'AWS::Lambda::EventSourceMapping');
    expect(refersTo(mapping?.properties.FunctionName, id)).toBe(true);
    const queue = String(at(mapping?.properties.EventSourceArn, 'Fn::GetAtt', 0));
    expect(refersTo(at(rule?.properties.Targets, 0, 'Arn'), queue)).toBe(true);
    const pattern = objectAt(rule?.properties.EventPattern);
    expect(pattern['detail-type']).toEqual(['AWS API Call via CloudTrail']);
    expect(listAt(pattern.detail, '$or', 0, 'eventName')).toEqual(
      expect.arrayContaining(['UpdateApiKey', 'CreateUsagePlanKey', 'DeleteUsagePlanKey', 'UpdateUsagePlan']),
    );
  });

  it('[S5.14] a key that the authorizer denies gets a 401 auth_invalid', () => {
    expect(responseOf('ACCESS_DENIED')).toMatchObject({ status: 401, body: { code: 'auth_invalid' } });
  });
});

describe("the gateway's own errors", () => {
  it('there is one for every row of the contract', () => {
    expect(RESPONSES.map(({ type }) => type).sort()).toEqual(Object.keys(GATEWAY_ERRORS).sort());
  });

  it.each(RESPONSES)(
    '[S4.51] [S7.13] $type has the envelope, the request id and no caching',
    ({ headers, body, template }) => {
      expect(headers).toMatchObject({
        'x-request-id': 'context.requestId',
        'Cache-Control': "'no-store'",
        'Content-Type': "'application/json'",
      });
      expect(body.request_id).toBe('$context.requestId');
      const filled = template.replace('$context.requestId', '11111111-1111-4111-8111-111111111111');
      expect(errorEnvelope.safeParse(JSON.parse(filled)).success).toBe(true);
      expect(template).not.toMatch(/\n/);
    },
  );

  it('[S7.10] [S7.13] every status is one that the contract gives its code, and the defaults have none', () => {
    for (const { type, status, body } of RESPONSES) {
      if (type.startsWith('DEFAULT_')) expect(status).toBeUndefined();
      else if (type !== 'UNSUPPORTED_MEDIA_TYPE') {
        const { statuses }: { statuses: readonly number[] } = ERRORS[body.code as ErrorCode];
        expect(statuses).toContain(status);
      }
    }
    expect(responseOf('DEFAULT_5XX').body.code).toBe('internal_error');
    const body = { code: 'upstream_error' };
    expect(responseOf('INTEGRATION_TIMEOUT')).toMatchObject({ status: 504, body });
    expect(responseOf('INTEGRATION_FAILURE')).toMatchObject({ status: 502, body });
  });

  it('[S7.12] every 503 carries Retry-After in whole seconds', () => {
    const unavailable = RESPONSES.filter(({ status }) => status === 503);
    expect(unavailable.map(({ type }) => type)).toContain('AUTHORIZER_FAILURE');
    for (const { headers } of unavailable) expect(headers['Retry-After']).toMatch(/^'[1-9]\d*'$/);
  });

  it('wrong paths and wrong methods are 404 not_found', () => {
    for (const type of ['MISSING_AUTHENTICATION_TOKEN', 'RESOURCE_NOT_FOUND']) {
      expect(responseOf(type)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  });
});

describe('plans', () => {
  it('[S8.11] Lite, Starter and Pro have their monthly quotas', () => {
    for (const stage of ['dev', 'prod'] as const) {
      const quotas = Object.entries(plansOf(stage)).map(([tier, { quota }]) => [tier, quota]);
      expect(Object.fromEntries(quotas)).toEqual({
        lite: { Limit: 500_000, Period: 'MONTH' },
        starter: { Limit: 2_000_000, Period: 'MONTH' },
        pro: { Limit: 10_000_000, Period: 'MONTH' },
      });
    }
  });

  it('[S8.12] each plan admits one request a second and a burst of 300, on its stage', () => {
    for (const { throttle, stages } of Object.values(plansOf('prod'))) {
      expect(throttle).toEqual({ RateLimit: 1, BurstLimit: 300 });
      expect(listAt(stages)).toHaveLength(1);
    }
  });

  it('[S8.14] a monthly quota that is used up is 429 with an hour to wait, and says so', () => {
    const exceeded = responseOf('QUOTA_EXCEEDED');
    expect(exceeded).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(exceeded.headers['Retry-After']).toBe("'3600'");
    expect(exceeded.body.hint).toMatch(/monthly quota/);
  });

  it('a 429 of the gateway carries the limits from the authorizer', () => {
    for (const type of ['THROTTLED', 'QUOTA_EXCEEDED']) {
      expect(responseOf(type).headers).toMatchObject({
        'RateLimit-Limit': `context.authorizer.${CONTEXT_RATE_LIMIT}`,
        'RateLimit-Remaining': "'0'",
        'RateLimit-Reset': `context.authorizer.${CONTEXT_RATE_RESET}`,
      });
    }
  });
});
