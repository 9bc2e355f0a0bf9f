/** What an account must have before a stage is deployed into it, asked through the AWS CLI, whose credentials the later commands use. */
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { KEY_SYNC_CONCURRENCY } from '../../lib/constructs/key-reconciliation.ts';
import { ingestConcurrency, secretName } from '../../lib/ingest-stack.ts';
import { readStageConfig, type StageConfig, StageConfigError } from '../../lib/stage-config.ts';

/** Runs the AWS CLI; resolves with what it prints, rejects with an error whose message is what it printed when it failed. */
export type Aws = (...words: readonly string[]) => Promise<string>;

export interface Finding {
  /** `missing`: the deployment would fail. `note`: it would not. */
  readonly verdict: 'ok' | 'missing' | 'note';
  readonly what: string;
  readonly says: string;
  /** What to type, one command or line a string. */
  readonly type?: readonly string[];
}

/** What a check found; its name is added. */
type Outcome = Omit<Finding, 'what'>;

interface Place {
  readonly account: string;
  readonly region: string;
}

/** The oldest version of the bootstrap that the CDK deploys with. */
const BOOTSTRAP_VERSION = 6;
/** Concurrency that Lambda keeps for functions without a reservation. */
const UNRESERVED = 100;
/** Concurrency of a new account. The service itself needs about this much. */
const FEW = 10;

const reason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).trim().split('\n').at(-1) ?? '';
const ok = (says: string): Outcome => ({ verdict: 'ok', says });

/** A value that the CLI prints as text; undefined for none. */
const printedValue = (text: string): string | undefined => {
  const value = text.trim();
  return value === '' || value === 'None' || value === 'null' ? undefined : value;
};

async function findPlace(aws: Aws, region: string | undefined): Promise<Place | Finding[]> {
  const found: Finding[] = [];
  const account = await aws('sts', 'get-caller-identity', '--query', 'Account', '--output', 'text').catch(
    (error: unknown) => {
      const says = `AWS takes none: ${reason(error)}`;
      found.push({
        verdict: 'missing',
        what: 'credentials',
        says,
        type: ['aws configure   # or: aws sso login'],
      });
      return '';
    },
  );
  if (region === undefined) {
    const type = ['export AWS_REGION=eu-north-1   # or another one'];
    found.push({
      verdict: 'missing',
      what: 'region',
      says: 'neither AWS_REGION nor the profile names one',
      type,
    });
  }
  return region === undefined || found.length > 0 ? found : { account: account.trim(), region };
}

function checkPlace(place: Place, config: StageConfig): Outcome {
  const here = `account ${place.account}, ${place.region}`;
  if (config.account === undefined) return ok(`${here}, of the shell`);
  if (config.account === place.account && config.region === place.region) return ok(here);
  return {
    verdict: 'missing',
    says: `the shell is in ${here}, and cdk.json pins ${config.stage} to account ${config.account}, ${config.region}`,
    type: [`export AWS_REGION=${config.region}   # and credentials of ${config.account}`],
  };
}

async function checkBootstrap(aws: Aws, { account, region }: Place, config: StageConfig): Promise<Outcome> {
  const { stage, qualifier } = config;
  const bootstrap = `npx cdk bootstrap aws://${account}/${region} --qualifier ${qualifier} --toolkit-stack-name CDKToolkit-pcd-${stage}`;
  const version = await aws(
    ...['ssm', 'get-parameter', '--name', `/cdk-bootstrap/${qualifier}/version`],
    ...['--query', 'Parameter.Value', '--output', 'text'],
  ).catch((error: unknown) => {
    if (/ParameterNotFound/.test(String(error))) return undefined;
    throw error;
  });
  if (version === undefined)
    return { verdict: 'missing', says: `there is none with the qualifier ${qualifier}`, type: [bootstrap] };
  if (Number(version) >= BOOTSTRAP_VERSION) return ok(`version ${version.trim()}, qualifier ${qualifier}`);
  return { verdict: 'missing', says: `version ${version.trim()} is too old`, type: [bootstrap] };
}

async function checkLogRole(aws: Aws, { stage, apiGatewayLogRole }: StageConfig): Promise<Outcome> {
  const role = printedValue(
    await aws('apigateway', 'get-account', '--query', 'cloudwatchRoleArn', '--output', 'text'),
  );
  if (role !== undefined) return ok(role);
  if (apiGatewayLogRole) return ok('the deployment makes it');
  return {
    // Only a deployment makes it, so that it cannot be there before the first.
    verdict: 'note',
    says: 'API Gateway may not write logs in this account and region: without the setting below the deployment fails',
    type: [`npx cdk deploy --all -c stage=${stage} -c apiGatewayLogRole=true   # the first deployment`],
  };
}

async function checkConcurrency(aws: Aws, config: StageConfig): Promise<Outcome> {
  const limit = Number(
    await aws(
      ...[
        'lambda',
        'get-account-settings',
        '--query',
        'AccountLimit.ConcurrentExecutions',
        '--output',
        'text',
      ],
    ),
  );
  const type = [
    'aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000',
  ];
  const sources = SOURCE_DECLARATIONS.filter(
    ({ id, secret }) =>
      !config.excludedSources.includes(id) && (secret === undefined || config.keyedSources.includes(id)),
  ).length;
  const reserved = ingestConcurrency(sources) + KEY_SYNC_CONCURRENCY;
  if (config.reserveConcurrency && limit < reserved + UNRESERVED)
    return {
      verdict: 'missing',
      says: `${limit}, and reserveConcurrency needs ${reserved + UNRESERVED}`,
      type: [...type, 'or leave reserveConcurrency out of cdk.json'],
    };
  if (limit > FEW) return ok(String(limit));
  return {
    verdict: 'note',
    says: `${limit} for all functions together: enough for a trial, not for callers`,
    type,
  };
}

async function checkCloudFront(aws: Aws, { stage, portal }: StageConfig): Promise<Outcome> {
  if (!portal) return ok('not needed without the portal');
  const first = printedValue(
    await aws(
      ...['cloudfront', 'list-distributions', '--max-items', '1'],
      ...['--query', 'DistributionList.Items[0].Id', '--output', 'text'],
    ),
  );
  if (first !== undefined) return ok('the account has distributions');
  return {
    verdict: 'note',
    says: 'no distribution yet: AWS says only at the first one whether it must verify the account. If it must, open a case, and deploy without the portal meanwhile',
    type: [`npx cdk deploy --all -c stage=${stage} -c portal=false`],
  };
}

async function checkSecrets(aws: Aws, { stage, keyedSources }: StageConfig): Promise<Outcome> {
  const names = SOURCE_DECLARATIONS.filter(({ id }) => keyedSources.includes(id)).flatMap(({ secret }) =>
    secret === undefined ? [] : [secretName(stage, secret)],
  );
  const absent: string[] = [];
  for (const name of names)
    await aws(
      'secretsmanager',
      'describe-secret',
      '--secret-id',
      name,
      '--query',
      'ARN',
      '--output',
      'text',
    ).catch((error: unknown) => {
      if (!/ResourceNotFound/.test(String(error))) throw error;
      absent.push(name);
    });
  if (absent.length === 0)
    return ok(names.length === 0 ? 'no source of the stage needs one' : names.join(', '));
  return {
    verdict: 'missing',
    says: `keyedSources needs ${absent.join(', ')}`,
    type: absent.map((name) => `aws secretsmanager create-secret --name ${name} --secret-string KEY`),
  };
}

/** A first creation that failed leaves a stack that can only be deleted, and prod protects its stacks from that. */
async function checkStacks(aws: Aws, { stage }: StageConfig): Promise<Outcome> {
  const states = await aws(
    ...['cloudformation', 'describe-stacks', '--output', 'text'],
    ...['--query', `Stacks[?starts_with(StackName, 'pcd-${stage}-')].[StackName, StackStatus]`],
  );
  const failed = states
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([name = '', state]) =>
      state === 'ROLLBACK_COMPLETE' || state === 'ROLLBACK_FAILED' ? [name] : [],
    );
  if (failed.length === 0) return ok('none whose first creation failed');
  return {
    verdict: 'missing',
    says: `the first creation of ${failed.join(', ')} failed; nothing is in it, and it must go before the next deployment`,
    type: failed.flatMap((name) => [
      `aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name ${name}`,
      `aws cloudformation delete-stack --stack-name ${name}`,
    ]),
  };
}

/**
 * Asks one thing after another; a question that AWS does not answer is a note with its error.
 * @param context of cdk.json, with `stage`; @param region of the shell
 */
export async function preflight(
  aws: Aws,
  context: Readonly<Record<string, unknown>>,
  region: string | undefined,
): Promise<readonly Finding[]> {
  const place = await findPlace(aws, region);
  if ('length' in place) return place;
  let config: StageConfig;
  try {
    config = readStageConfig(context);
  } catch (error) {
    if (!(error instanceof StageConfigError)) throw error;
    const pinned = `"stages": { "${context.stage}": { "account": "${place.account}", "region": "${place.region}" } }`;
    const type = [`in the context of cdk.json, if the stage belongs where the shell is: ${pinned}`];
    return [{ verdict: 'missing', what: 'settings', says: error.message, type }];
  }
  const checks: readonly (readonly [what: string, check: () => Outcome | Promise<Outcome>])[] = [
    ['place', () => checkPlace(place, config)],
    ['bootstrap', () => checkBootstrap(aws, place, config)],
    ['log role', () => checkLogRole(aws, config)],
    ['concurrency', () => checkConcurrency(aws, config)],
    ['CloudFront', () => checkCloudFront(aws, config)],
    ['keys of sources', () => checkSecrets(aws, config)],
    ['stacks', () => checkStacks(aws, config)],
  ];
  const findings: Finding[] = [];
  for (const [what, check] of checks)
    try {
      findings.push({ what, ...(await check()) });
    } catch (error) {
      findings.push({ what, verdict: 'note', says: `not known: ${reason(error)}` });
    }
  return findings;
}

/** A line for each finding, and below it what to type. */
export const findingLines = (findings: readonly Finding[]): string[] =>
  findings.flatMap(({ verdict, what, says, type = [] }) => [
    `${verdict.padEnd(7)} ${what}: ${says}`,
    ...type.map((line) => `          ${line}`),
  ]);
