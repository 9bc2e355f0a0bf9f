/**
 * The supported properties of each resource type: those that are read, and the names of those without effect on one
 * machine. Any other property stops the start, so that a deployment behaves like the local service.
 */
import * as z from 'zod';

const text = z.string().min(1);
const immaterial = z.optional(z.unknown());

const resource = <S extends z.ZodRawShape>(read: S, ...ignored: string[]) => ({
  read: z.strictObject(read),
  ignored,
});

/** Integration and authorizer URIs name the function they call. */
const invocationUri = z
  .string()
  .regex(/^arn:aws:apigateway:[^:]*:lambda:path\/2015-03-31\/functions\/(.+)\/invocations$/)
  .transform((uri) => uri.replace(/^.*\/functions\//, '').replace(/\/invocations$/, ''));

const MINUTE_MS = 60_000;
/** The longest delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** `rate(5 minutes)` as milliseconds. */
const rate = z
  .string()
  .regex(/^rate\(\d+ minutes?\)$/)
  .transform((expression) => Number(/\d+/.exec(expression)) * MINUTE_MS)
  .pipe(z.number().positive().max(MAX_TIMER_MS));

const keySchema = z.array(z.strictObject({ AttributeName: text, KeyType: z.enum(['HASH', 'RANGE']) }));

export const SHAPES = {
  'AWS::ApiGateway::RestApi': resource(
    {
      ApiKeySourceType: z.literal('AUTHORIZER'),
      /** With every type listed, the gateway decodes each body that a function marks as base64. */
      BinaryMediaTypes: z.optional(z.tuple([z.literal('*/*')])),
    },
    ...['Description', 'DisableExecuteApiEndpoint', 'EndpointConfiguration', 'FailOnWarnings', 'Name'],
    ...['SecurityPolicy', 'Tags'],
  ),
  'AWS::ApiGateway::Stage': resource(
    {
      CacheClusterEnabled: z.optional(z.literal(false)),
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
      StageName: text,
    },
    ...['AccessLogSetting', 'DeploymentId', 'Description', 'RestApiId', 'Tags', 'TracingEnabled'],
  ),
  'AWS::ApiGateway::Resource': resource({ ParentId: text, PathPart: text }, 'RestApiId'),
  'AWS::ApiGateway::Method': resource(
    {
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
      ResourceId: text,
    },
    // Without a request validator these only document.
    ...['MethodResponses', 'OperationName', 'RequestParameters', 'RestApiId'],
  ),
  'AWS::ApiGateway::Authorizer': resource(
    {
      AuthorizerResultTtlInSeconds: z.optional(z.int().min(0).max(3600)),
      AuthorizerUri: invocationUri,
      IdentitySource: z
        .string()
        .regex(/^method\.request\.header\.[A-Za-z0-9-]+$/)
        .transform((source) => source.slice('method.request.header.'.length)),
      Type: z.literal('REQUEST'),
    },
    ...['Name', 'RestApiId'],
  ),
  'AWS::ApiGateway::GatewayResponse': resource(
    {
      ResponseParameters: z.optional(z.record(z.string().startsWith('gatewayresponse.header.'), z.string())),
      ResponseTemplates: z.optional(z.strictObject({ 'application/json': z.optional(z.string()) })),
      ResponseType: text,
      StatusCode: z.optional(z.string().regex(/^[45]\d\d$/)),
    },
    'RestApiId',
  ),
  'AWS::ApiGateway::UsagePlan': resource(
    {
      ApiStages: z.optional(
        z.array(z.strictObject({ ApiId: text, Stage: text, Throttle: z.optional(z.strictObject({})) })),
      ),
      Quota: z.optional(z.strictObject({ Limit: z.int().positive(), Period: z.literal('MONTH') })),
      Tags: z.optional(z.array(z.strictObject({ Key: text, Value: z.string() }))),
      Throttle: z.optional(
        z.strictObject({ BurstLimit: z.int().positive(), RateLimit: z.number().positive() }),
      ),
      UsagePlanName: text,
    },
    'Description',
  ),
  'AWS::Lambda::Function': resource(
    {
      Environment: z.optional(z.strictObject({ Variables: z.optional(z.record(z.string(), z.string())) })),
      Handler: z.string().regex(/^[\w/-]+\.\w+$/),
      MemorySize: z.optional(z.int()),
      Runtime: z.string().regex(/^nodejs/),
      Timeout: z.optional(z.int().min(1).max(900)),
    },
    // Failed asynchronous events go where the event invoke configuration says; one machine runs one copy.
    ...['Architectures', 'Code', 'DeadLetterConfig', 'Description', 'EphemeralStorage', 'FunctionName'],
    ...['KmsKeyArn', 'LoggingConfig', 'RecursiveLoop', 'ReservedConcurrentExecutions', 'Role'],
    ...['RuntimeManagementConfig', 'Tags', 'TracingConfig'],
  ),
  /** The gateway calls functions by their aliases; on one machine there is only the newest version. */
  'AWS::Lambda::Alias': resource({ FunctionName: text, FunctionVersion: text, Name: text }),
  'AWS::Lambda::Version': resource({ FunctionName: text }),
  'AWS::Lambda::EventInvokeConfig': resource({
    DestinationConfig: z.optional(
      z.strictObject({ OnFailure: z.optional(z.strictObject({ Destination: text })) }),
    ),
    FunctionName: text,
    MaximumEventAgeInSeconds: z.optional(z.int()),
    MaximumRetryAttempts: z.optional(z.int().min(0).max(2)),
    Qualifier: z.literal('$LATEST'),
  }),
  'AWS::Scheduler::Schedule': resource(
    {
      FlexibleTimeWindow: z.strictObject({
        MaximumWindowInMinutes: immaterial,
        Mode: z.enum(['OFF', 'FLEXIBLE']),
      }),
      ScheduleExpression: rate,
      State: z.optional(z.enum(['ENABLED', 'DISABLED'])),
      Target: z.strictObject({
        Arn: text,
        /** For events that never reached the function, which cannot happen in one process. */
        DeadLetterConfig: immaterial,
        Input: z.optional(z.string()),
        RetryPolicy: immaterial,
        RoleArn: immaterial,
      }),
    },
    // A rate has no time zone.
    ...['Description', 'GroupName', 'KmsKeyArn', 'Name', 'ScheduleExpressionTimezone'],
  ),
  'AWS::DynamoDB::Table': resource(
    {
      AttributeDefinitions: z.array(
        z.strictObject({ AttributeName: text, AttributeType: z.enum(['S', 'N', 'B']) }),
      ),
      BillingMode: z.literal('PAY_PER_REQUEST'),
      KeySchema: keySchema,
    },
    // Readers ignore expired rows; the deletion only saves space.
    ...['ContributorInsightsSpecification', 'DeletionProtectionEnabled', 'OnDemandThroughput'],
    ...['PointInTimeRecoverySpecification', 'SSESpecification', 'TableClass', 'TableName', 'Tags'],
    'TimeToLiveSpecification',
  ),
  /** A rule may only react to events of the account, which do not occur on one machine. */
  'AWS::Events::Rule': resource(
    { EventPattern: z.record(z.string(), z.unknown()) },
    ...['Description', 'Name', 'RoleArn', 'State', 'Tags', 'Targets'],
  ),
} as const;

/** Types without effect on one machine: rights, logs, alarms, queues, keys, and resources of the deployment itself. */
export const IGNORED_TYPES: readonly RegExp[] = [
  /^AWS::(IAM|Logs|CloudWatch|SNS|SQS|KMS|S3|SecretsManager|SSM|Budgets|CloudTrail|XRay|Synthetics|StepFunctions)::/,
  /^AWS::(Route53|CertificateManager|CloudFront|CodeDeploy|WAFv2|CDK|Chatbot)::/,
  /^AWS::ApiGateway::(Account|Deployment|DomainName|BasePathMapping|Model|Documentation(Part|Version))$/,
  /^AWS::Lambda::Permission$/,
  /^AWS::Scheduler::ScheduleGroup$/,
  /^Custom::/,
];
