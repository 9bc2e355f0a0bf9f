/** How the key command finds the API of a deployed stage. */
import { APIGatewayClient, GetUsagePlansCommand } from '@aws-sdk/client-api-gateway';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import { openKeyStage } from '../../../../tools/keys/key-commands.ts';

const lambda = mockClient(LambdaClient);
const gateway = mockClient(APIGatewayClient);
const DEV = { stage: 'dev' } as const;
const FUNCTION = 'port-congestion-dev-key-sync';

beforeEach(() => {
  lambda.reset();
  gateway.reset();
});
afterAll(() => {
  lambda.restore();
  gateway.restore();
});

describe('a deployed stage', () => {
  it('is the API that its key reconciliation names, not another with a stage of that name', async () => {
    lambda
      .on(GetFunctionConfigurationCommand, { FunctionName: FUNCTION })
      .resolves({ Environment: { Variables: { API_ID: 'ours', API_STAGE: 'dev' } } });
    gateway.on(GetUsagePlansCommand).resolves({
      items: [
        { id: '1', name: 'Pro', apiStages: [{ apiId: 'ours', stage: 'dev' }] },
        { id: '2', name: 'Pro', apiStages: [{ apiId: 'theirs', stage: 'dev' }] },
      ],
    });
    const { administration } = await openKeyStage(DEV);
    expect((await administration.plans()).map(({ id }) => id)).toEqual(['1']);
  });

  it('that is not there is named, with the function that was looked for', async () => {
    lambda
      .on(GetFunctionConfigurationCommand)
      .rejects(Object.assign(new Error('not found'), { name: 'ResourceNotFoundException' }));
    await expect(openKeyStage(DEV)).rejects.toThrow(
      `stage dev is not deployed in this account and region: it has no function ${FUNCTION}`,
    );
  });

  it('that names no API is to be deployed again', async () => {
    lambda.on(GetFunctionConfigurationCommand).resolves({ Environment: { Variables: {} } });
    await expect(openKeyStage(DEV)).rejects.toThrow('names no API: deploy stage dev again');
  });

  it('without credentials fails as what it is', async () => {
    lambda
      .on(GetFunctionConfigurationCommand)
      .rejects(Object.assign(new Error('could not load'), { name: 'CredentialsProviderError' }));
    await expect(openKeyStage(DEV)).rejects.toMatchObject({ reason: 'no_credentials' });
  });
});
