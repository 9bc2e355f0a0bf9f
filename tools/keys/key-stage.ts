/** The stage that the key command works on: a deployed one, or the service on this machine. */
import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { GetFunctionConfigurationCommand, InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { KeyAdministrationFailure, keySyncFunctionName } from '../../core/keys/administration.ts';
import { asked, createGatewayKeyAdministration } from '../../core/keys/gateway-administration.ts';
import { createKeyStore } from '../../core/keys/key-table.ts';
import { findService } from '../../local/data-directory.ts';
import { LOCAL_STAGE, localKeyAdministration } from '../../local/keys.ts';
import { StartError } from '../../local/start-error.ts';
import { openStoreTables } from '../../local/tables.ts';
import type { KeyStage } from './key-commands.ts';
import type { StageName, Target } from './run-key-command.ts';

/** The API of a deployed stage, from the settings of its key reconciliation; the account may have other APIs. */
async function findApiId(lambda: LambdaClient, stage: StageName): Promise<string> {
  const FunctionName = keySyncFunctionName(stage);
  const notDeployed = `stage ${stage} is not deployed in this account and region: it has no function ${FunctionName}`;
  try {
    const { Environment } = await asked(`reading the settings of ${FunctionName}`, () =>
      lambda.send(new GetFunctionConfigurationCommand({ FunctionName })),
    );
    const apiId = Environment?.Variables?.API_ID;
    if (apiId !== undefined) return apiId;
  } catch (error) {
    if (error instanceof KeyAdministrationFailure && error.reason === 'unknown')
      throw new StartError(notDeployed);
    throw error;
  }
  throw new StartError(`${FunctionName} names no API: deploy stage ${stage} again`);
}

async function deployedStage(stage: StageName): Promise<KeyStage> {
  const lambda = new LambdaClient({});
  const apiId = await findApiId(lambda, stage);
  return {
    stage,
    kind: stage === 'prod' ? 'live' : 'dev',
    administration: createGatewayKeyAdministration(new APIGatewayClient({}), { stage, apiId }),
    async synchronize(expected) {
      const Payload = JSON.stringify({ reason: 'key command', expected });
      const { FunctionError } = await lambda.send(
        new InvokeCommand({ FunctionName: keySyncFunctionName(stage), Payload }),
      );
      if (FunctionError !== undefined) throw new Error(`the reconciliation failed (${FunctionError})`);
    },
  };
}

function localStage(dataDir: string): KeyStage {
  const service = findService(dataDir);
  if (service === undefined)
    throw new StartError(`no service runs on ${dataDir}: start it with npm start, or name its --data-dir`);
  const { apiKeys } = openStoreTables(service.store).openTables(['apiKeys'], 'patient');
  return {
    stage: LOCAL_STAGE,
    kind: 'dev',
    administration: localKeyAdministration(createKeyStore(apiKeys), Date.now),
    // The administration writes the key table itself.
    synchronize: async () => undefined,
  };
}

/** Throws `StartError` when no service runs on the data directory, or when the stage is not deployed. */
export const openKeyStage = async (target: Target): Promise<KeyStage> =>
  'dataDir' in target ? localStage(target.dataDir) : deployedStage(target.stage);
