/** Settings of one deployed stage: read from the CDK context, checked, and completed with what the stage implies. */
import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';

export const STAGES = ['dev', 'prod'] as const;
export type StageName = (typeof STAGES)[number];

/** On the command line everything is text: `-c waf=false`. */
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

const names = z
  .union([z.array(z.string()), z.string().transform((text) => text.split(',').filter((name) => name !== ''))])
  .pipe(z.array(z.string().regex(/^[a-z0-9-]+$/, 'a source is named by its id')));

const origins = z
  .union([z.array(z.string()), z.string().transform((text) => text.split(','))])
  .pipe(z.array(z.string().regex(/^https?:\/\/[^\s/'",]+$/, 'an origin is a scheme and a host, no path')));

/** Stands inside JSON and in page links as it is, so it holds no quote, space or backslash. */
const contact = z
  .union([z.email(), z.url({ protocol: /^https$/ })], {
    error: 'a contact is an e-mail address or an https address',
  })
  .refine((text) => !/[\s'"\\<>$#]/.test(text), 'a contact holds no spaces, quotes, brackets, $ or #');

const settings = z
  .strictObject({
    stage: z.enum(STAGES).default('dev'),
    /** Own domain in front of the API, with its certificate in the same region. Both or neither. */
    domainName: z
      .string()
      .regex(/^[a-z0-9.-]+$/)
      .optional(),
    certificateArn: z.string().startsWith('arn:').optional(),
    /** A web application firewall that slows down addresses; about 6 USD a month. */
    waf: flag.default(true),
    /** Who is told of alarms. */
    alarmEmail: z.email().optional(),
    /** Whom callers ask about keys and plans: an e-mail address, or an https address. Shown in hints, docs and portal. */
    contact: contact.optional(),
    /** Browser origins that may call the API; none by default, because keys do not belong in pages. */
    corsOrigins: origins.default([]),
    /** How long a function may answer equal requests with what it answered before; 0 asks the store every time. */
    answerCacheSeconds: z.coerce.number().min(0).max(10).default(0),
    /** Sources to deploy that need a key of their publisher, by id; each key must be in Secrets Manager first. */
    keyedSources: names.default([]),
    /**
     * Ask the sources on their schedules. A schedule asks as soon as it is there, after which past data are shut out, so
     * that a back-fill has to come before it.
     */
    schedules: flag.default(true),
    /** Create the role with which API Gateway writes logs: once an account and region, if it has none yet. */
    apiGatewayLogRole: flag.default(false),
  })
  .refine((given) => (given.domainName === undefined) === (given.certificateArn === undefined), {
    error: 'domainName and certificateArn go together',
  });

type Settings = z.output<typeof settings>;
const SETTING_NAMES = Object.keys(settings.def.shape) as (keyof Settings)[];

export interface StageConfig extends Settings {
  readonly production: boolean;
  /** First part of every key of this stage; no stage takes another's. */
  readonly keyPrefix: 'pcd_dev' | 'pcd_live';
  /** What becomes of data when its stack is deleted. */
  readonly removalPolicy: RemovalPolicy;
  readonly logRetention: RetentionDays;
}

/** The context cannot be used; the message names every setting at fault. */
export class StageConfigError extends Error {
  override readonly name = 'StageConfigError';
}

/**
 * Reads the settings of the stage that the context names. `stages.<stage>` in cdk.json gives a stage's own
 * values; a value given by itself (`-c name=value`) wins over it.
 */
export function readStageConfig(contextOf: (key: string) => unknown): StageConfig {
  const stages = z.record(z.string(), z.record(z.string(), z.unknown())).safeParse(contextOf('stages') ?? {});
  const own = stages.data?.[String(contextOf('stage') ?? 'dev')] ?? {};
  const direct = SETTING_NAMES.map((name) => [name, contextOf(name)] as const);
  const parsed = settings.safeParse({
    ...own,
    ...Object.fromEntries(direct.filter(([, value]) => value !== undefined)),
  });
  const error = stages.error ?? parsed.error;
  if (error !== undefined || parsed.data === undefined) {
    throw new StageConfigError(
      `The stage's settings cannot be used:\n${error ? z.prettifyError(error) : ''}`,
    );
  }
  const production = parsed.data.stage === 'prod';
  return {
    ...parsed.data,
    production,
    keyPrefix: production ? 'pcd_live' : 'pcd_dev',
    removalPolicy: production ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    logRetention: production ? RetentionDays.THREE_MONTHS : RetentionDays.ONE_WEEK,
  };
}
