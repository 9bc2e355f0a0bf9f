/** Reads the API of a template: its routes, gateway responses and usage plans. */
import { StartError } from '../start-error.ts';
import type { AuthorizerModel, GatewayResponseModel, PlanModel, RouteModel } from './model.ts';
import { supportedResources } from './supported.ts';
import type { Template } from './template.ts';

const DEFAULT_INTEGRATION_TIMEOUT_MS = 29_000;
const DEFAULT_CACHE_SECONDS = 300;

function theOnly<T>(found: readonly T[], what: string): T {
  const [first, ...others] = found;
  if (first === undefined || others.length > 0)
    throw new StartError(`the template must have one ${what}, it has ${found.length}`);
  return first;
}

/** Id of the one API and name of its one stage. */
export function readApi(template: Template): { readonly apiId: string; readonly stage: string } {
  const api = theOnly(supportedResources(template, 'AWS::ApiGateway::RestApi'), 'REST API');
  const stage = theOnly(supportedResources(template, 'AWS::ApiGateway::Stage'), 'stage');
  return { apiId: api.name, stage: stage.is.StageName };
}

/** Full path of every resource, by its id. */
function readPaths(template: Template, apiId: string): Map<string, string> {
  const resources = new Map(
    supportedResources(template, 'AWS::ApiGateway::Resource').map(({ name, is }) => [name, is]),
  );
  const pathOf = (id: string): string => {
    const resource = resources.get(id);
    if (id === `${apiId}.RootResourceId`) return '';
    if (!resource) throw new StartError(`${id} is used as a resource of the API, but is not one`);
    return `${pathOf(resource.ParentId)}/${resource.PathPart}`;
  };
  return new Map([
    [`${apiId}.RootResourceId`, '/'],
    ...[...resources.keys()].map((id) => [id, pathOf(id)] as const),
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

export function readRoutes(template: Template, apiId: string): RouteModel[] {
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

export function readGatewayResponses(template: Template): GatewayResponseModel[] {
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

export function readPlans(template: Template): PlanModel[] {
  return supportedResources(template, 'AWS::ApiGateway::UsagePlan').map(({ name, is }) => ({
    id: name,
    name: is.UsagePlanName,
    throttle: is.Throttle && { ratePerSecond: is.Throttle.RateLimit, burst: is.Throttle.BurstLimit },
    monthlyQuota: is.Quota?.Limit,
    stages: (is.ApiStages ?? []).map(({ ApiId, Stage }) => ({ apiId: ApiId, stage: Stage })),
    tags: Object.fromEntries((is.Tags ?? []).map(({ Key, Value }) => [Key, Value])),
  }));
}
