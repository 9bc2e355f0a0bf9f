/** Settings of one deployed stage: read from the CDK context, checked, and completed with what the stage implies. */
import { RemovalPolicy } from 'aws-cdk-lib';
import { type LogGroupProps, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { closest } from 'fastest-levenshtein';
import * as z from 'zod';
import { isKeyForm, KEY_PREFIXES, type KeyPrefix } from '../core/access/keys.ts';
import { CONTACT_RULE, isContact } from '../core/contracts/contact.ts';
import { TIERS } from '../core/contracts/plans.ts';

const STAGES = ['dev', 'prod'] as const;
export type StageName = (typeof STAGES)[number];

/** On the command line everything is text: `-c waf=false`. */
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

const names = z
  .union([z.array(z.string()), z.string().transform((text) => text.split(',').filter((name) => name !== ''))])
  .pipe(z.array(z.string().regex(/^[a-z0-9-]+$/, 'a source is named by its id, a feed by its name')));

const origins = z
  .union([z.array(z.string()), z.string().transform((text) => text.split(','))])
  .pipe(z.array(z.string().regex(/^https?:\/\/[^\s/'",]+$/, 'an origin is a scheme and a host, no path')));

const textOf = (form: RegExp, rule?: string) => z.string().regex(form, rule).optional();

const settings = z
  .strictObject({
    stage: z.enum(STAGES).default('dev'),
    /** Account and region of the stage. Both or neither; prod must set them, so that it is never deployed to the account of the shell. */
    account: textOf(/^\d{12}$/, 'an account is twelve digits, as text'),
    region: textOf(/^[a-z]{2}(-[a-z]+)+-\d$/),
    /** Managed policy of the account that bounds every role of the stage, by name; none when absent. */
    permissionsBoundary: textOf(/^[\w+=,.@-]{1,128}$/),
    /** Own domain in front of the API, with its certificate in the same region. Both or neither. */
    domainName: textOf(/^[a-z0-9.-]+$/),
    certificateArn: z.string().startsWith('arn:').optional(),
    /** Own domain of the portal, with its certificate in us-east-1: pages and dataset keep it when the stage is made again. Both or neither. */
    portalDomainName: textOf(/^[a-z0-9.-]+$/),
    portalCertificateArn: textOf(
      /^arn:[\w-]+:acm:us-east-1:/,
      'CloudFront takes certificates of us-east-1 only',
    ),
    /** A web application firewall that slows down addresses; about 7 USD a month. By default in prod only. */
    waf: flag.optional(),
    /** Requests of one address in five minutes above which the firewall blocks it; AWS takes 10 or more. */
    firewallLimit: z.coerce.number().int().min(10).max(2_000_000_000).default(3000),
    /** Traces of X-Ray: a sample of the requests, up to 12 USD a month. */
    tracing: flag.default(false),
    /** Deploy the portal in front of the API. */
    portal: flag.default(true),
    /** Glue tables and an Athena workgroup over the dataset, where its files outgrow a laptop; with the portal only. */
    athena: flag.default(false),
    /** Address that gets alarms, and address of their pages where it is another. */
    alarmEmail: z.email().optional(),
    pageEmail: z.email().optional(),
    /** HTTPS endpoint that gets pages too, as SNS posts them: of a chat or an on-call service, which must confirm the subscription. */
    pageEndpoint: textOf(/^https:\/\/[^\s]+$/, 'an endpoint is an https address'),
    /** Contact for keys and plans: shown in hints, docs and portal, and stated in requests to upstreams. */
    contact: z.string().refine(isContact, CONTACT_RULE).optional(),
    /** A public key that the portal uses until a reader enters another: of the plan whose limits all readers are to share. */
    demoKey: z.string().refine(isKeyForm, 'must have the form of a key').optional(),
    /** Browser origins that may call the API; none by default, because keys do not belong in pages. */
    corsOrigins: origins.default([]),
    /** How long a function caches responses to equal requests; 0 reads the store every time. */
    responseCacheSeconds: z.coerce.number().min(0).max(10).default(5),
    /** Days after which an archived reply is deleted; never when absent. Figures stay, and tables can be rebuilt as far back. */
    archiveDays: z.coerce.number().int().min(90).optional(),
    /** Bucket in another region, versioned, to which S3 copies the archive, and a list of the keys with it. No copy when absent. */
    copyBucket: textOf(/^[a-z0-9.-]{3,63}$/),
    /** Minutes between the runs of a canary that requests the health probe from outside the API; none when absent. */
    canaryMinutes: z.coerce.number().int().min(1).max(60).optional(),
    /** Sources to deploy that need a key of their publisher, by id; each key must be in Secrets Manager first. */
    keyedSources: names.default([]),
    /** Sources that the stage does not fetch, by id: no schedule and no alarm. Their data stay. */
    excludedSources: names.default([]),
    /** Feeds whose rows the stage never uses, by name, of sources whose upstream merges several. The rows are counted. */
    excludedFeeds: names.default([]),
    /** Fetch on schedules. These fetch as soon as they exist, and older data are refused after that: a back-fill comes first. */
    schedules: flag.default(true),
    /** `off` deploys new versions without asking them first, when the check itself stands in the way of a repair. */
    checks: z.enum(['on', 'off']).default('on'),
    /** Reserve concurrency for the ingest and the key reconciliation; the account's must be larger by 100, which stay for the others. */
    reserveConcurrency: flag.default(false),
    /** Qualifier of the bootstrap whose roles deploy the stage; `pcd` and the stage by default. */
    qualifier: textOf(/^[a-z0-9]{1,10}$/, 'a qualifier has at most ten lower-case letters and digits'),
    /** `OWNER/REPOSITORY` on GitHub whose workflows deploy the stage: adds a stack with the roles that they assume. */
    githubRepository: textOf(/^[\w.-]+\/[\w.-]+$/, 'a repository is OWNER/REPOSITORY'),
    /** Deploy without the plan of this tier, so that the next deployment recreates a plan that was deleted in the console. */
    withoutPlan: z.enum(TIERS).optional(),
    /** Create the role with which API Gateway writes logs: once per account and region, if there is none yet. */
    apiGatewayLogRole: flag.default(false),
  })
  .refine((given) => (given.domainName === undefined) === (given.certificateArn === undefined), {
    error: 'domainName and certificateArn go together',
  })
  .refine((given) => (given.portalDomainName === undefined) === (given.portalCertificateArn === undefined), {
    error: 'portalDomainName and portalCertificateArn go together',
  })
  .refine(({ account, region }) => (account === undefined) === (region === undefined), {
    error: 'account and region go together',
  })
  .refine(({ stage, account }) => stage !== 'prod' || account !== undefined, {
    error: 'prod needs account and region, in cdk.json under stages.prod',
  });

type Settings = z.output<typeof settings>;
type SettingName = keyof Settings;
export const SETTING_NAMES = Object.keys(settings.shape) as SettingName[];

/** Settings that are meant for one deployment; every other one belongs in cdk.json. */
const FOR_ONE_DEPLOYMENT: readonly SettingName[] = [
  'stage',
  'schedules',
  'checks',
  'withoutPlan',
  'apiGatewayLogRole',
];

export interface StageConfig extends Settings {
  readonly waf: boolean;
  readonly qualifier: string;
  readonly production: boolean;
  /** First part of every key of this stage; no stage takes another's. */
  readonly keyPrefix: KeyPrefix;
  /** What becomes of data when its stack is deleted. */
  readonly removalPolicy: RemovalPolicy;
  /** For every log group: how long it keeps a line, and what becomes of it with its stack. */
  readonly logs: Pick<LogGroupProps, 'retention' | 'removalPolicy'>;
  /** Lasting settings that were given outside the stage's own: the next deployment without them takes them back. */
  readonly passing: readonly SettingName[];
}

/** The context cannot be used; the message names every setting at fault. */
export class StageConfigError extends Error {
  override readonly name = 'StageConfigError';
}

/** Whether a context key is one of the CDK's own: feature flags and what it looked up. */
const isOfCdk = (key: string): boolean => /[@:/]/.test(key);

/** Names that nothing reads, each with the nearest that something does. */
const unknownNames = (what: string, names: readonly string[], known: readonly string[]): string[] =>
  names
    .filter((name) => !known.includes(name))
    .map((name) => `${what}${name} is unknown. Did you mean ${closest(name, [...known])}?`);

/** Context by key, as `cdk.json` and `-c` give it. */
type Context = Readonly<Record<string, unknown>>;

/**
 * `stages.<stage>` in cdk.json gives a stage's lasting values; one given on its own (`-c name=value`) wins for one deployment.
 * Throws `StageConfigError` for a value that cannot be used and for a name that nothing reads.
 */
export function readStageConfig(context: Context): StageConfig {
  const stages = z.record(z.string(), z.record(z.string(), z.unknown())).safeParse(context.stages ?? {});
  const given = Object.keys(context).filter((key) => key !== 'stages' && !isOfCdk(key));
  const stage = String(context.stage ?? 'dev');
  const unknown = [
    ...unknownNames('the setting -c ', given, SETTING_NAMES),
    ...unknownNames('the stage stages.', Object.keys(stages.data ?? {}), STAGES),
    ...Object.entries(stages.data ?? {}).flatMap(([name, own]) =>
      unknownNames(`the setting stages.${name}: `, Object.keys(own), SETTING_NAMES),
    ),
    ...unknownNames('the stage ', [stage], STAGES),
  ];
  if (unknown.length > 0) throw new StageConfigError(unknown.join('\n'));
  const own = stages.data?.[stage] ?? {};
  const direct = SETTING_NAMES.filter((name) => context[name] !== undefined);
  const parsed = settings.safeParse({
    ...own,
    ...Object.fromEntries(direct.map((name) => [name, context[name]])),
  });
  const error = stages.error ?? parsed.error;
  if (error !== undefined || parsed.data === undefined) {
    throw new StageConfigError(
      `The stage's settings cannot be used:\n${error ? z.prettifyError(error) : ''}`,
    );
  }
  const production = parsed.data.stage === 'prod';
  const removalPolicy = production ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
  return {
    ...parsed.data,
    waf: parsed.data.waf ?? production,
    qualifier: parsed.data.qualifier ?? `pcd${parsed.data.stage}`,
    production,
    keyPrefix: production ? KEY_PREFIXES.live : KEY_PREFIXES.dev,
    removalPolicy,
    logs: { retention: production ? RetentionDays.THREE_MONTHS : RetentionDays.ONE_WEEK, removalPolicy },
    passing: direct.filter((name) => !FOR_ONE_DEPLOYMENT.includes(name)),
  };
}
