/** Authorizer cache, native throttle and quota, as the gateway applies them. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AssemblyOptions, apiResources } from '../../../builders/assembly.ts';
import { keyOnPlan, startTestGateway, type TestGateway } from './running-gateway.ts';

const COUNTING_GATE = (effect: string) => `
let calls = 0;
exports.handler = async (event) => ({
  principalId: 'p', context: { calls: ++calls, limit: 60 }, usageIdentifierKey: event.headers['X-API-Key'],
  policyDocument: { Version: '2012-10-17', Statement: [{ Action: 'execute-api:Invoke', Effect: '${effect}', Resource: event.methodArn.split('/').slice(0, 2).join('/') + '/*' }] },
});`;

let gateway: TestGateway;
const start = async (options: AssemblyOptions = {}): Promise<TestGateway> => {
  gateway = await startTestGateway(options);
  return gateway;
};
afterEach(() => gateway.close());

const ask = (key: string, path = '/v1/things/a') => gateway.send(path, { headers: { 'X-API-Key': key } });
const callsOf = async (key: string): Promise<string> =>
  JSON.parse((await ask(key)).body).event.requestContext.authorizer.calls;

describe('the authorizer', () => {
  beforeEach(() => start({ sources: { Gate: COUNTING_GATE('Allow') } }));

  it('is asked once for each key in the time that the template gives', async () => {
    const [first, second] = [keyOnPlan(gateway, 'Starter', 'one'), keyOnPlan(gateway, 'Starter', 'two')];
    expect([await callsOf(first), await callsOf(first), await callsOf(second)]).toEqual(['1', '1', '2']);
    gateway.clock.now += 59_999;
    expect(await callsOf(first)).toBe('1');
    gateway.clock.now += 1;
    expect(await callsOf(first)).toBe('3');
  });
});

/** Refuses the first request, and grants every later one. */
const LATE_GATE = `
let effect = 'Deny';
exports.handler = async (event) => {
  const Statement = [{ Action: 'execute-api:Invoke', Effect: effect, Resource: '*' }];
  effect = 'Allow';
  return { principalId: 'p', policyDocument: { Version: '2012-10-17', Statement }, usageIdentifierKey: event.headers['X-API-Key'] };
};`;

it('keeps a refusal for five seconds, so that a key made meanwhile works soon', async () => {
  await start({ sources: { Gate: LATE_GATE } });
  const key = keyOnPlan(gateway, 'Starter');
  expect((await ask(key)).status).toBe(401);
  gateway.clock.now += 4999;
  expect((await ask(key)).status).toBe(401);
  gateway.clock.now += 1;
  expect((await ask(key)).status).toBe(200);
});

describe('the native throttle', () => {
  beforeEach(() => start());

  it('refuses a flood, with the headers of the template, and lets the next second in', async () => {
    const key = keyOnPlan(gateway, 'Starter');
    const statuses = await Promise.all(Array.from({ length: 70 }, async () => (await ask(key)).status));
    // Burst 5 and headroom 50.
    expect(statuses.filter((status) => status === 200)).toHaveLength(55);
    const refused = await ask(key);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
    expect(refused.headers['ratelimit-limit']).toBe('60');
    gateway.clock.now += 1000;
    expect([(await ask(key)).status, (await ask(key)).status]).toEqual([200, 429]);
  });

  it('does not count requests that the function refused', async () => {
    const key = keyOnPlan(gateway, 'Starter');
    for (let turn = 0; turn < 80; turn += 1) await ask(key, '/v1/things/limited');
    expect((await ask(key)).status).toBe(200);
  });
});

it('waits no longer for a function than the integration says', async () => {
  const api = apiResources();
  const { Integration } = (api.ThingGet as { Properties: { Integration: Record<string, unknown> } })
    .Properties;
  Integration.TimeoutInMillis = 50;
  await start({ api });
  const reply = await ask(keyOnPlan(gateway, 'Starter'), '/v1/things/hang');
  expect([reply.status, JSON.parse(reply.body).code]).toEqual([504, 'upstream_error']);
});
