/** How rights are given, and the findings of cdk-nag that are accepted, each with its reason. A test counts the rules and forbids more. */
import { Stack, Token, Validations } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';

/** Gives `grantee` the right to the actions on the resources, and to nothing else. */
export function allow(grantee: IGrantable, actions: string[], ...resourceArns: string[]): void {
  Grant.addToPrincipal({ grantee, actions, resourceArns });
}

const TRACING_OFF =
  'Traces cost up to 12 dollars a month; logs and metrics state the same times. The setting tracing turns them on.';

const EXPIRING =
  'Events of changed keys expire: the next run by schedule lists every key, so that a lost event costs five minutes at most.';

/** Reasons by rule. */
export const ACCEPTED_RULES = {
  'Serverless-LambdaTracing': TRACING_OFF,
  'Serverless-APIGWXrayEnabled': TRACING_OFF,
  'AwsSolutions-SF2': TRACING_OFF,
  'Serverless-StepFunctionStateMachineXray': TRACING_OFF,
  'Serverless-SQSRedrivePolicy':
    'This is the dead-letter queue: an operator empties it, and there is no queue behind the last one; or events that expire.',
  'AwsSolutions-SQS3': EXPIRING,
  'Serverless-LambdaEventSourceMappingDestination': EXPIRING,
  'Serverless-LambdaDLQ':
    'API Gateway or CodeDeploy alone calls this function and waits for it, so its caller gets every failure.',
  'AwsSolutions-S1': 'Reports on a public probe contain no data, and expire after thirty days.',
  'AwsSolutions-APIG2':
    'The functions check every parameter against the contract and respond with 409 or 422 as it promises; the ' +
    'validator of the gateway would respond with 400 before them.',
  'AwsSolutions-APIG3': 'The settings of this stage turn the firewall off (waf=false), to save its price.',
  'AwsSolutions-APIG4':
    'The availability probe responds without a key by contract; it reads no table and returns no data.',
  'AwsSolutions-COG4': 'Callers are programs with API keys, not users: a Lambda authorizer checks the key.',
  'AwsSolutions-CFR1': 'The documentation and the API are for callers of every country.',
  'AwsSolutions-CFR2':
    'The pages are static files; the API behind them has a firewall and limits of its own.',
  'AwsSolutions-CFR3':
    "CloudFront refuses log buckets in this region; the API's own access log has every request below /v1/.",
  'AwsSolutions-CFR4':
    "Under CloudFront's own name its own certificate is used, whose least version of TLS cannot be chosen; no key is taken over plain HTTP.",
} as const;

const WILDCARD_RULE = 'AwsSolutions-IAM5';

/** Reasons of rights that end in a wildcard. */
export const ACCEPTED_WILDCARDS = {
  tracing: 'xray:PutTraceSegments and PutTelemetryRecords have no resource to name: AWS takes "*" only.',
  vendedLogs: 'Log delivery of Step Functions and X-Ray have no resource to name: AWS takes "*" only.',
  newVersions: 'The check invokes a version that has just been published; its number is not known before.',
  gatewayLogs:
    'The role serves every API of the account, as API Gateway demands of it; it can only write logs.',
  bootstrapRoles:
    'The names of the roles of the bootstrap end in account and region; its qualifier belongs to this stage alone.',
  objects: 'A right to objects is a right to the keys below one bucket; their names are made at run time.',
  canaryRun:
    'Listing buckets and publishing metrics have no resource to name; Synthetics names log groups and objects at run time.',
  planKeys: 'Reads the members of usage plans, plans made in the console among them; reading is all it may.',
} as const;

/** The first part of an ARN as cdk-nag writes it: with the stage's place where that is pinned, else with its pseudo names. */
export function arn(scope: IConstruct, service: string, account = ''): string {
  const { partition, region } = Stack.of(scope);
  const written = (value: string, name: string): string =>
    Token.isUnresolved(value) ? `<AWS::${name}>` : value;
  const owner = account === '' ? '' : written(account, 'AccountId');
  return `arn:${written(partition, 'Partition')}:${service}:${written(region, 'Region')}:${owner}`;
}

/** Accepts each rule on `construct` and below it, and nowhere else. */
export function accept(construct: IConstruct, ...rules: (keyof typeof ACCEPTED_RULES)[]): void {
  Validations.of(construct).acknowledge(...rules.map((id) => ({ id, reason: ACCEPTED_RULES[id] })));
}

/** Accepts the rights to `resources` on `construct` and below it; any other wildcard still fails. */
export function acceptWildcards(
  construct: IConstruct,
  name: keyof typeof ACCEPTED_WILDCARDS,
  ...resources: readonly string[]
): void {
  const reason = ACCEPTED_WILDCARDS[name];
  const ids = resources.map((resource) => `${WILDCARD_RULE}[Resource::${resource}]`);
  Validations.of(construct).acknowledge(...ids.map((id) => ({ id, reason })));
}
