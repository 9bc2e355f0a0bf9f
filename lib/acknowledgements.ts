/** Findings of cdk-nag that are accepted, each with its reason. A test counts the rules and forbids more. */
import { Stack, Token, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

interface Acknowledgement {
  readonly rule: string;
  /** The one finding of a rule that has several; any other finding of it still fails. */
  readonly finding?: string;
  readonly reason: string;
}

const ANY_RESOURCE = 'Resource::*';
const TRACING_OFF =
  'Traces cost up to 12 dollars a month; logs and metrics state the same times. The setting tracing turns them on.';

export const ACKNOWLEDGEMENTS = {
  tracing: {
    rule: 'AwsSolutions-IAM5',
    finding: ANY_RESOURCE,
    reason: 'xray:PutTraceSegments and PutTelemetryRecords have no resource to name: AWS takes "*" only.',
  },
  tracingOff: {
    rule: 'Serverless-LambdaTracing',
    reason: TRACING_OFF,
  },
  stageTracingOff: {
    rule: 'Serverless-APIGWXrayEnabled',
    reason: TRACING_OFF,
  },
  vendedLogs: {
    rule: 'AwsSolutions-IAM5',
    finding: ANY_RESOURCE,
    reason: 'Log delivery of Step Functions and X-Ray have no resource to name: AWS takes "*" only.',
  },
  newVersions: {
    rule: 'AwsSolutions-IAM5',
    reason: 'The check invokes a version that has just been published; its number is not known before.',
  },
  deploymentAlarms: {
    rule: 'AwsSolutions-IAM5',
    finding: ANY_RESOURCE,
    reason:
      'CodeDeploy lists alarms to see whether one takes requests back to the old version; reading is all it may.',
  },
  gatewayLogs: {
    rule: 'AwsSolutions-IAM5',
    finding: ANY_RESOURCE,
    reason: 'The role serves every API of the account, as API Gateway demands of it; it can only write logs.',
  },
  objects: {
    rule: 'AwsSolutions-IAM5',
    reason: 'A right to objects is a right to the keys below one bucket; their names are made at run time.',
  },
  ownExecutions: {
    rule: 'AwsSolutions-IAM5',
    reason: 'A distributed map stops and redrives executions of its own state machine, named at run time.',
  },
  canaryRun: {
    rule: 'AwsSolutions-IAM5',
    finding: ANY_RESOURCE,
    reason:
      'Listing buckets and publishing metrics have no resource to name; Synthetics names log groups and objects at run time.',
  },
  probeArtifacts: {
    rule: 'AwsSolutions-S1',
    reason: 'Reports on a public probe contain no data, and expire after thirty days.',
  },
  planKeys: {
    rule: 'AwsSolutions-IAM5',
    reason: 'Reads the members of usage plans, plans made in the console among them; reading is all it may.',
  },
  firewallOff: {
    rule: 'AwsSolutions-APIG3',
    reason: 'The settings of this stage turn the firewall off (waf=false), to save its price.',
  },
  ownValidation: {
    rule: 'AwsSolutions-APIG2',
    reason:
      'The functions check every parameter against the contract and respond with 409 or 422 as it promises; the ' +
      'validator of the gateway would respond with 400 before them.',
  },
  openHealth: {
    rule: 'AwsSolutions-APIG4',
    reason:
      'The availability probe responds without a key by contract; it reads no table and returns no data.',
  },
  ownAuthorizer: {
    rule: 'AwsSolutions-COG4',
    reason: 'Callers are programs with API keys, not users: a Lambda authorizer checks the key.',
  },
  lastQueue: {
    rule: 'Serverless-SQSRedrivePolicy',
    reason:
      'This is the dead-letter queue: an operator empties it, and there is no queue behind the last one.',
  },
  callerWaits: {
    rule: 'Serverless-LambdaDLQ',
    reason:
      'API Gateway or CodeDeploy alone calls this function and waits for it, so its caller gets every failure.',
  },
  ownCertificate: {
    rule: 'AwsSolutions-CFR4',
    reason:
      "Under CloudFront's own name its own certificate is used, whose least version of TLS cannot be chosen; no key is taken over plain HTTP.",
  },
  everyCountry: {
    rule: 'AwsSolutions-CFR1',
    reason: 'The documentation and the API are for callers of every country.',
  },
  noEdgeLog: {
    rule: 'AwsSolutions-CFR3',
    reason:
      "CloudFront refuses log buckets in this region; the API's own access log has every request below /v1/.",
  },
  firewallBehind: {
    rule: 'AwsSolutions-CFR2',
    reason: 'The pages are static files; the API behind them has a firewall and limits of its own.',
  },
} as const satisfies Record<string, Acknowledgement>;

/** The first part of an ARN as cdk-nag writes it: with the stage's place where that is pinned, else with its pseudo names. */
export function arn(scope: IConstruct, service: string, account = ''): string {
  const { partition, region } = Stack.of(scope);
  const written = (value: string, name: string): string =>
    Token.isUnresolved(value) ? `<AWS::${name}>` : value;
  const owner = account === '' ? '' : written(account, 'AccountId');
  return `arn:${written(partition, 'Partition')}:${service}:${written(region, 'Region')}:${owner}`;
}

/** Accepts the named rule on `construct` and below it, and nowhere else; `findings` are those of this place. */
export function acknowledge(
  construct: IConstruct,
  name: keyof typeof ACKNOWLEDGEMENTS,
  findings: readonly string[] = [],
): void {
  const { rule, reason, finding }: Acknowledgement = ACKNOWLEDGEMENTS[name];
  const all = finding === undefined ? findings : [finding, ...findings];
  const ids = all.length === 0 ? [rule] : all.map((accepted) => `${rule}[${accepted}]`);
  Validations.of(construct).acknowledge(...ids.map((id) => ({ id, reason })));
}
