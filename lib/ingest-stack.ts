/** The ingest: the ingest function on its sources' schedules, and the back-fill. */
import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { type ITopic, Subscription, SubscriptionProtocol } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { SOURCE_DECLARATIONS } from '../core/sources/declarations.ts';
import { INGEST_TABLES } from '../core/store/tables.ts';
import { addBackFill } from './constructs/back-fill.ts';
import { addDeadLetters } from './constructs/dead-letters.ts';
import { addFunction, type FunctionDefaults } from './constructs/handler-function.ts';
import type { RawArchive } from './constructs/raw-archive.ts';
import { addSchedule, addScheduleRole } from './constructs/schedule.ts';
import { addSourceWatch } from './constructs/source-watch.ts';

interface IngestStackProps extends StackProps, FunctionDefaults {
  readonly archive: RawArchive;
  /** The sources that this stage fetches. */
  readonly sources: typeof SOURCE_DECLARATIONS;
}

/** Name in Secrets Manager of the secret `name`: `CENSUS_API_KEY` of dev is `pcd/dev/census-api-key`. */
export const secretName = (stage: string, name: string): string =>
  `pcd/${stage}/${name.toLowerCase().replaceAll('_', '-')}`;

/** Instances reserved for the ingest: every source at once, in a pass or in a step of its back-fill, and a pass by hand. */
export const ingestConcurrency = (sources: number): number => sources + 1;

/** Lambda's own limit; a back-fill step plans for less. */
const MAX_PASS = Duration.minutes(15);
/** Lambda keeps an asynchronous event for a minute at least and six hours at most. */
const [MIN_EVENT_AGE_MINUTES, MAX_EVENT_AGE_MINUTES] = [1, 6 * 60];

export class IngestStack extends Stack {
  /** For the dashboard. */
  readonly ingest: LambdaFunction;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: IngestStackProps) {
    super(scope, id, props);
    const { config, topics, sources } = props;
    const deadLetters = addDeadLetters(this, topics);
    const ingest = this.addIngest(props, deadLetters);
    this.ingest = ingest;
    this.deadLetters = deadLetters;
    this.addSchedules(props);
    const watch = addSourceWatch(this, { ...props, deadLetters }, sources);
    const backFill = addBackFill(this, config, ingest, topics);
    const { alarmEmail, pageEmail = alarmEmail, pageEndpoint } = config;
    this.subscribe('AlarmEmail', SubscriptionProtocol.EMAIL, topics.ticket, alarmEmail);
    this.subscribe('PageEmail', SubscriptionProtocol.EMAIL, topics.page, pageEmail);
    this.subscribe('PageEndpoint', SubscriptionProtocol.HTTPS, topics.page, pageEndpoint);
    new CfnOutput(this, 'IngestFunctionName', { value: ingest.functionName });
    new CfnOutput(this, 'WatchFunctionName', { value: watch.functionName });
    new CfnOutput(this, 'BackFillArn', { value: backFill.stateMachineArn });
    new CfnOutput(this, 'DeadLettersUrl', { value: deadLetters.queueUrl });
  }

  private subscribe(
    id: string,
    protocol: SubscriptionProtocol,
    topic: ITopic,
    endpoint: string | undefined,
  ): void {
    if (endpoint === undefined) return;
    const { deadLetters: deadLetterQueue } = this;
    new Subscription(this, id, { topic, protocol, endpoint, deadLetterQueue });
  }

  private addIngest(props: IngestStackProps, deadLetters: Queue): LambdaFunction {
    const { archive, sources, config } = props;
    // Made by hand before the first deployment: a template must not contain a secret, nor create a wrong one.
    const secrets = sources
      .flatMap(({ secret }) => secret ?? [])
      .map((name) => [name, Secret.fromSecretNameV2(this, name, secretName(config.stage, name))] as const);
    const ingest = addFunction(this, 'Ingest', {
      ...props,
      deadLetters,
      handler: 'ingest',
      description: 'One pass of one source: fetch, archive, parse, store, recompute',
      memoryMb: 1024,
      timeout: MAX_PASS,
      uses: Object.fromEntries(INGEST_TABLES.map((id) => [id, 'write'] as const)),
      environment: {
        RAW_ARCHIVE_BUCKET: archive.bucket.bucketName,
        ...(config.contact && { CONTACT: config.contact }),
        ...(config.excludedFeeds.length > 0 && { EXCLUDED_FEEDS: config.excludedFeeds.join(',') }),
        ...Object.fromEntries(secrets.map(([name, secret]) => [`${name}_SECRET_NAME`, secret.secretName])),
      },
      ...(config.reserveConcurrency && { reservedConcurrency: ingestConcurrency(sources.length) }),
    });
    archive.allow(ingest);
    for (const [, secret] of secrets) secret.grantRead(ingest);
    const shortestMinutes = Math.min(...sources.map(({ everyMinutes }) => everyMinutes));
    ingest.configureAsyncInvoke({
      // The queue of the event gets the error too. Its alarm is the one mail of a failed pass.
      onFailure: new SqsDestination(deadLetters),
      // The next pass repairs an unfinished one; a second retry would only run in parallel with it.
      retryAttempts: 1,
      maxEventAge: Duration.minutes(
        Math.min(MAX_EVENT_AGE_MINUTES, Math.max(MIN_EVENT_AGE_MINUTES, shortestMinutes)),
      ),
    });
    return ingest;
  }

  private addSchedules({ config, sources }: IngestStackProps): void {
    const { ingest: lambda, deadLetters } = this;
    const role = addScheduleRole(this, { lambda, deadLetters });
    for (const { id, everyMinutes } of sources) {
      const description = `Fetches the source ${id}`;
      const props = { description, everyMinutes, enabled: config.schedules, lambda, deadLetters };
      addSchedule(this, `Source-${id}`, props, role, { source: id });
    }
  }
}
