/** The deployed stage as its operator and its callers meet it: buckets, functions, plans, and requests to the API. */
import {
  APIGatewayClient,
  CreateUsagePlanCommand,
  CreateUsagePlanKeyCommand,
  DeleteUsagePlanCommand,
  DeleteUsagePlanKeyCommand,
  GetApiKeysCommand,
  GetRestApisCommand,
  GetUsagePlanCommand,
  GetUsagePlansCommand,
  UpdateApiKeyCommand,
  UpdateUsagePlanCommand,
} from '@aws-sdk/client-api-gateway';
import { DeleteItemCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import {
  InvokeCommand,
  LambdaClient,
  ListAliasesCommand,
  ListFunctionsCommand,
} from '@aws-sdk/client-lambda';
import { ListBucketsCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { PLANS, TIER_TAG, type Tier } from '../../core/contracts/plans.ts';
import { violationsOf } from '../conformance/contract-validator.ts';
import { CREDENTIALS, REGION } from './emulator.ts';

export interface Reply {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** AWS as the emulator at `endpoint` shows it. */
export function openAccount(endpoint: string) {
  const options = { endpoint, region: REGION, credentials: CREDENTIALS };
  const storage = new S3Client({ ...options, forcePathStyle: true });
  const functions = new LambdaClient(options);
  const gateway = new APIGatewayClient(options);
  const tables = new DynamoDBClient(options);
  return {
    async invoke(name: string, event: object): Promise<Readonly<Record<string, unknown>>> {
      const { Payload, FunctionError } = await functions.send(
        new InvokeCommand({ FunctionName: name, Payload: JSON.stringify(event) }),
      );
      const text = new TextDecoder().decode(Payload);
      if (FunctionError !== undefined) throw new Error(`${name}: ${FunctionError} ${text}`);
      return JSON.parse(text);
    },

    /** The version behind the alias of each function that has it, by function. */
    async versionsBehind(alias: string): Promise<Readonly<Record<string, string>>> {
      const { Functions = [] } = await functions.send(new ListFunctionsCommand({}));
      const pairs = Functions.map(async ({ FunctionName = '' }) => {
        const { Aliases = [] } = await functions.send(new ListAliasesCommand({ FunctionName }));
        return Aliases.filter(({ Name }) => Name === alias).map(({ FunctionVersion = '' }) => [
          FunctionName,
          FunctionVersion,
        ]);
      });
      return Object.fromEntries((await Promise.all(pairs)).flat());
    },

    async put(bucket: string, key: string, body: Uint8Array): Promise<void> {
      await storage.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body }));
    },

    /** The keys of a bucket. */
    async list(bucket: string): Promise<readonly string[]> {
      const { Contents = [] } = await storage.send(new ListObjectsV2Command({ Bucket: bucket }));
      return Contents.map(({ Key }) => Key ?? '');
    },

    /** Loses the row of a port, as a faulty release would. */
    async deletePort(table: string, port: string): Promise<void> {
      await tables.send(new DeleteItemCommand({ TableName: table, Key: { port: { S: port } } }));
    },

    /** Sets a plan's burst as in the console. */
    async setBurst(usagePlanId: string, burst: number): Promise<void> {
      const patchOperations = [
        { op: 'replace' as const, path: '/throttle/burstLimit', value: String(burst) },
      ];
      await gateway.send(new UpdateUsagePlanCommand({ usagePlanId, patchOperations }));
    },

    /** Makes a plan as in the console, for a limit that no tier has. */
    async createPlan(
      name: string,
      tier: Tier,
      on: { readonly apiId: string; readonly stage: string },
      limits: { readonly burst: number; readonly monthlyQuota: number },
    ): Promise<string> {
      const { id } = await gateway.send(
        new CreateUsagePlanCommand({
          name,
          apiStages: [on],
          throttle: { rateLimit: PLANS[tier].ratePerSecond, burstLimit: limits.burst },
          quota: { limit: limits.monthlyQuota, period: 'MONTH' },
          tags: { [TIER_TAG]: tier },
        }),
      );
      if (id === undefined) throw new Error(`no id of the plan ${name}`);
      return id;
    },

    async deletePlan(usagePlanId: string): Promise<void> {
      await gateway.send(new DeleteUsagePlanCommand({ usagePlanId }));
    },

    async putOnPlan(usagePlanId: string, keyId: string): Promise<void> {
      await gateway.send(new CreateUsagePlanKeyCommand({ usagePlanId, keyId, keyType: 'API_KEY' }));
    },

    async takeOffPlan(usagePlanId: string, keyId: string): Promise<void> {
      await gateway.send(new DeleteUsagePlanKeyCommand({ usagePlanId, keyId }));
    },

    async disableKey(apiKey: string): Promise<void> {
      const patchOperations = [{ op: 'replace' as const, path: '/enabled', value: 'false' }];
      await gateway.send(new UpdateApiKeyCommand({ apiKey, patchOperations }));
    },

    async burstOf(usagePlanId: string): Promise<number | undefined> {
      const { throttle } = await gateway.send(new GetUsagePlanCommand({ usagePlanId }));
      return throttle?.burstLimit;
    },

    /** Names of the resources that cost money or store data, of all stacks but the toolkit's own. */
    async leftovers(prefix: string): Promise<readonly string[]> {
      const { Buckets = [] } = await storage.send(new ListBucketsCommand({}));
      const { TableNames = [] } = await tables.send(new ListTablesCommand({}));
      const { Functions = [] } = await functions.send(new ListFunctionsCommand({}));
      const { items = [] } = await gateway.send(new GetRestApisCommand({}));
      const { items: plans = [] } = await gateway.send(new GetUsagePlansCommand({}));
      const { items: keys = [] } = await gateway.send(new GetApiKeysCommand({}));
      return [
        ...Buckets.map(({ Name }) => Name ?? '').filter((name) => name.startsWith(prefix)),
        ...TableNames,
        ...Functions.map(({ FunctionName }) => FunctionName ?? ''),
        ...[...items, ...plans, ...keys].map(({ name }) => name ?? ''),
      ];
    },
  };
}

export type Account = ReturnType<typeof openAccount>;

/** The address of a stage's API. */
export const addressOf = (endpoint: string, apiId: string, stage: string): string =>
  `${endpoint}/restapis/${apiId}/${stage}/_user_request_`;

/** Requests to the API `apiId`, each checked against the published contract; a reply that breaks it throws. */
export function openApi(endpoint: string, apiId: string, stage: string) {
  const base = addressOf(endpoint, apiId, stage);
  return async (path: string, key?: string): Promise<Reply> => {
    const response = await fetch(
      `${base}${path}`,
      key === undefined ? {} : { headers: { 'X-API-Key': key } },
    );
    const headers: Record<string, string> = {};
    response.headers.forEach((value, name) => {
      headers[name] = value;
    });
    const reply = {
      status: response.status,
      headers,
      text: await response.text(),
    };
    const violations = violationsOf('GET', path, reply);
    if (violations.length > 0) throw new Error(`${path}: ${violations.join('; ')}\n${reply.text}`);
    return reply;
  };
}

export type Ask = ReturnType<typeof openApi>;
