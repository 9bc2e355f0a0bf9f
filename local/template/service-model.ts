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
    supportedResources(template, 'AWS::Lambda::EventInvokeConfig').map(({ properties }) => [
      properties.FunctionName,
      properties,
    ]),
  );
  const isCalled = (name: string): boolean => called.has(resourceArn(name));
  const functions = supportedResources(template, 'AWS::Lambda::Function', isCalled).map(
    ({ place, name, properties, assetFolder }) => {
      const [module = '', exportName = ''] = properties.Handler.split('.');
      const file = join(assetFolder ?? '', `${module}.cjs`);
      if (assetFolder === undefined || !existsSync(file))
        throw new StartError(`${place}: no built module for ${properties.Handler} in ${assetFolder}`);
      const asynchronous = invocations.get(name);
      const model: FunctionModel = {
        arn: resourceArn(name),
        name,
        file,
        exportName,
        environment: properties.Environment?.Variables ?? {},
        timeoutMs: (properties.Timeout ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
        memoryMegabytes: properties.MemorySize ?? DEFAULT_MEGABYTES,
        retryAttempts: asynchronous?.MaximumRetryAttempts ?? DEFAULT_RETRIES,
        eventAgeMs: (asynchronous?.MaximumEventAgeInSeconds ?? DEFAULT_EVENT_AGE_SECONDS) * 1000,
        deadLetters: asynchronous?.DestinationConfig?.OnFailure?.Destination,
      };
      return [model.arn, model] as const;
    },
  );
  const models = new Map(functions);
  for (const arn of called)
    if (!models.has(arn)) throw new StartError(`${arn} is called, but no function of the template has it`);
  return models;
}

/** ARNs of the functions behind the aliases, by ARN of the alias. */
function readAliases(template: Template): ReadonlyMap<string, string> {
  const versions = new Map(
    supportedResources(template, 'AWS::Lambda::Version').map(({ name, properties }) => [
      `${name}.Version`,
      properties.FunctionName,
    ]),
  );
  return new Map(
    supportedResources(template, 'AWS::Lambda::Alias').map(({ place, name, properties }) => {
      const { FunctionName, FunctionVersion } = properties;
      if (versions.get(FunctionVersion) !== FunctionName)
        throw new StartError(`${place}: FunctionVersion is no version of ${FunctionName}`);
      return [name, resourceArn(FunctionName)];
    }),
  );
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
    .filter(({ properties }) => properties.State !== 'DISABLED')
    .map(({ place, properties }) => ({
      name: place,
      periodMs: properties.ScheduleExpression,
      functionArn: properties.Target.Arn,
      input: parseInput(properties.Target.Input, place),
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
  return { apiId: api.name, stage: stage.properties.StageName };
}

/** Full path of every resource, by its id. */
function readPaths(template: Template, apiId: string): Map<string, string> {
  const resources = new Map(
    supportedResources(template, 'AWS::ApiGateway::Resource').map(({ name, properties }) => [
      name,
      properties,
    ]),
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

function readAuthorizers(
  template: Template,
  aliases: ReadonlyMap<string, string>,
): Map<string, AuthorizerModel> {
  return new Map(
    supportedResources(template, 'AWS::ApiGateway::Authorizer').map(({ name, properties }) => [
      name,
      {
        functionArn: aliases.get(properties.AuthorizerUri) ?? properties.AuthorizerUri,
        identityHeader: properties.IdentitySource,
        cacheMs: (properties.AuthorizerResultTtlInSeconds ?? DEFAULT_CACHE_SECONDS) * 1000,
      },
    ]),
  );
}

function readRoutes(template: Template, apiId: string): RouteModel[] {
  const paths = readPaths(template, apiId);
  const aliases = readAliases(template);
  const authorizers = readAuthorizers(template, aliases);
  return supportedResources(template, 'AWS::ApiGateway::Method').map(({ place, properties }) => {
    const path = paths.get(properties.ResourceId);
    const authorizer = authorizers.get(properties.AuthorizerId ?? '');
    if (path === undefined) throw new StartError(`${place}: ResourceId names no resource of the API`);
    if ((properties.AuthorizationType === 'CUSTOM') !== (authorizer !== undefined))
      throw new StartError(`${place}: AuthorizationType and AuthorizerId do not agree`);
    const { Uri, TimeoutInMillis } = properties.Integration;
    return {
      method: properties.HttpMethod,
      path,
      resourceId: properties.ResourceId,
      functionArn: aliases.get(Uri) ?? Uri,
      integrationTimeoutMs: TimeoutInMillis ?? DEFAULT_INTEGRATION_TIMEOUT_MS,
      authorizer,
      apiKeyRequired: properties.ApiKeyRequired ?? false,
    };
  });
}

function readGatewayResponses(template: Template): GatewayResponseModel[] {
  const prefix = 'gatewayresponse.header.'.length;
  return supportedResources(template, 'AWS::ApiGateway::GatewayResponse').map(({ properties }) => ({
    type: properties.ResponseType,
    status: properties.StatusCode === undefined ? undefined : Number(properties.StatusCode),
    headers: Object.fromEntries(
      Object.entries(properties.ResponseParameters ?? {}).map(([name, value]) => [name.slice(prefix), value]),
    ),
    template: properties.ResponseTemplates?.['application/json'],
  }));
}

function readPlans(template: Template): PlanModel[] {
  return supportedResources(template, 'AWS::ApiGateway::UsagePlan').map(({ name, properties }) => ({
    id: name,
    name: properties.UsagePlanName,
    throttle: properties.Throttle && {
      ratePerSecond: properties.Throttle.RateLimit,
      burst: properties.Throttle.BurstLimit,
    },
    monthlyQuota: properties.Quota?.Limit,
    stages: (properties.ApiStages ?? []).map(({ ApiId, Stage }) => ({ apiId: ApiId, stage: Stage })),
    tags: Object.fromEntries((properties.Tags ?? []).map(({ Key, Value }) => [Key, Value])),
  }));
}

const readTables = (template: Template): TableModel[] =>
  supportedResources(template, 'AWS::DynamoDB::Table').map(
    ({ name, properties: { AttributeDefinitions, KeySchema } }) => ({
      name,
      AttributeDefinitions,
      KeySchema,
    }),
  );

/** Throws `StartError` naming the unsupported resource and property. */
export function readServiceModel(directory: string): ServiceModel {
  const template = new Template(directory);
  refuseUnknownTypes(template);
  supportedResources(template, 'AWS::Events::Rule');
  const { apiId, stage } = readApi(template);
  const routes = readRoutes(template, apiId);
  const schedules = readSchedules(template);
  const callers = [...routes, ...routes.flatMap(({ authorizer }) => authorizer ?? []), ...schedules];
  const called = new Set(callers.map(({ functionArn }) => functionArn));
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
