/** The REST API: its one stage (regional, keys by the authorizer, logged and throttled), methods, usage plans and domain. */
import { CfnOutput, Duration, RemovalPolicy, Stack, Tags } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { CONTEXT_RATE_LIMIT, CONTEXT_RATE_RESET } from '../../core/access/keys.ts';
import { PLANS, TIER_TAG, TIERS } from '../../core/contracts/plans.ts';
import type { Route } from '../../core/contracts/route.ts';
import { JSON_TYPE, KEY_HEADER } from '../../core/contracts/wire.ts';
import {
  GATEWAY_ERRORS,
  type GatewayError,
  type GatewayValues,
  renderGatewayResponse,
} from '../../core/http/gateway-errors.ts';
import { keep, keepWithin, pin, resourceOf, titled } from '../pinned.ts';
import { accept, acceptWildcards } from '../rights.ts';
import type { StageConfig } from '../stage-config.ts';
import { addFirewall } from './firewall.ts';

/** What AWS's AmazonAPIGatewayPushToCloudWatchLogs allows: the gateway refuses a role that may do less. */
const LOG_RIGHTS = [
  'logs:CreateLogGroup',
  'logs:CreateLogStream',
  'logs:DescribeLogGroups',
  'logs:DescribeLogStreams',
  'logs:PutLogEvents',
  'logs:GetLogEvents',
  'logs:FilterLogEvents',
];

/** The role with which API Gateway writes its logs: a setting of the account and region, not of one API. */
function addLogRole(parent: Construct): apigateway.CfnAccount {
  const scope = new Construct(parent, 'LogRole');
  const statements = [new PolicyStatement({ actions: LOG_RIGHTS, resources: ['*'] })];
  const role = new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    inlinePolicies: { Logs: new PolicyDocument({ statements }) },
  });
  acceptWildcards(role, 'gatewayLogs', '*');
  const account = new apigateway.CfnAccount(scope, 'Account', { cloudWatchRoleArn: role.roleArn });
  // Other APIs of the account may have come to rely on it.
  role.applyRemovalPolicy(RemovalPolicy.RETAIN);
  account.applyRemovalPolicy(RemovalPolicy.RETAIN);
  return account;
}

/** All keys together; far above what the plans sell, far below the account's 10,000 a second. */
export const STAGE_THROTTLE = { throttlingRateLimit: 1000, throttlingBurstLimit: 2000 };

/** One line a request. The key and its digest are not in it: `identity.apiKey` would be the digest. */
const ACCESS_LOG_LINE = {
  requestId: '$context.requestId',
  extendedRequestId: '$context.extendedRequestId',
  time: '$context.requestTime',
  method: '$context.httpMethod',
  resource: '$context.resourcePath',
  path: '$context.path',
  status: '$context.status',
  gatewayError: '$context.error.responseType',
  integrationError: '$context.integration.error',
  firewall: '$context.waf.status',
  latencyMs: '$context.responseLatency',
  integrationLatencyMs: '$context.integrationLatency',
  authorizerLatencyMs: '$context.authorizer.latency',
  keyId: '$context.identity.apiKeyId',
  tier: '$context.authorizer.tier',
  address: '$context.identity.sourceIp',
  userAgent: '$context.identity.userAgent',
  bytes: '$context.responseLength',
};

export interface StagedRestApi {
  readonly api: apigateway.RestApi;
  /** One JSON line a request. */
  readonly accessLog: LogGroup;
}

export function addRestApi(stack: Stack, config: StageConfig): StagedRestApi {
  const scope = new Construct(stack, 'Rest');
  const accessLog = new LogGroup(scope, 'AccessLog', config.logs);
  const api = new apigateway.RestApi(scope, 'Api', {
    restApiName: `port-congestion-${config.stage}`,
    description: 'Port congestion data, read-only',
    endpointTypes: [apigateway.EndpointType.REGIONAL],
    apiKeySourceType: apigateway.ApiKeySourceType.AUTHORIZER,
    cloudWatchRole: false,
    // The functions encode: the gateway's own compression would send other bytes under the same strong ETag. It decodes
    // base64 only of types listed here, by the first type that the client accepts.
    binaryMediaTypes: ['*/*'],
    deployOptions: {
      stageName: config.stage,
      tracingEnabled: config.tracing,
      accessLogDestination: new apigateway.LogGroupLogDestination(accessLog),
      accessLogFormat: apigateway.AccessLogFormat.custom(JSON.stringify(ACCESS_LOG_LINE)),
      loggingLevel: apigateway.MethodLoggingLevel.ERROR,
      dataTraceEnabled: false,
      ...STAGE_THROTTLE,
    },
  });
  const stage = api.deploymentStage;
  keep(api, 'Api', config);
  keep(stage, 'Stage', config);
  // API Gateway deletes no deployment that a stage uses, so the deletion of a stack that keeps its stage would fail.
  if (api.latestDeployment) keepWithin(api.latestDeployment, config);
  accept(api, 'AwsSolutions-APIG2');
  if (!config.tracing) accept(api, 'Serverless-APIGWXrayEnabled');
  // The gateway would make this group itself, under this name, and keep it without end.
  const executionLog = new LogGroup(scope, 'ExecutionLog', {
    ...config.logs,
    logGroupName: `API-Gateway-Execution-Logs_${api.restApiId}/${config.stage}`,
  });
  stage.node.addDependency(executionLog);
  if (config.apiGatewayLogRole) stage.node.addDependency(addLogRole(scope));
  if (config.waf) addFirewall(scope, api, config);
  else accept(api, 'AwsSolutions-APIG3');
  return { api, accessLog };
}

/** The API under a domain of its own, without the stage's name in the path. */
export function addCustomDomain(
  stack: Stack,
  api: apigateway.RestApi,
  domainName: string,
  certificateArn: string,
): void {
  const scope = new Construct(stack, 'CustomDomain');
  const domain = new apigateway.DomainName(scope, 'Domain', {
    domainName,
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', certificateArn),
    endpointType: apigateway.EndpointType.REGIONAL,
    securityPolicy: apigateway.SecurityPolicy.TLS_1_2,
  });
  pin(domain, 'CustomDomain50EDADAC');
  domain.addBasePathMapping(api, { stage: api.deploymentStage });
  new CfnOutput(scope, 'Target', {
    value: domain.domainNameAliasDomainName,
    description: `Point a CNAME or alias record of ${domainName} here`,
  });
}

/** The native usage plans: rate, burst and monthly quota of each tier, and the tag that says which tier a plan is. */
export function addUsagePlans(stack: Stack, api: apigateway.RestApi, config: StageConfig): void {
  const scope = new Construct(stack, 'Plans');
  const stage = api.deploymentStage;
  for (const tier of TIERS.filter((tier) => tier !== config.withoutPlan)) {
    const { title, monthlyQuota, ratePerSecond, burst } = PLANS[tier];
    // By the tier: a title may change, and another id would make another plan, without the keys.
    const id = `${titled(tier)}Plan`;
    const plan = api.addUsagePlan(id, {
      name: `Port Congestion ${stage.stageName} ${title}`,
      description: `${title}: ${monthlyQuota} requests a month`,
      throttle: { rateLimit: ratePerSecond, burstLimit: burst },
      quota: { limit: monthlyQuota, period: apigateway.Period.MONTH },
      apiStages: [{ stage }],
    });
    keep(plan, id, config);
    Tags.of(plan).add(TIER_TAG, tier);
    const output = new CfnOutput(scope, `${id}Id`, { value: plan.usagePlanId });
    output.overrideLogicalId(`${id}Id`);
  }
}

/** Sets a property of a method that its construct does not have, and redeploys the API when the value changes. */
export function overrideMethod(method: apigateway.Method, path: string, value: string): void {
  const resource = resourceOf(method);
  resource.addPropertyOverride(path, value);
  const id = Stack.of(method).resolve(resource.logicalId);
  method.api.latestDeployment?.addToLogicalId({ [`${id}.${path}`]: value });
}

/** HEAD responds as GET does, without the body. */
const METHODS = ['GET', 'HEAD'] as const;

/** Adds the methods of `route`, on each of its paths, behind the authorizer and a plan's key unless it is open. */
export function addEndpointMethods(
  api: apigateway.RestApi,
  route: Pick<Route, 'paths' | 'authenticated'>,
  lambda: IFunction,
  authorizer: apigateway.IAuthorizer,
  corsOrigins: readonly string[],
): void {
  const access: apigateway.MethodOptions = route.authenticated
    ? { authorizer, authorizationType: apigateway.AuthorizationType.CUSTOM, apiKeyRequired: true }
    : { authorizationType: apigateway.AuthorizationType.NONE, apiKeyRequired: false };
  const integration = new apigateway.LambdaIntegration(lambda, { allowTestInvoke: false });
  for (const path of route.paths) {
    const resource = api.root.resourceForPath(path);
    for (const httpMethod of METHODS) {
      const method = resource.addMethod(httpMethod, integration, access);
      accept(method, 'AwsSolutions-COG4');
      if (!route.authenticated) accept(method, 'AwsSolutions-APIG4');
    }
    // Which response headers a page may read is stated by the response itself; browsers ignore it on a preflight.
    if (corsOrigins.length > 0) {
      const preflight = resource.addCorsPreflight({
        allowOrigins: [...corsOrigins],
        allowMethods: [...METHODS],
        allowHeaders: [KEY_HEADER, 'If-None-Match'],
        // Each preflight is a request that is billed.
        maxAge: Duration.hours(1),
      });
      // Every media type is binary here, and the request template of a mock fits text alone: it would fail with a 500.
      overrideMethod(preflight, 'Integration.ContentHandling', 'CONVERT_TO_TEXT');
    }
  }
}

// The gateway's own errors in the service's envelope, one gateway response for each row of their table.

/** In a header, the name of a value of the request stands as it is, and text in quotes. */
const VARIABLES: GatewayValues = {
  requestId: 'context.requestId',
  rateLimit: `context.authorizer.${CONTEXT_RATE_LIMIT}`,
  rateReset: `context.authorizer.${CONTEXT_RATE_RESET}`,
};
const isVariable = (value: string): boolean => Object.values(VARIABLES).includes(value);

export function addGatewayResponses(api: RestApi, settings: StageConfig): void {
  for (const [type, error] of Object.entries<GatewayError>(GATEWAY_ERRORS)) {
    const { headers } = renderGatewayResponse(error, settings, VARIABLES);
    // In a body it follows a dollar sign.
    const inBody = { ...VARIABLES, requestId: `$${VARIABLES.requestId}` };
    api.addGatewayResponse(type, {
      type: ResponseType.of(type),
      statusCode: error.status?.toString(),
      responseHeaders: Object.fromEntries(
        headers.map(([name, value]) => [name, isVariable(value) ? value : `'${value}'`]),
      ),
      templates: { [JSON_TYPE]: renderGatewayResponse(error, settings, inBody).body },
    });
  }
}
