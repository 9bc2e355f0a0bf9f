/** The ingest: the ingest function on its sources' schedules, and the back-fill. */
import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { SnsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { type ITopic, Subscription, SubscriptionProtocol } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { INGEST_TABLES } from '../core/store/tables.ts';
import { BackFill } from './constructs/back-fill.ts';
import { DeadLetters } from './constructs/dead-letters.ts';
import { type FunctionDefaults, HandlerFunction } from './constructs/handler-function.ts';
import type { RawArchive } from './constructs/raw-archive.ts';
import { Schedule, type ScheduledSource, ScheduleRole } from './constructs/schedule.ts';
import { SourceWatch } from './constructs/source-watch.ts';

export interface IngestStackProps extends StackProps, FunctionDefaults {
  readonly archive: RawArchive;
  /** The sources that this stage fetches. */
  readonly sources: readonly ScheduledSource[];
}

/** Environment variable with the name in Secrets Manager of the secret `name`. */
const secretVariable = (name: string): string => `${name}_SECRET_NAME`;

/** Name in Secrets Manager of the secret `name`: `CENSUS_API_KEY` of dev is `pcd/dev/census-api-key`. */
const secretName = (stage: string, name: string): string =>
  `pcd/${stage}/${name.toLowerCase().replaceAll('_', '-')}`;

/** Lambda's own limit; a back-fill step plans for less. */
const MAX_PASS = Duration.minutes(15);
/** Lambda keeps an asynchronous event for a minute at least and six hours at most. */
const [MIN_EVENT_AGE_MINUTES, MAX_EVENT_AGE_MINUTES] = [1, 6 * 60];

export class IngestStack extends Stack {
  /** Metrics for the dashboard. */
  readonly ingest: HandlerFunction;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: IngestStackProps) {
    super(scope, id, props);
    const { config, alarmTopics } = props;
    const { queue } = new DeadLetters(this, 'DeadLetters', alarmTopics);
    const ingest = this.addIngest(props, queue);
    this.ingest = ingest;
    this.deadLetters = queue;
    this.addSchedules(props, ingest, queue);
    const watch = new SourceWatch(this, 'Sources', { ...props, deadLetters: queue });
    const backFill = new BackFill(this, 'BackFill', { config, ingest: ingest.lambda, alarmTopics });
    const { alarmEmail, pageEmail = alarmEmail } = config;
    this.subscribe('AlarmEmail', alarmTopics.ticket, alarmEmail, queue);
    this.subscribe('PageEmail', alarmTopics.page, pageEmail, queue);
    new CfnOutput(this, 'IngestFunctionName', { value: ingest.lambda.functionName });
    new CfnOutput(this, 'WatchFunctionName', { value: watch.lambda.functionName });
    new CfnOutput(this, 'BackFillArn', { value: backFill.stateMachine.stateMachineArn });
    new CfnOutput(this, 'DeadLettersUrl', { value: queue.queueUrl });
  }

  private subscribe(id: string, topic: ITopic, endpoint: string | undefined, deadLetterQueue: Queue): void {
    if (endpoint === undefined) return;
    new Subscription(this, id, { topic, protocol: SubscriptionProtocol.EMAIL, endpoint, deadLetterQueue });
  }

  private addIngest(props: IngestStackProps, deadLetters: Queue): HandlerFunction {
    const { archive, sources, config, alarmTopics } = props;
    const secrets = sources.flatMap(({ secret }) => (secret === undefined ? [] : [secret]));
    const found = secrets.map((name) => {
      // Made by hand before the first deployment: a template must not contain a secret, nor create a wrong one.
      const secret = Secret.fromSecretNameV2(this, name, secretName(config.stage, name));
      return { variable: secretVariable(name), secret };
    });
    const ingest = new HandlerFunction(this, 'Ingest', {
      ...props,
      deadLetters,
      handler: 'ingest',
      description: 'One pass of one source: fetch, archive, parse, store, recompute',
      memoryMb: 1024,
      timeout: MAX_PASS,
      uses: Object.fromEntries(INGEST_TABLES.map((id) => [id, 'write'] as const)),
      environment: {
        RAW_ARCHIVE_BUCKET: archive.bucket.bucketName,
        ...(config.contact === undefined ? {} : { CONTACT: config.contact }),
        ...(config.excludedFeeds.length === 0 ? {} : { EXCLUDED_FEEDS: config.excludedFeeds.join(',') }),
        ...Object.fromEntries(found.map(({ variable, secret }) => [variable, secret.secretName])),
      },
      errorAlarm: true,
    });
    archive.allow(ingest.lambda);
    for (const { secret } of found) secret.grantRead(ingest.lambda);
    const shortestMinutes = Math.min(...sources.map(({ everyMinutes }) => everyMinutes));
    ingest.lambda.configureAsyncInvoke({
      // The queue keeps the event; the alarm topic gets the error itself.
      onFailure: new SnsDestination(alarmTopics.ticket),
      // The next pass repairs an unfinished one; a retry would only run in parallel with it.
      retryAttempts: 1,
      maxEventAge: Duration.minutes(
        Math.min(MAX_EVENT_AGE_MINUTES, Math.max(MIN_EVENT_AGE_MINUTES, shortestMinutes)),
      ),
    });
    return ingest;
  }

  private addSchedules(props: IngestStackProps, ingest: HandlerFunction, deadLetters: Queue): void {
    const { lambda } = ingest;
    const role = new ScheduleRole(this, 'ScheduleRole', lambda, deadLetters);
    for (const source of props.sources) {
      new Schedule(this, `Source-${source.id}`, {
        description: `Fetches the source ${source.id}`,
        everyMinutes: source.everyMinutes,
        enabled: props.config.schedules,
        lambda,
        role,
        deadLetters,
        input: { source: source.id },
      });
    }
  }
}
