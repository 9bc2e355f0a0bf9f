/**
 * The supported properties of each resource type: those that are read, in the form in which the service has them, and the names
 * of those without effect on one machine. Any other property stops the start, so that a deployment behaves like the local service.
 */
import * as z from 'zod';
import { errorText, StartError } from '../start-error.ts';
import type { Template, TemplateResource } from './template.ts';

const text = z.string().min(1);
const immaterial = z.optional(z.unknown());

const resource = <S extends z.ZodType>(read: S, ...ignored: string[]) => ({ read, ignored });

const invocationUri = z
  .string()
  .regex(/^arn:aws:apigateway:[^:]*:lambda:path\/2015-03-31\/functions\/(.+)\/invocations$/)
  .transform((uri) => uri.replace(/^.*\/functions\//, '').replace(/\/invocations$/, ''));

const MINUTE_MS = 60_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

/** `rate(5 minutes)` as milliseconds. */
const rate = z
  .string()
  .regex(/^rate\(\d+ minutes?\)$/)
  .transform((expression) => Number(/\d+/.exec(expression)) * MINUTE_MS)
  .pipe(z.number().positive().max(MAX_TIMER_MS));

const HEADER = 'gatewayresponse.header.';
const byHeader = z
  .record(z.string().startsWith(HEADER), z.string())
  .transform((given) =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name.slice(HEADER.length), value])),
  );

const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    context.addIssue(`is not JSON: ${errorText(thrown)}`);
    return z.NEVER;
  }
});

const SHAPES = {
  'AWS::ApiGateway::RestApi': resource(
    z.strictObject({
      ApiKeySourceType: z.literal('AUTHORIZER'),
      /** With every type listed, the gateway decodes each body that a function marks as base64. */
      BinaryMediaTypes: z.optional(z.tuple([z.literal('*/*')])),
    }),
    ...['Description', 'DisableExecuteApiEndpoint', 'EndpointConfiguration', 'FailOnWarnings', 'Name'],
    ...['SecurityPolicy', 'Tags'],
  ),
  'AWS::ApiGateway::Stage': resource(
    z.strictObject({
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
    }),
    ...['AccessLogSetting', 'DeploymentId', 'Description', 'RestApiId', 'Tags', 'TracingEnabled'],
  ),
  'AWS::ApiGateway::Resource': resource(z.strictObject({ ParentId: text, PathPart: text }), 'RestApiId'),
  'AWS::ApiGateway::Method': resource(
    z.strictObject({
      ApiKeyRequired: z.boolean().default(false),
      AuthorizationType: z.enum(['NONE', 'CUSTOM']),
      AuthorizerId: z.optional(text),
      HttpMethod: z.enum(['GET', 'HEAD']),
      Integration: z.strictObject({
        IntegrationHttpMethod: z.literal('POST'),
        TimeoutInMillis: z.int().positive().default(29_000),
        Type: z.literal('AWS_PROXY'),
        Uri: invocationUri,
      }),
      ResourceId: text,
    }),
    // Without a request validator these only document.
    ...['MethodResponses', 'OperationName', 'RequestParameters', 'RestApiId'],
  ),
  'AWS::ApiGateway::Authorizer': resource(
    z.strictObject({
      AuthorizerResultTtlInSeconds: z.int().min(0).max(3600).default(300),
      AuthorizerUri: invocationUri,
      IdentitySource: z
        .string()
        .regex(/^method\.request\.header\.[A-Za-z0-9-]+$/)
        .transform((source) => source.slice('method.request.header.'.length)),
      Type: z.literal('REQUEST'),
    }),
    ...['Name', 'RestApiId'],
  ),
  'AWS::ApiGateway::GatewayResponse': resource(
    z
      .strictObject({
        ResponseParameters: byHeader.optional(),
        ResponseTemplates: z.strictObject({ 'application/json': z.optional(z.string()) }).optional(),
        ResponseType: text,
        StatusCode: z
          .string()
          .regex(/^[45]\d\d$/)
          .transform(Number)
          .optional(),
      })
      .transform(({ ResponseParameters, ResponseTemplates, ResponseType, StatusCode }) => ({
        type: ResponseType,
        status: StatusCode,
        /** Header name to mapping expression. */
        headers: ResponseParameters ?? {},
        template: ResponseTemplates?.['application/json'],
      })),
    'RestApiId',
  ),
  'AWS::ApiGateway::UsagePlan': resource(
    z
      .strictObject({
        ApiStages: z
          .array(z.strictObject({ ApiId: text, Stage: text, Throttle: z.optional(z.strictObject({})) }))
          .default([]),
        Quota: z.optional(z.strictObject({ Limit: z.int().positive(), Period: z.literal('MONTH') })),
        Tags: z.array(z.strictObject({ Key: text, Value: z.string() })).default([]),
        Throttle: z
          .strictObject({ BurstLimit: z.int().positive(), RateLimit: z.number().positive() })
          .transform(({ RateLimit, BurstLimit }) => ({ ratePerSecond: RateLimit, burst: BurstLimit }))
          .optional(),
        UsagePlanName: text,
      })
      .transform(({ ApiStages, Quota, Tags, Throttle, UsagePlanName }) => ({
        name: UsagePlanName,
        throttle: Throttle,
        monthlyQuota: Quota?.Limit,
        stages: ApiStages.map(({ ApiId, Stage }) => ({ apiId: ApiId, stage: Stage })),
        tags: Object.fromEntries(Tags.map(({ Key, Value }) => [Key, Value])),
      })),
    'Description',
  ),
  'AWS::Lambda::Function': resource(
    z.strictObject({
      Environment: z.optional(z.strictObject({ Variables: z.record(z.string(), z.string()).default({}) })),
      Handler: z.string().regex(/^[\w/-]+\.\w+$/),
      MemorySize: z.int().default(128),
      Runtime: z.string().regex(/^nodejs/),
      Timeout: z.int().min(1).max(900).default(3),
    }),
    // Failed asynchronous events go where the event invoke configuration says; one machine runs one copy.
    ...['Architectures', 'Code', 'DeadLetterConfig', 'Description', 'EphemeralStorage', 'FunctionName'],
    ...['KmsKeyArn', 'LoggingConfig', 'RecursiveLoop', 'ReservedConcurrentExecutions', 'Role'],
    ...['RuntimeManagementConfig', 'Tags', 'TracingConfig'],
  ),
  /** The gateway calls functions by their aliases; on one machine there is only the newest version. */
  'AWS::Lambda::Alias': resource(z.strictObject({ FunctionName: text, FunctionVersion: text, Name: text })),
  'AWS::Lambda::Version': resource(z.strictObject({ FunctionName: text })),
  'AWS::Lambda::EventInvokeConfig': resource(
    z.strictObject({
      DestinationConfig: z.optional(
        z.strictObject({ OnFailure: z.optional(z.strictObject({ Destination: text })) }),
      ),
      FunctionName: text,
      MaximumEventAgeInSeconds: z.optional(z.int()),
      MaximumRetryAttempts: z.optional(z.int().min(0).max(2)),
      Qualifier: z.literal('$LATEST'),
    }),
  ),
  'AWS::Scheduler::Schedule': resource(
    z.strictObject({
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
        Input: z.optional(json),
        RetryPolicy: immaterial,
        RoleArn: immaterial,
      }),
    }),
    // A rate has no time zone.
    ...['Description', 'GroupName', 'KmsKeyArn', 'Name', 'ScheduleExpressionTimezone'],
  ),
  /** Keys in the form of DynamoDB's CreateTable. */
  'AWS::DynamoDB::Table': resource(
    z.strictObject({
      AttributeDefinitions: z.array(
        z.strictObject({ AttributeName: text, AttributeType: z.enum(['S', 'N', 'B']) }),
      ),
      BillingMode: z.literal('PAY_PER_REQUEST'),
      KeySchema: z.array(z.strictObject({ AttributeName: text, KeyType: z.enum(['HASH', 'RANGE']) })),
    }),
    // Readers ignore expired rows; the deletion only saves space.
    ...['ContributorInsightsSpecification', 'DeletionProtectionEnabled', 'OnDemandThroughput'],
    ...['PointInTimeRecoverySpecification', 'SSESpecification', 'TableClass', 'TableName', 'Tags'],
    'TimeToLiveSpecification',
  ),
  /** A rule may only react to events of the account, which do not occur on one machine. */
  'AWS::Events::Rule': resource(
    z.strictObject({ EventPattern: z.record(z.string(), z.unknown()) }),
    ...['Description', 'Name', 'RoleArn', 'State', 'Tags', 'Targets'],
  ),
};

/** Types without effect on one machine: rights, logs, alarms, queues, keys, and resources of the deployment itself. */
const IGNORED_TYPES: readonly RegExp[] = [
  /^AWS::(IAM|Logs|CloudWatch|SNS|SQS|KMS|S3|SecretsManager|SSM|CloudTrail|XRay|Synthetics|StepFunctions)::/,
  /^AWS::(Route53|CertificateManager|CloudFront|CodeDeploy|WAFv2|CDK|Chatbot)::/,
  /^AWS::ApiGateway::(Account|Deployment|DomainName|BasePathMapping|Model|Documentation(Part|Version))$/,
  /^AWS::Lambda::Permission$/,
  /^AWS::Scheduler::ScheduleGroup$/,
  /^Custom::/,
];

type SupportedType = keyof typeof SHAPES;
export type Supported<T extends SupportedType> = z.output<(typeof SHAPES)[T]['read']>;
type Shape<T extends SupportedType> = {
  readonly read: z.ZodType<Supported<T>>;
  readonly ignored: readonly string[];
};
const SHAPE_OF: { readonly [T in SupportedType]: Shape<T> } = SHAPES;

/** Resources of a type with the properties that are read; throws `StartError` naming the first unsupported one. */
export function supportedResources<T extends SupportedType>(
  template: Template,
  type: T,
  wanted?: (name: string) => boolean,
): (Omit<TemplateResource, 'properties'> & { readonly properties: Supported<T> })[] {
  const { read, ignored }: Shape<T> = SHAPE_OF[type];
  return template.resources(type, ignored, wanted).map((found) => {
    const result = read.safeParse(found.properties);
    if (result.success) return { ...found, properties: result.data };
    const [issue] = result.error.issues;
    const inner = issue?.code === 'unrecognized_keys' ? [issue.keys[0]] : [];
    const property = [...(issue?.path ?? []), ...inner].join('.');
    throw new StartError(
      `${found.place} (${type}): property ${property} is not supported: ${issue?.message}`,
    );
  });
}

/** Throws `StartError` when the template has a resource of an unsupported type. */
export function refuseUnknownTypes(template: Template): void {
  for (const { place, type } of template.types()) {
    if (type in SHAPES || IGNORED_TYPES.some((ignored) => ignored.test(type))) continue;
    throw new StartError(`${place}: resources of type ${type} are not supported`);
  }
}
