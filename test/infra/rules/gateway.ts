/** Rules for the REST API: what is open, what is closed, and what is logged. */
import { ROUTES } from '../../../core/contracts/routes.ts';
import { at, listAt, ofType, type Resource } from '../../builders/stacks.ts';
import { type Rule, unless } from './rule.ts';

const METHOD = 'AWS::ApiGateway::Method';
const OPEN_PATHS: readonly string[] = ROUTES.health.paths;

/** Path of a method's resource, from the tree of resources. */
function pathOf(resources: readonly Resource[], { properties }: Resource): string {
  const step = (id: unknown): string => {
    const found = resources.find((resource) => resource.id === id);
    if (found === undefined || found.type !== 'AWS::ApiGateway::Resource') return '';
    return `${step(at(found.properties.ParentId, 'Ref'))}/${String(found.properties.PathPart)}`;
  };
  return step(at(properties.ResourceId, 'Ref'));
}

export const gatewayRules = {
  'every method but health asks for a key, by the authorizer': (resources) =>
    ofType(resources, METHOD).flatMap((method) => {
      const { AuthorizationType, AuthorizerId, ApiKeyRequired, HttpMethod } = method.properties;
      const path = pathOf(resources, method);
      const open = OPEN_PATHS.includes(path) || HttpMethod === 'OPTIONS';
      const closed =
        AuthorizationType === 'CUSTOM' &&
        ApiKeyRequired === true &&
        ofType(resources, 'AWS::ApiGateway::Authorizer').some(({ id }) => id === at(AuthorizerId, 'Ref'));
      return open || closed ? [] : [`${method.stack}/${method.id}: ${String(HttpMethod)} ${path} is open`];
    }),

  'methods are those of the contract, GET and HEAD each': (resources) => {
    const wanted = Object.values(ROUTES)
      .flatMap(({ paths }): readonly string[] => paths)
      .flatMap((path) => [`GET ${path}`, `HEAD ${path}`]);
    const found = ofType(resources, METHOD)
      .filter(({ properties }) => properties.HttpMethod !== 'OPTIONS')
      .map((method) => `${String(method.properties.HttpMethod)} ${pathOf(resources, method)}`);
    return [
      ...wanted.filter((one) => !found.includes(one)).map((one) => `missing: ${one}`),
      ...found.filter((one) => !wanted.includes(one)).map((one) => `not in the contract: ${one}`),
    ];
  },

  'keys come from the authorizer, never from a template': (resources) => [
    ...unless(
      ofType(resources, 'AWS::ApiGateway::RestApi'),
      'takes keys from the header, or compresses',
      ({ properties }) =>
        properties.ApiKeySourceType === 'AUTHORIZER' && properties.MinimumCompressionSize === undefined,
    ),
    ...ofType(resources, 'AWS::ApiGateway::ApiKey').map(({ stack, id }) => `${stack}/${id}: a key`),
  ],

  'the authorizer needs the key header and its result is cached for a minute': (resources) =>
    unless(
      ofType(resources, 'AWS::ApiGateway::Authorizer'),
      'without identity source, or cached for another time',
      ({ properties }) =>
        properties.Type === 'REQUEST' &&
        properties.IdentitySource === 'method.request.header.X-API-Key' &&
        properties.AuthorizerResultTtlInSeconds === 60,
    ),

  'the stage is logged as JSON without keys, traced, and not cached': (resources) =>
    unless(ofType(resources, 'AWS::ApiGateway::Stage'), 'not logged, traced or bounded', ({ properties }) => {
      const line = String(at(properties.AccessLogSetting, 'Format'));
      const [settings] = listAt(properties.MethodSettings);
      return (
        'requestId' in JSON.parse(line) &&
        !/identity\.apiKey\b|authorizer\.keyDigest|header\./.test(line) &&
        properties.TracingEnabled === true &&
        properties.CacheClusterEnabled !== true &&
        at(settings, 'DataTraceEnabled') !== true &&
        Number(at(settings, 'ThrottlingRateLimit')) > 0
      );
    }),
} satisfies Record<string, Rule>;
