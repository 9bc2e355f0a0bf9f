/** The REST API: its one stage (regional, keys by the authorizer, logged and throttled), methods, usage plans and domain. */
import { CfnOutput, RemovalPolicy, Tags } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  ApiKeySourceType,
  AuthorizationType,
  CfnAccount,
  type CfnMethod,
  DomainName,
  EndpointType,
  type IAuthorizer,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  type MethodOptions,
  Period,
  RestApi,
  SecurityPolicy,
  type Stage,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { KEY_HEADER } from '../../core/contracts/headers.ts';
import { PLANS, TIER_TAG, TIERS } from '../../core/contracts/plans.ts';
import type { Route } from '../../core/contracts/routes.ts';
import { acknowledge } from '../acknowledgements.ts';
import { keep, keepWithin, pin, titled } from '../pinned.ts';
import type { StageConfig } from '../stage-config.ts';
import { Firewall } from './firewall.ts';

// The role with which API Gateway writes its logs: a setting of the account and region, not of one API.

class GatewayLogRole extends Construct {
  readonly account: CfnAccount;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      // What AWS's AmazonAPIGatewayPushToCloudWatchLogs allows: the gateway refuses a role that may do less.
      inlinePolicies: {
        Logs: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: [
                'logs:CreateLogGroup',
                'logs:CreateLogStream',
                'logs:DescribeLogGroups',
                'logs:DescribeLogStreams',
                'logs:PutLogEvents',
                'logs:GetLogEvents',
                'logs:FilterLogEvents',
              ],
              resources: ['*'],
            }),
          ],
        }),
      },
    });
    acknowledge(role, 'gatewayLogs');
    this.account = new CfnAccount(this, 'Account', { cloudWatchRoleArn: role.roleArn });
    // Other APIs of the account may have come to rely on it.
    role.applyRemovalPolicy(RemovalPolicy.RETAIN);
    this.account.applyRemovalPolicy(RemovalPolicy.RETAIN);
  }
}

/** All keys together; far above what the plans sell, far below the account's 10,000 a second. */
export const STAGE_THROTTLE = { throttlingRateLimit: 1000, throttlingBurstLimit: 2000 };

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
    if (config.waf) new Firewall(this, 'Firewall', { api: this.api, config });
    else acknowledge(this.api, 'firewallOff');
  }
}

// The API under a domain of its own, without the stage's name in the path.

interface CustomDomainProps {
  readonly api: RestApi;
  readonly stage: Stage;
  readonly domainName: string;
  readonly certificateArn: string;
}

export class CustomDomain extends Construct {
  constructor(scope: Construct, id: string, { api, stage, domainName, certificateArn }: CustomDomainProps) {
    super(scope, id);
    const domain = new DomainName(this, 'Domain', {
      domainName,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    pin(domain, 'CustomDomain50EDADAC');
    domain.addBasePathMapping(api, { stage });
    new CfnOutput(this, 'Target', {
      value: domain.domainNameAliasDomainName,
      description: `Point a CNAME or alias record of ${domainName} here`,
    });
  }
}

// The native usage plans: rate, burst and monthly quota of each tier, and the tag that says which tier a plan is.

interface UsagePlansProps {
  readonly api: RestApi;
  readonly stage: Stage;
  readonly config: StageConfig;
}

export class UsagePlans extends Construct {
  constructor(scope: Construct, id: string, { api, stage, config }: UsagePlansProps) {
    super(scope, id);
    for (const tier of TIERS.filter((tier) => tier !== config.withoutPlan)) {
      const { title, monthlyQuota, ratePerSecond, burst } = PLANS[tier];
      // By the tier: a title may change, and another id would make another plan, without the keys.
      const id = `${titled(tier)}Plan`;
      const plan = api.addUsagePlan(id, {
        name: `Port Congestion ${stage.stageName} ${title}`,
        description: `${title}: ${monthlyQuota} requests a month`,
        throttle: { rateLimit: ratePerSecond, burstLimit: burst },
        quota: { limit: monthlyQuota, period: Period.MONTH },
        apiStages: [{ stage }],
      });
      keep(plan, id, config);
      Tags.of(plan).add(TIER_TAG, tier);
      const output = new CfnOutput(this, `${id}Id`, { value: plan.usagePlanId });
      output.overrideLogicalId(`${id}Id`);
    }
  }
}

// The methods of one operation, on its path and on every alias of it.

/** HEAD responds as GET does, without the body. */
const METHODS = ['GET', 'HEAD'] as const;

interface EndpointMethodsProps {
  readonly api: RestApi;
  readonly authorizer: IAuthorizer;
  readonly corsOrigins: readonly string[];
}

/** Adds the methods of `route`, served by `lambda`, behind the authorizer and a plan's key unless it is open. */
export function addEndpointMethods(
  route: Pick<Route, 'paths' | 'authenticated'>,
  lambda: IFunction,
  { api, authorizer, corsOrigins }: EndpointMethodsProps,
): void {
  const access: MethodOptions = route.authenticated
    ? { authorizer, authorizationType: AuthorizationType.CUSTOM, apiKeyRequired: true }
    : { authorizationType: AuthorizationType.NONE, apiKeyRequired: false };
  const integration = new LambdaIntegration(lambda, { allowTestInvoke: false });
  for (const path of route.paths) {
    const resource = api.root.resourceForPath(path);
    for (const httpMethod of METHODS) {
      const method = resource.addMethod(httpMethod, integration, access);
      acknowledge(method, 'ownAuthorizer');
      if (!route.authenticated) acknowledge(method, 'openHealth');
    }
    // Which response headers a page may read is stated by the response itself; browsers ignore it on a preflight.
    if (corsOrigins.length > 0) {
      const preflight = resource.addCorsPreflight({
        allowOrigins: [...corsOrigins],
        allowMethods: [...METHODS],
        allowHeaders: [KEY_HEADER, 'If-None-Match'],
      });
      // Every media type is binary here, and the request template of a mock fits text alone: it would fail with a 500.
      const { node } = preflight;
      (node.defaultChild as CfnMethod).addPropertyOverride('Integration.ContentHandling', 'CONVERT_TO_TEXT');
    }
  }
}
