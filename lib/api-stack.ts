/** The API: the REST API, a function for each endpoint, the authorizer, the usage plans, the keys. */
import { CfnOutput, Duration, ReferenceStrength, Stack, type StackProps } from 'aws-cdk-lib';
import { IdentitySource, RequestAuthorizer, type RestApi, type Stage } from 'aws-cdk-lib/aws-apigateway';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { DEFAULT_CROSS_STACK_REFERENCES } from 'aws-cdk-lib/cx-api';
import type { Construct } from 'constructs';
import { KEY_HEADER } from '../core/contracts/headers.ts';
import { OPERATION_IDS, type OperationId, ROUTES } from '../core/contracts/routes.ts';
import { AUTHORIZER_TTL_SECONDS } from '../core/keys/entitlements.ts';
import { folderOf } from '../lambdas/endpoints/endpoint.ts';
import { ENDPOINTS } from '../lambdas/endpoints/endpoints.ts';
import { CertificateAlarm, LimitAlarm, ObjectiveAlarms } from './constructs/api-alarms.ts';
import { CheckedVersions } from './constructs/checked-versions.ts';
import { DeadLetters } from './constructs/dead-letters.ts';
import { portalMark } from './constructs/firewall.ts';
import { addGatewayResponses } from './constructs/gateway-responses.ts';
import { type FunctionDefaults, HandlerFunction } from './constructs/handler-function.ts';
import { HealthCanary } from './constructs/health-canary.ts';
import { KeyReconciliation } from './constructs/key-reconciliation.ts';
import type { RawArchive } from './constructs/raw-archive.ts';
import { addEndpointMethods, CustomDomain, StagedRestApi, UsagePlans } from './constructs/rest-api.ts';
import { RunbookAlarm } from './constructs/runbook-alarm.ts';
import { serviceCount } from './constructs/service-metric.ts';
import { titled } from './pinned.ts';
import type { StageConfig } from './stage-config.ts';

export interface ApiStackProps extends StackProps, FunctionDefaults {
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
    const { config, alarmTopics: topics } = props;
    const { api, accessLog } = new StagedRestApi(this, 'Rest', config);
    const stage = api.deploymentStage;
    const { queue: deadLetters } = new DeadLetters(this, 'DeadLetters', topics);
    const shared = { ...props, timeout: RESPOND_WITHIN };
    const { lambda: authorizerFunction } = new HandlerFunction(this, 'AuthorizerFunction', {
      ...shared,
      handler: 'authorizer',
      description: 'Checks API keys',
      memoryMb: 512,
      uses: { apiKeys: 'read' },
      environment: { KEY_PREFIX: config.keyPrefix },
    });
    const versions = new CheckedVersions(this, 'Versions', props);
    const authorizer = new RequestAuthorizer(this, 'Authorizer', {
      handler: versions.add('authorizer', authorizerFunction),
      identitySources: [IdentitySource.header(KEY_HEADER)],
      resultsCacheTtl: Duration.seconds(AUTHORIZER_TTL_SECONDS),
    });
    const methods = { api, authorizer, corsOrigins: config.corsOrigins };
    const functions = OPERATION_IDS.map((operation) => {
      const lambda = this.addEndpoint(operation, shared);
      addEndpointMethods(ROUTES[operation], versions.add(operation, lambda), methods);
      return lambda;
    });
    addGatewayResponses(api, config);
    const reconciliation = new KeyReconciliation(this, 'KeyReconciliation', { ...props, deadLetters, api });
    new CfnOutput(this, 'KeySyncFunctionName', { value: reconciliation.function.lambda.functionName });
    new UsagePlans(this, 'Plans', { api, stage, config });
    const { domainName, certificateArn } = config;
    if (domainName !== undefined && certificateArn !== undefined) {
      new CustomDomain(this, 'CustomDomain', { api, stage, domainName, certificateArn });
      new CertificateAlarm(this, 'Certificate', { certificateArn, topics });
    }
    const { serverErrors } = new ObjectiveAlarms(this, 'Objectives', { config, stage, topics });
    versions.rollBackOn(serverErrors);
    new LimitAlarm(this, 'Limits', { config, stage, accessLog, topics });
    this.addLimiterAlarm(props);
    this.stage = stage;
    this.functions = [...functions, authorizerFunction];
    const address = (path: string): string =>
      domainName === undefined ? stage.urlForPath(path || undefined) : `https://${domainName}${path}`;
    if (config.canaryMinutes !== undefined) {
      const url = address(ROUTES.health.paths[0]);
      const figureUrl = `${address(ROUTES.ports.paths[0])}?sort=-last_observed`;
      const everyMinutes = config.canaryMinutes;
      new HealthCanary(this, 'HealthCanary', { config, everyMinutes, url, figureUrl, topics });
    }
    this.addOutputs(api, address(''), deadLetters);
    new CfnOutput(this, 'VersionCheckFunctionName', { value: versions.check.functionName });
    this.addPortalOutputs(api, config);
  }

  private addEndpoint(
    operation: OperationId,
    shared: FunctionDefaults & { timeout: Duration },
  ): LambdaFunction {
    const { route, tables, memoryMb } = ENDPOINTS[operation];
    const { authenticated, summary } = route;
    const { contact, corsOrigins, responseCacheSeconds } = shared.config;
    const { lambda } = new HandlerFunction(this, `${titled(operation)}Function`, {
      ...shared,
      handler: folderOf(operation),
      description: summary,
      memoryMb,
      uses: authenticated ? { ...tables, rateLimits: 'spend' } : tables,
      environment: {
        ...(corsOrigins.length === 0 ? {} : { CORS_ORIGINS: corsOrigins.join(',') }),
        ...(authenticated && contact !== undefined ? { CONTACT: contact } : {}),
        ...(authenticated && responseCacheSeconds > 0
          ? { RESPONSE_CACHE_SECONDS: String(responseCacheSeconds) }
          : {}),
      },
    });
    return lambda;
  }

  private addLimiterAlarm({ config, alarmTopics: topics }: ApiStackProps): void {
    new RunbookAlarm(this, 'LimiterFailures', {
      kind: 'limiterFailures',
      meaning: 'Requests are served under the cap of the instance because the limiter does not respond.',
      metric: serviceCount(config.stage, 'limiterFailure'),
      topics,
    });
  }

  private addOutputs(api: RestApi, baseAddress: string, deadLetters: Queue): void {
    new CfnOutput(this, 'BaseAddress', {
      value: baseAddress,
      description: 'Resources begin at /v1 below it',
    });
    new CfnOutput(this, 'ApiId', { value: api.restApiId });
    new CfnOutput(this, 'DeadLettersUrl', { value: deadLetters.queueUrl });
  }

  private addPortalOutputs(api: RestApi, config: StageConfig): void {
    new CfnOutput(this, API_OUTPUTS.host, {
      value: `${api.restApiId}.execute-api.${this.region}.${this.urlSuffix}`,
    });
    if (config.waf) new CfnOutput(this, API_OUTPUTS.portalMark, { value: portalMark(api) });
    // A portal that was deployed with imports keeps them until its own deployment, which follows this one.
    if (this.node.tryGetContext(DEFAULT_CROSS_STACK_REFERENCES) === ReferenceStrength.BOTH) {
      for (const imported of [api.restApiId, api.deploymentStage.stageName]) this.exportValue(imported);
    }
  }
}
