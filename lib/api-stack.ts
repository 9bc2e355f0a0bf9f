/** The API: the REST API, a function for each endpoint, the authorizer, the usage plans, the keys. */
import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { IdentitySource, RequestAuthorizer, type RestApi, type Stage } from 'aws-cdk-lib/aws-apigateway';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { AUTHORIZER_TTL_SECONDS } from '../core/access/keys.ts';
import { OPERATION_IDS, type OperationId, ROUTES } from '../core/contracts/routes.ts';
import { KEY_HEADER } from '../core/contracts/wire.ts';
import { folderOf } from '../lambdas/endpoints/endpoint.ts';
import { ENDPOINTS } from '../lambdas/endpoints/endpoints.ts';
import { addCertificateAlarm, addLimitAlarm, addObjectiveAlarms } from './constructs/api-alarms.ts';
import { CheckedVersions } from './constructs/checked-versions.ts';
import { addDeadLetters } from './constructs/dead-letters.ts';
import { portalMark } from './constructs/firewall.ts';
import { addFunction, type FunctionDefaults } from './constructs/handler-function.ts';
import { addHealthCanary } from './constructs/health-canary.ts';
import { addKeyReconciliation } from './constructs/key-reconciliation.ts';
import type { RawArchive } from './constructs/raw-archive.ts';
import {
  addCustomDomain,
  addEndpointMethods,
  addGatewayResponses,
  addRestApi,
  addUsagePlans,
} from './constructs/rest-api.ts';
import { RunbookAlarm, serviceCount } from './constructs/runbook-alarm.ts';
import { titled } from './pinned.ts';
import type { StageConfig } from './stage-config.ts';

interface ApiStackProps extends StackProps, FunctionDefaults {
  readonly archive: RawArchive;
}

/** Outputs that the portal's stack reads, by name. */
export const API_OUTPUTS = { host: 'ApiHost', portalMark: 'PortalMark' } as const;

/** Longer than a handler ever waits for the store, so that it can still respond with the error. */
const RESPOND_WITHIN = Duration.seconds(8);

export class ApiStack extends Stack {
  readonly stage: Stage;
  /** Those of the endpoints, and the authorizer. */
  readonly functions: readonly LambdaFunction[];

  constructor(scope: Construct, id: string, props: ApiStackProps) {
    super(scope, id, props);
    const { config, topics } = props;
    const rest = addRestApi(this, config);
    const { api } = rest;
    const stage = api.deploymentStage;
    this.stage = stage;
    const deadLetters = addDeadLetters(this, topics);
    const authorizerFunction = addFunction(this, 'AuthorizerFunction', {
      ...props,
      handler: 'authorizer',
      description: 'Checks API keys',
      memoryMb: 512,
      timeout: RESPOND_WITHIN,
      uses: { apiKeys: 'read' },
      environment: { KEY_PREFIX: config.keyPrefix },
    });
    const versions = new CheckedVersions(this, props);
    const authorizer = new RequestAuthorizer(this, 'Authorizer', {
      handler: versions.add('authorizer', authorizerFunction),
      identitySources: [IdentitySource.header(KEY_HEADER)],
      resultsCacheTtl: Duration.seconds(AUTHORIZER_TTL_SECONDS),
    });
    const functions = OPERATION_IDS.map((operation) => {
      const lambda = this.addEndpoint(operation, props);
      const alias = versions.add(operation, lambda);
      addEndpointMethods(api, ROUTES[operation], alias, authorizer, config.corsOrigins);
      return lambda;
    });
    this.functions = [...functions, authorizerFunction];
    addGatewayResponses(api, config);
    const keySync = addKeyReconciliation(this, { ...props, deadLetters }, api, props.archive);
    new CfnOutput(this, 'KeySyncFunctionName', { value: keySync.functionName });
    addUsagePlans(this, api, config);
    const { domainName, certificateArn, canaryMinutes } = config;
    if (domainName !== undefined && certificateArn !== undefined) {
      addCustomDomain(this, api, domainName, certificateArn);
      addCertificateAlarm(this, certificateArn, topics);
    }
    addObjectiveAlarms(this, stage, topics);
    addLimitAlarm(this, config, rest, topics);
    new RunbookAlarm(this, 'LimiterFailures', {
      kind: 'limiterFailures',
      meaning: 'Requests are served under the cap of the instance because the limiter does not respond.',
      metric: serviceCount(config.stage, 'limiterFailure'),
      topics,
    });
    const addressOf = (path: string): string =>
      domainName === undefined ? stage.urlForPath(path || undefined) : `https://${domainName}${path}`;
    if (canaryMinutes !== undefined) addHealthCanary(this, config, canaryMinutes, addressOf, topics);
    new CfnOutput(this, 'BaseAddress', {
      value: addressOf(''),
      description: 'Resources begin at /v1 below it',
    });
    new CfnOutput(this, 'ApiId', { value: api.restApiId });
    new CfnOutput(this, 'DeadLettersUrl', { value: deadLetters.queueUrl });
    new CfnOutput(this, 'VersionCheckFunctionName', { value: versions.check.functionName });
    this.addPortalOutputs(api, config);
  }

  private addEndpoint(operation: OperationId, props: ApiStackProps): LambdaFunction {
    const { route, tables, memoryMb } = ENDPOINTS[operation];
    const { authenticated, summary } = route;
    const { contact, corsOrigins, responseCacheSeconds } = props.config;
    return addFunction(this, `${titled(operation)}Function`, {
      ...props,
      handler: folderOf(operation),
      description: summary,
      memoryMb,
      timeout: RESPOND_WITHIN,
      uses: authenticated ? { ...tables, rateLimits: 'spend' } : tables,
      environment: {
        ...(corsOrigins.length > 0 && { CORS_ORIGINS: corsOrigins.join(',') }),
        ...(authenticated && contact && { CONTACT: contact }),
        ...(authenticated &&
          responseCacheSeconds > 0 && { RESPONSE_CACHE_SECONDS: String(responseCacheSeconds) }),
      },
    });
  }

  private addPortalOutputs(api: RestApi, config: StageConfig): void {
    new CfnOutput(this, API_OUTPUTS.host, {
      value: `${api.restApiId}.execute-api.${this.region}.${this.urlSuffix}`,
    });
    if (config.waf) new CfnOutput(this, API_OUTPUTS.portalMark, { value: portalMark(api) });
  }
}
