/** The stage that the key command works on: a deployed one, or the service on this machine. */
import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetFunctionConfigurationCommand, InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { KeyAdministrationFailure, keySyncFunctionName } from '../../core/keys/administration.ts';
import { LOCAL_TIERS } from '../../core/keys/entitlements.ts';
import { asked, createGatewayKeyAdministration } from '../../core/keys/gateway-administration.ts';
import { KEY_PREFIXES } from '../../core/keys/key.ts';
import { createKeyStore } from '../../core/keys/key-table.ts';
import { openTables } from '../../core/store/open-tables.ts';
import { createKeySync } from '../../lambdas/key-sync/key-sync.ts';
import { findService } from '../../local/service/data-directory.ts';
import { StartError } from '../../local/start-error.ts';
import type { KeyStage } from './key-commands.ts';
import type { StageName, Target } from './run-key-command.ts';

/** The embedded services accept any credentials, but the SDK requires some. */
const ANY_CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' } as const;

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
  const place = { region: 'local', credentials: ANY_CREDENTIALS };
  const { stage, apiId, controlPlane, store, keysTable } = service;
  const administration = createGatewayKeyAdministration(
    new APIGatewayClient({ ...place, endpoint: controlPlane }),
    { stage, apiId },
  );
  const client = new DynamoDBClient({ ...place, endpoint: store });
  const { apiKeys } = openTables(client, { apiKeys: keysTable });
  const synchronize = createKeySync({
    listing: administration,
    keys: createKeyStore(apiKeys),
    scope: { stage, prefix: KEY_PREFIXES.dev, tiers: LOCAL_TIERS },
    onIgnored: () => {},
    onUnknownTier: () => {},
  });
  return { stage, kind: 'dev', administration, synchronize };
}

/** Throws `StartError` when no service runs on the data directory, or when the stage is not deployed. */
export const openKeyStage = async (target: Target): Promise<KeyStage> =>
  'dataDir' in target ? localStage(target.dataDir) : deployedStage(target.stage);
