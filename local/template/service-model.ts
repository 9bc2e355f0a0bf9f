/** Reads the whole service from a synthesized cloud assembly; anything unsupported stops the start. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../start-error.ts';
import { refuseUnknownTypes, type Supported, supportedResources } from './resource-shapes.ts';
import { LOCAL_ACCOUNT, LOCAL_REGION, Template } from './template.ts';

const DEFAULT_RETRIES = 2;
const DEFAULT_EVENT_AGE_SECONDS = 6 * 3600;

const resourceArn = (name: string): string =>
  `arn:aws:lambda:${LOCAL_REGION}:${LOCAL_ACCOUNT}:function:${name}`;

export type FunctionModel = ReturnType<typeof readFunctions>[number];

/** The functions whose ARNs are in `called`. Nothing on one machine calls the others, such as CloudFormation's own helpers. */
function readFunctions(template: Template, called: ReadonlySet<string>) {
  const invocations = new Map(
    supportedResources(template, 'AWS::Lambda::EventInvokeConfig').map(({ properties }) => [
      properties.FunctionName,
      properties,
    ]),
  );
  const isCalled = (name: string): boolean => called.has(resourceArn(name));
  return supportedResources(template, 'AWS::Lambda::Function', isCalled).map(
    ({ place, name, properties, assetFolder }) => {
      const { Handler, Environment, Timeout, MemorySize } = properties;
      const [module = '', exportName = ''] = Handler.split('.');
      const file = join(assetFolder ?? '', `${module}.cjs`);
      if (assetFolder === undefined || !existsSync(file))
        throw new StartError(`${place}: no built module for ${Handler} in ${assetFolder}`);
      const asynchronous = invocations.get(name);
      return {
        arn: resourceArn(name),
        name,
        /** Absolute path of the built CommonJS module, and the export to call. */
        file,
        exportName,
        environment: Environment?.Variables ?? {},
        timeoutMs: Timeout * 1000,
        memoryMegabytes: MemorySize,
        /** How asynchronous invocations are retried, and where permanently failed ones go. */
        retryAttempts: asynchronous?.MaximumRetryAttempts ?? DEFAULT_RETRIES,
        eventAgeMs: (asynchronous?.MaximumEventAgeInSeconds ?? DEFAULT_EVENT_AGE_SECONDS) * 1000,
        deadLetters: asynchronous?.DestinationConfig?.OnFailure?.Destination,
      };
    },
  );
}

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

export interface ScheduleModel {
  readonly name: string;
  readonly periodMs: number;
  readonly functionArn: string;
  readonly input: unknown;
}

const readSchedules = (template: Template): ScheduleModel[] =>
  supportedResources(template, 'AWS::Scheduler::Schedule')
    .filter(({ properties }) => properties.State !== 'DISABLED')
    .map(({ place, properties: { ScheduleExpression, Target } }) => ({
      name: place,
      periodMs: ScheduleExpression,
      functionArn: Target.Arn,
      input: Target.Input ?? {},
    }));

function theOnly<T>(found: readonly T[], what: string): T {
  const [first, ...others] = found;
  if (first === undefined || others.length > 0)
    throw new StartError(`the template must have one ${what}, it has ${found.length}`);
  return first;
}

/** A reader of the full path of a resource, by its id. */
function pathReader(template: Template, apiId: string): (id: string, place: string) => string {
  const root = `${apiId}.RootResourceId`;
  const resources = new Map(
    supportedResources(template, 'AWS::ApiGateway::Resource').map(({ name, properties }) => [
      name,
      properties,
    ]),
  );
  const pathBelow = (id: string, place: string): string => {
    if (id === root) return '';
    const resource = resources.get(id);
    if (!resource) throw new StartError(`${place}: ${id} is used as a resource of the API, but is not one`);
    return `${pathBelow(resource.ParentId, id)}/${resource.PathPart}`;
  };
  return (id, place) => pathBelow(id, place) || '/';
}

export type AuthorizerModel = NonNullable<RouteModel['authorizer']>;
export type RouteModel = ReturnType<typeof readRoutes>[number];

function readRoutes(template: Template, apiId: string) {
  const pathOf = pathReader(template, apiId);
  const aliases = readAliases(template);
  const authorizers = new Map(
    supportedResources(template, 'AWS::ApiGateway::Authorizer').map(({ name, properties }) => [
      name,
      {
        functionArn: aliases.get(properties.AuthorizerUri) ?? properties.AuthorizerUri,
        identityHeader: properties.IdentitySource,
        cacheMs: properties.AuthorizerResultTtlInSeconds * 1000,
      },
    ]),
  );
  return supportedResources(template, 'AWS::ApiGateway::Method').map(({ place, properties }) => {
    const { HttpMethod, ResourceId, AuthorizationType, AuthorizerId = '', ApiKeyRequired } = properties;
    const { Uri, TimeoutInMillis } = properties.Integration;
    const authorizer = authorizers.get(AuthorizerId);
    if ((AuthorizationType === 'CUSTOM') !== (authorizer !== undefined))
      throw new StartError(`${place}: AuthorizationType and AuthorizerId do not agree`);
    return {
      method: HttpMethod,
      /** For example `/v1/ports/{UNLOCODE}/trend`. */
      path: pathOf(ResourceId, place),
      resourceId: ResourceId,
      functionArn: aliases.get(Uri) ?? Uri,
      integrationTimeoutMs: TimeoutInMillis,
      authorizer,
      apiKeyRequired: ApiKeyRequired,
    };
  });
}

export type GatewayResponseModel = Supported<'AWS::ApiGateway::GatewayResponse'>;
export type PlanModel = Supported<'AWS::ApiGateway::UsagePlan'> & { readonly id: string };
export type TableModel = Supported<'AWS::DynamoDB::Table'> & { readonly name: string };

/** The service as the template declares it: routes, functions, tables, plans and schedules, connected. */
export type ServiceModel = Readonly<ReturnType<typeof readServiceModel>>;

/** Throws `StartError` naming the unsupported resource and property. */
export function readServiceModel(directory: string) {
  const template = new Template(directory);
  refuseUnknownTypes(template);
  supportedResources(template, 'AWS::Events::Rule');
  const { name: apiId } = theOnly(supportedResources(template, 'AWS::ApiGateway::RestApi'), 'REST API');
  const { properties: stage } = theOnly(supportedResources(template, 'AWS::ApiGateway::Stage'), 'stage');
  const routes = readRoutes(template, apiId);
  const schedules = readSchedules(template);
  const callers = [...routes, ...routes.flatMap(({ authorizer }) => authorizer ?? []), ...schedules];
  const called = new Set(callers.map(({ functionArn }) => functionArn));
  const functions = new Map(readFunctions(template, called).map((model) => [model.arn, model]));
  for (const arn of called)
    if (!functions.has(arn)) throw new StartError(`${arn} is called, but no function of the template has it`);
  return {
    apiId,
    stage: stage.StageName,
    routes,
    gatewayResponses: supportedResources(template, 'AWS::ApiGateway::GatewayResponse').map(
      ({ properties }) => properties,
    ),
    plans: supportedResources(template, 'AWS::ApiGateway::UsagePlan').map(({ name, properties }) => ({
      id: name,
      ...properties,
    })),
    /** The functions that a route, an authorizer or a schedule calls, by ARN. */
    functions,
    tables: supportedResources(template, 'AWS::DynamoDB::Table').map(({ name, properties }) => ({
      name,
      ...properties,
    })),
    schedules,
  };
}
