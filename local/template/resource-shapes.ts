/**
 * The supported properties of each resource type. A property that is absent here stops the start, so that a deployment
 * behaves like the local service.
 */
import * as z from 'zod';

/** Known, without effect on one machine. */
const immaterial = z.optional(z.unknown());
const text = z.string().min(1);
const tags = z.optional(z.array(z.strictObject({ Key: text, Value: z.string() })));

/** Integration and authorizer URIs name the function they call. */
const invocationUri = z
  .string()
  .regex(/^arn:aws:apigateway:[^:]*:lambda:path\/2015-03-31\/functions\/(.+)\/invocations$/)
  .transform((uri) => uri.replace(/^.*\/functions\//, '').replace(/\/invocations$/, ''));

export const restApi = z.strictObject({
  ApiKeySourceType: z.literal('AUTHORIZER'),
  /** With every type listed, the gateway decodes each body that a function marks as base64. */
  BinaryMediaTypes: z.optional(z.tuple([z.literal('*/*')])),
  Description: immaterial,
  DisableExecuteApiEndpoint: immaterial,
  EndpointConfiguration: immaterial,
  FailOnWarnings: immaterial,
  Name: immaterial,
  SecurityPolicy: immaterial,
  Tags: immaterial,
});

export const stage = z.strictObject({
  AccessLogSetting: immaterial,
  CacheClusterEnabled: z.optional(z.literal(false)),
  DeploymentId: immaterial,
  Description: immaterial,
  /** Stage-wide throttles protect an account; here the machine itself is the limit. */
  MethodSettings: z.optional(
    z.array(
      z.strictObject({
        CachingEnabled: z.optional(z.literal(false)),
        DataTraceEnabled: immaterial,
        HttpMethod: immaterial,
        LoggingLevel: immaterial,
        MetricsEnabled: immaterial,
        ResourcePath: immaterial,
        ThrottlingBurstLimit: immaterial,
        ThrottlingRateLimit: immaterial,
      }),
    ),
  ),
  RestApiId: text,
  StageName: text,
  Tags: immaterial,
  TracingEnabled: immaterial,
});

export const resource = z.strictObject({ ParentId: text, PathPart: text, RestApiId: text });

export const method = z.strictObject({
  ApiKeyRequired: z.optional(z.boolean()),
  AuthorizationType: z.enum(['NONE', 'CUSTOM']),
  AuthorizerId: z.optional(text),
  HttpMethod: z.enum(['GET', 'HEAD']),
  Integration: z.strictObject({
    IntegrationHttpMethod: z.literal('POST'),
    TimeoutInMillis: z.optional(z.int().positive()),
    Type: z.literal('AWS_PROXY'),
    Uri: invocationUri,
  }),
  /** Without a request validator these only document. */
  MethodResponses: immaterial,
  OperationName: immaterial,
  RequestParameters: immaterial,
  ResourceId: text,
  RestApiId: text,
});

export const authorizer = z.strictObject({
  AuthorizerResultTtlInSeconds: z.optional(z.int().min(0).max(3600)),
  AuthorizerUri: invocationUri,
  IdentitySource: z
    .string()
    .regex(/^method\.request\.header\.[A-Za-z0-9-]+$/)
    .transform((source) => source.slice('method.request.header.'.length)),
  Name: immaterial,
  RestApiId: text,
  Type: z.literal('REQUEST'),
});

export const gatewayResponse = z.strictObject({
  ResponseParameters: z.optional(z.record(z.string().startsWith('gatewayresponse.header.'), z.string())),
  ResponseTemplates: z.optional(z.strictObject({ 'application/json': z.optional(z.string()) })),
  ResponseType: text,
  RestApiId: text,
  StatusCode: z.optional(z.string().regex(/^[45]\d\d$/)),
});

export const usagePlan = z.strictObject({
  ApiStages: z.optional(
    z.array(z.strictObject({ ApiId: text, Stage: text, Throttle: z.optional(z.strictObject({})) })),
  ),
  Description: immaterial,
  Quota: z.optional(z.strictObject({ Limit: z.int().positive(), Period: z.literal('MONTH') })),
  Tags: tags,
  Throttle: z.optional(z.strictObject({ BurstLimit: z.int().positive(), RateLimit: z.number().positive() })),
  UsagePlanName: text,
});

export const lambdaFunction = z.strictObject({
  Architectures: immaterial,
  Code: immaterial,
  /** For asynchronous events that failed, which are in the log here. */
  DeadLetterConfig: immaterial,
  Description: immaterial,
  Environment: z.optional(z.strictObject({ Variables: z.optional(z.record(z.string(), z.string())) })),
  EphemeralStorage: immaterial,
  FunctionName: z.optional(text),
  Handler: z.string().regex(/^[\w/-]+\.\w+$/),
  KmsKeyArn: immaterial,
  LoggingConfig: immaterial,
  MemorySize: z.optional(z.int()),
  /** A cap on concurrent copies; one machine runs one. */
  ReservedConcurrentExecutions: immaterial,
  RecursiveLoop: immaterial,
  Role: immaterial,
  Runtime: z.string().regex(/^nodejs/),
  RuntimeManagementConfig: immaterial,
  Tags: immaterial,
  Timeout: z.optional(z.int().min(1).max(900)),
  TracingConfig: immaterial,
});

const destination = z.strictObject({ Destination: text });
export const eventInvokeConfig = z.strictObject({
  DestinationConfig: z.optional(z.strictObject({ OnFailure: z.optional(destination) })),
  FunctionName: text,
  MaximumEventAgeInSeconds: z.optional(z.int()),
  MaximumRetryAttempts: z.optional(z.int().min(0).max(2)),
  Qualifier: z.literal('$LATEST'),
});

export const schedule = z.strictObject({
  Description: immaterial,
  FlexibleTimeWindow: z.strictObject({
    MaximumWindowInMinutes: immaterial,
    Mode: z.enum(['OFF', 'FLEXIBLE']),
  }),
  GroupName: immaterial,
  KmsKeyArn: immaterial,
  Name: immaterial,
  ScheduleExpression: text,
  ScheduleExpressionTimezone: z.optional(z.enum(['UTC', 'Etc/UTC'])),
  State: z.optional(z.enum(['ENABLED', 'DISABLED'])),
  Target: z.strictObject({
    Arn: text,
    /** For events that never reached the function, which cannot happen in one process. */
    DeadLetterConfig: immaterial,
    Input: z.optional(z.string()),
    RetryPolicy: immaterial,
    RoleArn: immaterial,
  }),
});

const keySchema = z.array(z.strictObject({ AttributeName: text, KeyType: z.enum(['HASH', 'RANGE']) }));
const tableProperties = {
  AttributeDefinitions: z.array(
    z.strictObject({ AttributeName: text, AttributeType: z.enum(['S', 'N', 'B']) }),
  ),
  BillingMode: z.literal('PAY_PER_REQUEST'),
  GlobalSecondaryIndexes: z.optional(
    z.array(
      z.strictObject({
        IndexName: text,
        KeySchema: keySchema,
        OnDemandThroughput: immaterial,
        Projection: z.strictObject({
          NonKeyAttributes: z.optional(z.array(z.string())),
          ProjectionType: z.optional(z.string()),
        }),
      }),
    ),
  ),
  KeySchema: keySchema,
  SSESpecification: immaterial,
  TableName: z.optional(text),
  /** Readers ignore expired rows; the deletion only saves space. */
  TimeToLiveSpecification: immaterial,
};
export const table = z.strictObject({
  ...tableProperties,
  ContributorInsightsSpecification: immaterial,
  DeletionProtectionEnabled: immaterial,
  OnDemandThroughput: immaterial,
  PointInTimeRecoverySpecification: immaterial,
  TableClass: immaterial,
  Tags: immaterial,
});
export const globalTable = z.strictObject({
  ...tableProperties,
  Replicas: z.array(z.unknown()).max(1),
});

/** A rule may only react to events of the account, which do not occur on one machine. */
export const eventRule = z.strictObject({
  Description: immaterial,
  EventPattern: z.record(z.string(), z.unknown()),
  Name: immaterial,
  RoleArn: immaterial,
  State: immaterial,
  Tags: immaterial,
  Targets: immaterial,
});

/** Types without effect on one machine: rights, logs, alarms, queues, keys, and resources of the deployment itself. */
export const IGNORED_TYPES: readonly RegExp[] = [
  /^AWS::(IAM|Logs|CloudWatch|SNS|SQS|KMS|S3|SecretsManager|SSM|Budgets|CloudTrail|XRay|Synthetics|StepFunctions)::/,
  /^AWS::(Route53|CertificateManager|CloudFront|WAFv2|CDK|Chatbot)::/,
  /^AWS::ApiGateway::(Account|Deployment|DomainName|BasePathMapping|Model|Documentation(Part|Version))$/,
  /^AWS::Lambda::Permission$/,
  /^AWS::Scheduler::ScheduleGroup$/,
  /^Custom::/,
];
