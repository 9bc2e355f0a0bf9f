/** API Gateway's control plane through the SDK: pages, stages, tags, and what its failures become. */
import {
  APIGatewayClient,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
  DeleteApiKeyCommand,
  DeleteUsagePlanKeyCommand,
  GetApiKeysCommand,
  GetUsagePlanKeysCommand,
  GetUsagePlansCommand,
  UpdateApiKeyCommand,
} from '@aws-sdk/client-api-gateway';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import { createGatewayKeyAdministration } from '../../../core/access/gateway-administration.ts';

const gateway = mockClient(APIGatewayClient);
const administration = createGatewayKeyAdministration(new APIGatewayClient({ region: 'eu-north-1' }), {
  stage: 'dev',
  apiId: 'api1',
});

const failure = (name: string, message = 'because\n  of this'): Error =>
  Object.assign(new Error(message), { name });

beforeEach(() => {
  gateway.reset();
});
afterAll(() => gateway.restore());

describe('listing', () => {
  it('follows the pages of keys, with values, to the last', async () => {
    gateway
      .on(GetApiKeysCommand, { includeValues: true, limit: 500 })
      .resolves({
        items: [{ id: 'a', name: 'acme', value: 'v1', enabled: true, createdDate: new Date(0) }],
        position: 'p1',
      })
      .on(GetApiKeysCommand, { includeValues: true, limit: 500, position: 'p1' })
      .resolves({ items: [], position: 'p2' })
      .on(GetApiKeysCommand, { includeValues: true, limit: 500, position: 'p2' })
      .resolves({ items: [{ id: 'b', value: 'v2', tags: { 'pcd:stage': 'prod' } }] });
    expect(await administration.keys()).toEqual([
      { id: 'a', name: 'acme', value: 'v1', enabled: true, created: '1970-01-01T00:00:00.000Z' },
      { id: 'b', name: '', value: 'v2', enabled: false, stage: 'prod' },
    ]);
  });

  it('takes the plans of this API and stage alone, each with its own throttle and tier', async () => {
    const here = [{ apiId: 'api1', stage: 'dev' }];
    const lite = { tags: { 'pcd:tier': 'lite' }, throttle: { rateLimit: 2, burstLimit: 600 } };
    gateway.on(GetUsagePlansCommand).resolves({
      items: [
        { id: '1', name: 'Lite', apiStages: here, ...lite },
        { id: '2', name: 'No throttle', apiStages: [{ apiId: 'other', stage: 'dev' }, ...here] },
        { id: '3', name: 'In prod', apiStages: [{ apiId: 'api1', stage: 'prod' }] },
        { id: '4', name: 'In another API', apiStages: [{ apiId: 'other', stage: 'dev' }] },
        { id: '5', name: 'In no API' },
      ],
    });
    expect(await administration.plans()).toEqual([
      { id: '1', name: 'Lite', tier: 'lite', throttle: { ratePerSecond: 2, burst: 600 } },
      { id: '2', name: 'No throttle' },
    ]);
  });

  it('names the keys of a plan', async () => {
    gateway
      .on(GetUsagePlanKeysCommand, { usagePlanId: 'p' })
      .resolvesOnce({ items: [{ id: 'a' }], position: 'more' })
      .resolvesOnce({ items: [{ id: 'b' }, {}] });
    expect(await administration.keyIdsOf('p')).toEqual(['a', 'b']);
  });

  it('is none when a page comes twice, or a key without its value', async () => {
    gateway.on(GetApiKeysCommand).resolves({ items: [], position: 'again' });
    await expect(administration.keys()).rejects.toMatchObject({ reason: 'unavailable' });
    gateway.on(GetApiKeysCommand).resolves({ items: [{ id: 'a', name: 'acme' }] });
    await expect(administration.keys()).rejects.toMatchObject({ reason: 'unavailable' });
  });

  it.each([
    ['CredentialsProviderError', 'no_credentials'],
    ['UnrecognizedClientException', 'no_credentials'],
    ['ExpiredTokenException', 'no_credentials'],
    ['AccessDeniedException', 'not_allowed'],
    ['NotFoundException', 'unknown'],
    ['ConflictException', 'conflict'],
    ['TooManyRequestsException', 'unavailable'],
  ])('that fails with %s fails as %s, in one line', async (name, reason) => {
    gateway.on(GetUsagePlansCommand).rejects(failure(name));
    await expect(administration.plans()).rejects.toMatchObject({
      name: 'KeyAdministrationFailure',
      reason,
      message: 'listing plans: because of this',
    });
  });

  it('without a region says that there are no credentials to work with', async () => {
    gateway.on(GetUsagePlansCommand).rejects(failure('Error', 'Region is missing'));
    await expect(administration.plans()).rejects.toMatchObject({ reason: 'no_credentials' });
  });
});

describe('changing', () => {
  it('creates a key by its digest, tagged for its stage', async () => {
    const key = { name: 'acme', digest: 'd'.repeat(64), stage: 'dev' };
    const input = { name: 'acme', value: key.digest, enabled: true, tags: { 'pcd:stage': 'dev' } };
    gateway.on(CreateApiKeyCommand, input).resolves({ id: 'new' });
    expect(await administration.create(key)).toBe('new');
    gateway.on(CreateApiKeyCommand).resolves({});
    await expect(administration.create(key)).rejects.toMatchObject({ reason: 'unavailable' });
  });

  it('patches name and state, and moves keys on and off plans', async () => {
    gateway.onAnyCommand().resolves({});
    await administration.rename('k', 'other');
    await administration.setEnabled('k', false);
    await administration.addToPlan('k', 'p');
    await administration.removeFromPlan('k', 'p');
    await administration.delete('k');
    const sent = gateway.calls().map(({ args: [command] }) => [command.constructor, command.input]);
    const patch = (path: string, value: string) => ({
      apiKey: 'k',
      patchOperations: [{ op: 'replace', path, value }],
    });
    const plan = { usagePlanId: 'p', keyId: 'k' };
    expect(sent).toEqual([
      [UpdateApiKeyCommand, patch('/name', 'other')],
      [UpdateApiKeyCommand, patch('/enabled', 'false')],
      [CreateUsagePlanKeyCommand, { ...plan, keyType: 'API_KEY' }],
      [DeleteUsagePlanKeyCommand, plan],
      [DeleteApiKeyCommand, { apiKey: 'k' }],
    ]);
  });
});
