/**
 * A Synthetics canary on the health probe and, with the demo key, on the newest figure: it detects what the API's own metrics
 * cannot show, a name, a certificate or a gateway that lets no request through.
 */
import { Duration, Stack } from 'aws-cdk-lib';
import { ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Canary, Code, Runtime, Schedule, Test } from 'aws-cdk-lib/aws-synthetics';
import { Construct } from 'constructs';
import { ROUTES } from '../../core/contracts/routes.ts';
import { logicalId } from '../pinned.ts';
import { accept, acceptWildcards, allow, arn } from '../rights.ts';
import type { StageConfig } from '../stage-config.ts';
import { CLOSED_BUCKET } from './raw-archive.ts';
import { type AlarmTopics, RunbookAlarm } from './runbook-alarm.ts';

const ARTIFACTS_KEPT = Duration.days(30);
/** Synthetics wants at least 15 seconds for a cold start. */
const RUN_WITHIN = Duration.seconds(45);
const RESPOND_WITHIN_MS = 10_000;
/** Longest age of the newest figure of any port: the fastest source is polled every five minutes. */
const MAX_AGE_MINUTES = 60;
/** One failed run can be the network's; two in a row are not. */
const FAILED_RUNS = 2;

/** Runs in the runtime of Synthetics, where a handler that throws is a failed run. It needs nothing but Node's fetch. */
const SCRIPT = `exports.handler = async () => {
  const response = await fetch(process.env.HEALTH_URL, {
    redirect: 'manual',
    signal: AbortSignal.timeout(${RESPOND_WITHIN_MS}),
  });
  if (response.status !== 200) throw new Error('status ' + response.status + ' instead of 200');
  const { status } = await response.json();
  if (status !== 'ok') throw new Error('the field status is ' + JSON.stringify(status) + ' instead of "ok"');
  if (!process.env.API_KEY) return;
  const listed = await fetch(process.env.FIGURE_URL, {
    headers: { 'X-API-Key': process.env.API_KEY },
    signal: AbortSignal.timeout(${RESPOND_WITHIN_MS}),
  });
  if (listed.status !== 200) throw new Error('with a key: status ' + listed.status + ' instead of 200');
  const [newest] = await listed.json();
  const minutes = (Date.now() - Date.parse(newest.as_of)) / 60000;
  if (!(minutes <= process.env.MAX_AGE_MINUTES)) throw new Error('the newest figure is ' + minutes + ' minutes old');
};
`;

/** The rights that a canary needs outside a VPC and without tracing, for its own metrics, logs and objects. */
function addRole(scope: Construct, canaryName: string, bucket: Bucket): Role {
  const { account, partition, region } = Stack.of(scope);
  const groups = `log-group:/aws/lambda/cwsyn-${canaryName}-*`;
  const role = new Role(scope, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  allow(role, ['s3:PutObject'], bucket.arnForObjects('*'));
  allow(role, ['s3:GetBucketLocation'], bucket.bucketArn);
  allow(role, ['s3:ListAllMyBuckets'], '*');
  role.addToPolicy(
    new PolicyStatement({
      actions: ['cloudwatch:PutMetricData'],
      resources: ['*'],
      conditions: { StringEquals: { 'cloudwatch:namespace': 'CloudWatchSynthetics' } },
    }),
  );
  allow(
    role,
    ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'],
    `arn:${partition}:logs:${region}:${account}:${groups}`,
  );
  acceptWildcards(
    role,
    'canaryRun',
    '*',
    `<${logicalId(bucket)}.Arn>/*`,
    `${arn(scope, 'logs', account)}:${groups}`,
  );
  return role;
}

/** @param addressOf the public address of a path of the API */
export function addHealthCanary(
  stack: Stack,
  { stage, removalPolicy, demoKey }: StageConfig,
  everyMinutes: number,
  addressOf: (path: string) => string,
  topics: AlarmTopics,
): void {
  const scope = new Construct(stack, 'HealthCanary');
  const canaryName = `pcd-${stage}-health`;
  const bucket = new Bucket(scope, 'Artifacts', {
    ...CLOSED_BUCKET,
    removalPolicy,
    lifecycleRules: [{ expiration: ARTIFACTS_KEPT }],
  });
  accept(bucket, 'AwsSolutions-S1');
  const role = addRole(scope, canaryName, bucket);
  const period = Duration.minutes(everyMinutes);
  const canary = new Canary(scope, 'Canary', {
    canaryName,
    // The runtime without a browser, syn-nodejs-3.1, has Node 20, which is past its end of life; this one has Node 22.
    runtime: Runtime.SYNTHETICS_NODEJS_PUPPETEER_13_0,
    test: Test.custom({ code: Code.fromInline(SCRIPT), handler: 'index.handler' }),
    environmentVariables: {
      HEALTH_URL: addressOf(ROUTES.health.paths[0]),
      // Everyone reads it in the portal; any other key would be a secret.
      ...(demoKey && {
        API_KEY: demoKey,
        FIGURE_URL: `${addressOf(ROUTES.ports.paths[0])}?sort=-last_observed`,
        MAX_AGE_MINUTES: String(MAX_AGE_MINUTES),
      }),
    },
    schedule: Schedule.rate(period),
    timeout: RUN_WITHIN,
    role,
    artifactsBucketLocation: { bucket },
    successRetentionPeriod: ARTIFACTS_KEPT,
    failureRetentionPeriod: ARTIFACTS_KEPT,
    provisionedResourceCleanup: true,
  });
  // The first run begins at once and needs the rights, which are a resource apart from the role.
  canary.node.addDependency(role);
  new RunbookAlarm(scope, 'Failing', {
    kind: 'healthCanary',
    meaning:
      'The health probe does not respond at the public address, or the canary that requests it does not run.',
    metric: canary.metricSuccessPercent({ period, statistic: 'Average' }),
    threshold: 100,
    comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
    evaluationPeriods: FAILED_RUNS,
    treatMissingData: TreatMissingData.BREACHING,
    topics,
  });
}
