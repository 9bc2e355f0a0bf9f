/**
 * What the synthesized template of a stage says of the service, and what the host of one machine uses instead, in one form, so that the two
 * can be compared line by line.
 */

import { AUTHORIZER_TTL_SECONDS, CONTEXT_RATE_LIMIT, CONTEXT_RATE_RESET } from '../../core/access/keys.ts';
import { GATEWAY_ERRORS, type GatewayError, renderGatewayResponse } from '../../core/http/gateway-errors.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { TABLES, type TableId } from '../../core/store/tables.ts';
import { ENDPOINTS } from '../../lambdas/endpoints/endpoints.ts';
import { METHODS, quotaOf, TARGETS } from '../../local/gateway.ts';
import { INGEST_EVENTS, schedulesOf } from '../../local/ingest.ts';
import { LOCAL_PLANS } from '../../local/keys.ts';
import { LIMITS, STAGE_VARIABLES } from '../../local/local-service.ts';
import { tableModel } from '../../local/tables.ts';
import { at, functionOf, type JsonObject, objectAt, type Resource, variablesOf, withType } from './stacks.ts';

/** Facts by their name. */
export type Facts = ReadonlyMap<string, unknown>;

const titled = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1);
const refOf = (value: unknown): string => String((value as JsonObject | undefined)?.Ref);

/** Values that stand for those of a request. */
const VALUES = { requestId: 'the-id', rateLimit: '60', rateReset: '1800000000' };
const CONTEXT: Readonly<Record<string, string>> = {
  'context.requestId': VALUES.requestId,
  [`context.authorizer.${CONTEXT_RATE_LIMIT}`]: VALUES.rateLimit,
  [`context.authorizer.${CONTEXT_RATE_RESET}`]: VALUES.rateReset,
};

/** The operation whose function a method calls, by the logical id of the function's alias. */
function operationOf(uri: unknown): string | undefined {
  const text = JSON.stringify(uri);
  return Object.keys(ENDPOINTS).find((id) => new RegExp(`"${titled(id)}(?:Function|Alias|Live)`).test(text));
}

/** The full path of a resource of the API. */
function pathOf(resources: readonly Resource[], reference: unknown): string {
  const found = resources.find(({ id }) => id === refOf(reference));
  if (found === undefined) return '';
  return `${pathOf(resources, found.properties.ParentId)}/${found.properties.PathPart}`;
}

/** The response that API Gateway makes of a gateway response: text in quotes is literal, anything else names a value. */
function rendered({ ResponseParameters, ResponseTemplates, StatusCode }: JsonObject) {
  const headers = Object.entries(objectAt(ResponseParameters)).map(([name, value]) => {
    const literal = /^'(.*)'$/.exec(String(value))?.[1];
    return [name.replace('gatewayresponse.header.', ''), literal ?? CONTEXT[String(value)]];
  });
  const template = String(objectAt(ResponseTemplates)['application/json']);
  return {
    status: StatusCode === undefined ? undefined : Number(StatusCode),
    headers: Object.fromEntries(headers),
    body: template.replace(/\$(context(?:\.\w+)+)/g, (_, name) => CONTEXT[name] ?? ''),
  };
}

/** The variables that every machine sets alike: not names of what a stage has made, nor of this machine's folders. */
const isCompared = (name: string): boolean => name in STAGE_VARIABLES;

/** What the template says. */
export function templateFacts(resources: readonly Resource[]): Facts {
  const facts = new Map<string, unknown>();
  for (const { properties } of withType(resources, 'AWS::ApiGateway::Method')) {
    const { HttpMethod, AuthorizationType, ApiKeyRequired, ResourceId, Integration } = properties;
    facts.set(`path ${HttpMethod} ${pathOf(resources, ResourceId)}`, {
      operation: operationOf(at(Integration, 'Uri')),
      authorizer: AuthorizationType === 'CUSTOM',
      key: ApiKeyRequired === true,
    });
  }
  for (const { properties } of withType(resources, 'AWS::ApiGateway::GatewayResponse'))
    facts.set(`response ${properties.ResponseType}`, rendered(properties));
  for (const { properties } of withType(resources, 'AWS::ApiGateway::Authorizer'))
    facts.set('authorizer', {
      ttl: properties.AuthorizerResultTtlInSeconds,
      identity: properties.IdentitySource,
    });
  for (const { properties } of withType(resources, 'AWS::ApiGateway::UsagePlan')) {
    const tags = properties.Tags as readonly JsonObject[];
    const tier = tags.find(({ Key }) => Key === 'pcd:tier')?.Value;
    facts.set(`plan ${tier}`, {
      rate: at(properties.Throttle, 'RateLimit'),
      burst: at(properties.Throttle, 'BurstLimit'),
      quota: at(properties.Quota, 'Limit'),
    });
  }
  for (const { id, properties } of withType(resources, 'AWS::DynamoDB::Table'))
    facts.set(`table ${id}`, {
      AttributeDefinitions: properties.AttributeDefinitions,
      KeySchema: properties.KeySchema,
    });
  for (const { properties } of withType(resources, 'AWS::Scheduler::Schedule')) {
    const { source } = JSON.parse(String(at(properties.Target, 'Input')));
    const minutes = Number(/\d+/.exec(String(properties.ScheduleExpression))?.[0]);
    if (source !== undefined) facts.set(`schedule ${source}`, minutes * 60_000);
  }
  for (const id of Object.keys(ENDPOINTS)) {
    const lambda = functionOf(resources, `${titled(id)}Function`);
    const variables = Object.entries(variablesOf(lambda)).filter(([name]) => isCompared(name));
    facts.set(`variables ${id}`, Object.fromEntries(variables));
    facts.set(`time of ${id}`, Number(lambda.properties.Timeout) * 1000);
  }
  const ingest = functionOf(resources, 'IngestFunction');
  facts.set('time of the ingest', Number(ingest.properties.Timeout) * 1000);
  for (const { properties } of withType(resources, 'AWS::Lambda::EventInvokeConfig'))
    if (JSON.stringify(properties.FunctionName).includes(ingest.id))
      facts.set('events of the ingest', {
        retryAttempts: properties.MaximumRetryAttempts,
        eventAgeMs: Number(properties.MaximumEventAgeInSeconds) * 1000,
      });
  const keyed = variablesOf(functionOf(resources, 'AuthorizerFunction'));
  facts.set('prefix of keys', keyed.KEY_PREFIX);
  return facts;
}

/** What the host uses. */
export function hostFacts(): Facts {
  const facts = new Map<string, unknown>();
  for (const { operation, resource, isKeyed } of TARGETS)
    for (const method of METHODS)
      facts.set(`path ${method} ${resource}`, { operation, authorizer: isKeyed, key: isKeyed });
  for (const [type, error] of Object.entries<GatewayError>(GATEWAY_ERRORS)) {
    const { headers, body } = renderGatewayResponse(error, { corsOrigins: [] }, VALUES);
    facts.set(`response ${type}`, { status: error.status, headers: Object.fromEntries(headers), body });
  }
  facts.set('authorizer', { ttl: AUTHORIZER_TTL_SECONDS, identity: 'method.request.header.X-API-Key' });
  for (const { tier, throttle } of LOCAL_PLANS.filter((plan) => quotaOf(plan) !== undefined))
    facts.set(`plan ${tier}`, {
      rate: throttle?.ratePerSecond,
      burst: throttle?.burst,
      quota: quotaOf({ tier }),
    });
  for (const id of Object.keys(TABLES) as TableId[]) {
    const { name, AttributeDefinitions, KeySchema } = tableModel(id);
    facts.set(`table ${name.replace(/^pcd-dev-data-/, '')}`, { AttributeDefinitions, KeySchema });
  }
  for (const { source, periodMs } of schedulesOf({ sources: SOURCE_DECLARATIONS.map(({ id }) => id) }))
    facts.set(`schedule ${source}`, periodMs);
  const { SERVICE_NAME, RESPONSE_CACHE_SECONDS, KEY_PREFIX } = STAGE_VARIABLES;
  for (const [id, { route }] of Object.entries(ENDPOINTS)) {
    facts.set(`variables ${id}`, { SERVICE_NAME, ...(route.authenticated && { RESPONSE_CACHE_SECONDS }) });
    facts.set(`time of ${id}`, LIMITS.functionMs);
  }
  facts.set('time of the ingest', LIMITS.ingestMs);
  facts.set('events of the ingest', INGEST_EVENTS);
  facts.set('prefix of keys', KEY_PREFIX);
  return facts;
}
