/** Reads the whole service from a synthesized cloud assembly; anything unsupported stops the start. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorText, StartError } from '../start-error.ts';
import type {
  AuthorizerModel,
  FunctionModel,
  GatewayResponseModel,
  PlanModel,
  RouteModel,
  ScheduleModel,
  ServiceModel,
  TableModel,
} from './model.ts';
import { refuseUnknownTypes, supportedResources } from './supported.ts';
import { LOCAL_ACCOUNT, LOCAL_REGION, Template } from './template.ts';

// Reads the functions of a template, and the schedules that call them.

const DEFAULT_TIMEOUT_SECONDS = 3;
const DEFAULT_MEGABYTES = 128;
const DEFAULT_RETRIES = 2;
const DEFAULT_EVENT_AGE_SECONDS = 6 * 3600;

const resourceArn = (name: string): string =>
  `arn:aws:lambda:${LOCAL_REGION}:${LOCAL_ACCOUNT}:function:${name}`;

/**
 * The functions whose ARNs are in `called`. Others, such as CloudFormation's own helpers, are ignored:
 * nothing on one machine calls them.
 */
function readFunctions(template: Template, called: ReadonlySet<string>): ReadonlyMap<string, FunctionModel> {
  const invocations = new Map(
    supportedResources(template, 'AWS::Lambda::EventInvokeConfig').map(({ is }) => [is.FunctionName, is]),
  );
  const isCalled = (name: string): boolean => called.has(resourceArn(name));
  const functions = supportedResources(template, 'AWS::Lambda::Function', isCalled).map((found) => {
    const { is, assetFolder } = found;
    const name = found.name;
    const [module = '', exportName = ''] = is.Handler.split('.');
    const candidates = ['cjs', 'js'].map((ending) => join(assetFolder ?? '', `${module}.${ending}`));
    const file = assetFolder === undefined ? undefined : candidates.find((path) => existsSync(path));
    if (file === undefined)
      throw new StartError(`${found.stack}/${found.id}: no built module for ${is.Handler} in ${assetFolder}`);
    const asynchronous = invocations.get(name);
    const model: FunctionModel = {
      arn: resourceArn(name),
      name,
      file,
      exportName,
      environment: is.Environment?.Variables ?? {},
      timeoutMs: (is.Timeout ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
      memoryMegabytes: is.MemorySize ?? DEFAULT_MEGABYTES,
      retryAttempts: asynchronous?.MaximumRetryAttempts ?? DEFAULT_RETRIES,
      eventAgeMs: (asynchronous?.MaximumEventAgeInSeconds ?? DEFAULT_EVENT_AGE_SECONDS) * 1000,
      deadLetters: asynchronous?.DestinationConfig?.OnFailure?.Destination,
    };
    return [model.arn, model] as const;
  });
  const models = new Map(functions);
  for (const arn of called)
    if (!models.has(arn)) throw new StartError(`${arn} is called, but no function of the template has it`);
  return models;
}

function parseInput(text: string | undefined, where: string): unknown {
  try {
    return text === undefined ? {} : JSON.parse(text);
  } catch (thrown) {
    throw new StartError(`${where}: Target.Input is not JSON: ${errorText(thrown)}`);
  }
}

/** The enabled schedules. */
function readSchedules(template: Template): ScheduleModel[] {
  return supportedResources(template, 'AWS::Scheduler::Schedule')
    .filter(({ is }) => is.State !== 'DISABLED')
    .map(({ is, stack, id }) => ({
      name: `${stack}/${id}`,
      expression: is.ScheduleExpression,
      functionArn: is.Target.Arn,
      input: parseInput(is.Target.Input, `${stack}/${id}`),
    }));
}

// Reads the API of a template: its routes, gateway responses and usage plans.

const DEFAULT_INTEGRATION_TIMEOUT_MS = 29_000;
const DEFAULT_CACHE_SECONDS = 300;

function theOnly<T>(found: readonly T[], what: string): T {
  const [first, ...others] = found;
  if (first === undefined || others.length > 0)
    throw new StartError(`the template must have one ${what}, it has ${found.length}`);
  return first;
}

/** Id of the one API and name of its one stage. */
function readApi(template: Template): { readonly apiId: string; readonly stage: string } {
  const api = theOnly(supportedResources(template, 'AWS::ApiGateway::RestApi'), 'REST API');
  const stage = theOnly(supportedResources(template, 'AWS::ApiGateway::Stage'), 'stage');
  return { apiId: api.name, stage: stage.is.StageName };
}

/** Full path of every resource, by its id. */
function readPaths(template: Template, apiId: string): Map<string, string> {
  const resources = new Map(
    supportedResources(template, 'AWS::ApiGateway::Resource').map(({ name, is }) => [name, is]),
  );
  const makePath = (id: string): string => {
    const resource = resources.get(id);
    if (id === `${apiId}.RootResourceId`) return '';
    if (!resource) throw new StartError(`${id} is used as a resource of the API, but is not one`);
    return `${makePath(resource.ParentId)}/${resource.PathPart}`;
  };
  return new Map([
    [`${apiId}.RootResourceId`, '/'],
    ...[...resources.keys()].map((id) => [id, makePath(id)] as const),
  ]);
}

function readAuthorizers(template: Template): Map<string, AuthorizerModel> {
  return new Map(
    supportedResources(template, 'AWS::ApiGateway::Authorizer').map(({ name, is }) => [
      name,
      {
        functionArn: is.AuthorizerUri,
        identityHeader: is.IdentitySource,
        cacheMs: (is.AuthorizerResultTtlInSeconds ?? DEFAULT_CACHE_SECONDS) * 1000,
      },
    ]),
  );
}

function readRoutes(template: Template, apiId: string): RouteModel[] {
  const paths = readPaths(template, apiId);
  const authorizers = readAuthorizers(template);
  return supportedResources(template, 'AWS::ApiGateway::Method').map(({ stack, id, is }) => {
    const path = paths.get(is.ResourceId);
    const authorizer = authorizers.get(is.AuthorizerId ?? '');
    if (path === undefined) throw new StartError(`${stack}/${id}: ResourceId names no resource of the API`);
    if ((is.AuthorizationType === 'CUSTOM') !== (authorizer !== undefined))
      throw new StartError(`${stack}/${id}: AuthorizationType and AuthorizerId do not agree`);
    return {
      method: is.HttpMethod,
      path,
      resourceId: is.ResourceId,
      functionArn: is.Integration.Uri,
      integrationTimeoutMs: is.Integration.TimeoutInMillis ?? DEFAULT_INTEGRATION_TIMEOUT_MS,
      authorizer,
      apiKeyRequired: is.ApiKeyRequired ?? false,
    };
  });
}

function readGatewayResponses(template: Template): GatewayResponseModel[] {
  const prefix = 'gatewayresponse.header.'.length;
  return supportedResources(template, 'AWS::ApiGateway::GatewayResponse').map(({ is }) => ({
    type: is.ResponseType,
    status: is.StatusCode === undefined ? undefined : Number(is.StatusCode),
    headers: Object.fromEntries(
      Object.entries(is.ResponseParameters ?? {}).map(([name, value]) => [name.slice(prefix), value]),
    ),
    template: is.ResponseTemplates?.['application/json'],
  }));
}

function readPlans(template: Template): PlanModel[] {
  return supportedResources(template, 'AWS::ApiGateway::UsagePlan').map(({ name, is }) => ({
    id: name,
    name: is.UsagePlanName,
    throttle: is.Throttle && { ratePerSecond: is.Throttle.RateLimit, burst: is.Throttle.BurstLimit },
    monthlyQuota: is.Quota?.Limit,
    stages: (is.ApiStages ?? []).map(({ ApiId, Stage }) => ({ apiId: ApiId, stage: Stage })),
    tags: Object.fromEntries((is.Tags ?? []).map(({ Key, Value }) => [Key, Value])),
  }));
}

function readTables(template: Template): TableModel[] {
  const tables = [
    ...supportedResources(template, 'AWS::DynamoDB::Table'),
    ...supportedResources(template, 'AWS::DynamoDB::GlobalTable'),
  ];
  return tables.map(({ name, is: { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes } }) => ({
    name,
    AttributeDefinitions,
    KeySchema,
    GlobalSecondaryIndexes,
  }));
}

/** Throws `StartError` naming the unsupported resource and property. */
export function readServiceModel(directory: string): ServiceModel {
  const template = Template.load(directory);
  refuseUnknownTypes(template);
  supportedResources(template, 'AWS::Events::Rule');
  const { apiId, stage } = readApi(template);
  const routes = readRoutes(template, apiId);
  const schedules = readSchedules(template);
  const called = new Set([
    ...routes.flatMap(({ functionArn, authorizer }) => [
      functionArn,
      ...(authorizer ? [authorizer.functionArn] : []),
    ]),
    ...schedules.map(({ functionArn }) => functionArn),
  ]);
  return {
    apiId,
    stage,
    routes,
    gatewayResponses: readGatewayResponses(template),
    plans: readPlans(template),
    functions: readFunctions(template, called),
    tables: readTables(template),
    schedules,
  };
}
