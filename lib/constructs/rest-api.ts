/** The bare REST API and its one stage: regional, keys by the authorizer, logged and throttled. */
import {
  AccessLogFormat,
  ApiKeySourceType,
  EndpointType,
  LogGroupLogDestination,
  MethodLoggingLevel,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledgements.ts';
import { keep, keepWithin } from '../pinned.ts';
import type { StageConfig } from '../stage-config.ts';
import { Firewall } from './firewall.ts';
import { GatewayLogRole } from './gateway-log-role.ts';

/** All keys together; far above what the plans sell, far below the account's 10,000 a second. */
const STAGE_THROTTLE = { throttlingRateLimit: 1000, throttlingBurstLimit: 2000 };

/** One line a request. The key and its digest are not in it: `identity.apiKey` would be the digest. */
const ACCESS_LOG_LINE = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  method: '$context.httpMethod',
  resource: '$context.resourcePath',
  status: '$context.status',
  gatewayError: '$context.error.responseType',
  latencyMs: '$context.responseLatency',
  integrationLatencyMs: '$context.integrationLatency',
  authorizerLatencyMs: '$context.authorizer.latency',
  keyId: '$context.identity.apiKeyId',
  tier: '$context.authorizer.tier',
  address: '$context.identity.sourceIp',
  bytes: '$context.responseLength',
};

export class StagedRestApi extends Construct {
  readonly api: RestApi;
  /** One JSON line a request. */
  readonly accessLog: LogGroup;

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id);
    const logOptions = { retention: config.logRetention, removalPolicy: config.removalPolicy };
    this.accessLog = new LogGroup(this, 'AccessLog', logOptions);
    this.api = new RestApi(this, 'Api', {
      restApiName: `port-congestion-${config.stage}`,
      description: 'Port congestion data, read-only',
      endpointTypes: [EndpointType.REGIONAL],
      apiKeySourceType: ApiKeySourceType.AUTHORIZER,
      cloudWatchRole: false,
      // The functions encode: the gateway's own compression would send other bytes under the same strong ETag. It decodes
      // base64 only of types listed here, by the first type that the client accepts.
      binaryMediaTypes: ['*/*'],
      deployOptions: {
        stageName: config.stage,
        tracingEnabled: config.tracing,
        accessLogDestination: new LogGroupLogDestination(this.accessLog),
        accessLogFormat: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG_LINE)),
        loggingLevel: MethodLoggingLevel.ERROR,
        dataTraceEnabled: false,
        ...STAGE_THROTTLE,
      },
    });
    keep(this.api, 'Api', config);
    keep(this.api.deploymentStage, 'Stage', config);
    // API Gateway deletes no deployment that a stage uses, so the deletion of a stack that keeps its stage would fail.
    if (this.api.latestDeployment) keepWithin(this.api.latestDeployment, config);
    acknowledge(this.api, 'ownValidation');
    if (!config.tracing) acknowledge(this.api, 'stageTracingOff');
    // The gateway would make this group itself, under this name, and keep it without end.
    const executionLog = new LogGroup(this, 'ExecutionLog', {
      ...logOptions,
      logGroupName: `API-Gateway-Execution-Logs_${this.api.restApiId}/${config.stage}`,
    });
    this.api.deploymentStage.node.addDependency(executionLog);
    if (config.apiGatewayLogRole) {
      this.api.deploymentStage.node.addDependency(new GatewayLogRole(this, 'LogRole').account);
    }
    if (config.waf) new Firewall(this, 'Firewall', { api: this.api, behindPortal: config.portal });
    else acknowledge(this.api, 'firewallOff');
  }
}
