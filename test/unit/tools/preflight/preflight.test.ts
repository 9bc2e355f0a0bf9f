/** What an account lacks for a stage, from what the AWS CLI says of it. */
import { describe, expect, it } from '@jest/globals';
import { type Aws, findingLines, preflight } from '../../../../tools/preflight/preflight.ts';

/** What the CLI prints in an account that is ready, by service and operation; an error is what it prints when it fails. */
const READY: Readonly<Record<string, string | Error>> = {
  'sts get-caller-identity': '111122223333\n',
  'ssm get-parameter': '30\n',
  'apigateway get-account': 'arn:aws:iam::111122223333:role/logs\n',
  'lambda get-account-settings': '1000\n',
  'cloudfront list-distributions': 'E2ABC\n',
  'secretsmanager describe-secret': 'arn:aws:secretsmanager:eu-north-1:111122223333:secret:x\n',
  'cloudformation describe-stacks': '',
};

async function check(
  said: Readonly<Record<string, string | Error>> = {},
  context: Readonly<Record<string, unknown>> = { stage: 'dev' },
  region: string | null = 'eu-north-1',
) {
  const asked: string[] = [];
  const aws: Aws = async (...words) => {
    asked.push(words.join(' '));
    const answer = { ...READY, ...said }[words.slice(0, 2).join(' ')];
    if (answer === undefined) throw new Error(`unexpected command: aws ${words.join(' ')}`);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const findings = await preflight(aws, context, region ?? undefined);
  const found = (what: string) => findings.find((finding) => finding.what === what);
  return { findings, found, asked, lines: findingLines(findings) };
}

it('finds nothing in an account that is ready, and only reads', async () => {
  const { findings, asked } = await check();
  expect(findings.map(({ verdict }) => verdict)).toEqual(Array(7).fill('ok'));
  expect(asked.filter((words) => !/^\w+ (?:get|list|describe)-/.test(words))).toEqual([]);
});

it('stops where there are no credentials, and says how to get some', async () => {
  const { findings, lines } = await check({
    'sts get-caller-identity': new Error('\nUnable to locate credentials. You can configure credentials'),
  });
  expect(findings).toHaveLength(1);
  expect(lines.join('\n')).toMatch(/missing credentials: .*Unable to locate.*aws configure/s);
});

it('stops where no region is known, and says how to name one', async () => {
  const { findings, lines } = await check({}, { stage: 'dev' }, null);
  expect(findings).toHaveLength(1);
  expect(lines.join('\n')).toMatch(/missing region: .*export AWS_REGION=/s);
});

it.each([
  [
    'a bootstrap',
    { 'ssm get-parameter': new Error('An error occurred (ParameterNotFound) when calling GetParameter') },
    'bootstrap',
    /^npx cdk bootstrap aws:\/\/111122223333\/eu-north-1 --qualifier pcddev --toolkit-stack-name CDKToolkit-pcd-dev$/,
  ],
  ['a bootstrap of today', { 'ssm get-parameter': '5' }, 'bootstrap', /cdk bootstrap/],
  [
    'a stack that can be made',
    { 'cloudformation describe-stacks': 'pcd-dev-data\tCREATE_COMPLETE\npcd-dev-api\tROLLBACK_COMPLETE\n' },
    'stacks',
    /update-termination-protection --no-enable-termination-protection --stack-name pcd-dev-api/,
  ],
])('says what to type where the account lacks %s', async (_lack, said, what, type) => {
  const { findings, found } = await check(said);
  expect(found(what)?.verdict).toBe('missing');
  expect(found(what)?.type?.[0]).toMatch(type);
  expect(findings.filter(({ verdict }) => verdict !== 'ok')).toHaveLength(1);
});

it('notes that the first deployment has to make the log role, unless the stage sets that', async () => {
  const none = { 'apigateway get-account': 'None\n' };
  const { found } = await check(none);
  expect(found('log role')).toMatchObject({
    verdict: 'note',
    type: [expect.stringContaining('-c apiGatewayLogRole=true')],
  });
  const making = await check(none, { stage: 'dev', apiGatewayLogRole: 'true' });
  expect(making.found('log role')?.verdict).toBe('ok');
});

it('names the account of the shell where prod lacks its place in the settings', async () => {
  const { findings, lines } = await check({}, { stage: 'prod' });
  expect(findings.map(({ what, verdict }) => [what, verdict])).toEqual([['settings', 'missing']]);
  expect(lines.join('\n')).toContain('"prod": { "account": "111122223333", "region": "eu-north-1" }');
});

it('says where the shell is, and where the stage belongs, when these differ', async () => {
  const stages = { prod: { account: '444455556666', region: 'eu-west-1' } };
  const { found } = await check({}, { stage: 'prod', stages });
  expect(found('place')).toMatchObject({ verdict: 'missing', says: expect.stringContaining('444455556666') });
});

it('looks for the bootstrap of the qualifier that the stage sets', async () => {
  const { asked } = await check({}, { stage: 'dev', qualifier: 'acme' });
  expect(asked.join('\n')).toContain('/cdk-bootstrap/acme/version');
});

describe('the concurrency of a new account', () => {
  it('is a note, with the command that asks for more', async () => {
    const { found } = await check({ 'lambda get-account-settings': '10' });
    expect(found('concurrency')).toMatchObject({
      verdict: 'note',
      type: [expect.stringContaining('request-service-quota-increase')],
    });
  });

  it('stops a stage that reserves some of it, at the number that it needs', async () => {
    const reserving = { stage: 'dev', reserveConcurrency: 'true', excludedSources: 'dma-ais' };
    const { found } = await check({ 'lambda get-account-settings': '108' }, reserving);
    expect(found('concurrency')).toMatchObject({
      verdict: 'missing',
      says: '108, and reserveConcurrency needs 109',
    });
    const enough = await check({ 'lambda get-account-settings': '109' }, reserving);
    expect(enough.found('concurrency')?.verdict).toBe('ok');
  });
});

it('notes that AWS may have to verify an account without a distribution, unless there is no portal', async () => {
  const none = { 'cloudfront list-distributions': 'None' };
  expect((await check(none)).found('CloudFront')).toMatchObject({ verdict: 'note' });
  const without = await check(none, { stage: 'dev', portal: 'false' });
  expect(without.found('CloudFront')?.verdict).toBe('ok');
});

it('names the secrets that keyed sources lack', async () => {
  const absent = { 'secretsmanager describe-secret': new Error('(ResourceNotFoundException) not found') };
  const { found } = await check(absent, { stage: 'dev', keyedSources: 'us-census-trade' });
  expect(found('keys of sources')?.type).toEqual([
    'aws secretsmanager create-secret --name pcd/dev/census-api-key --secret-string KEY',
  ]);
});

it('goes on after a question that AWS does not answer, and says so', async () => {
  const { found, findings } = await check({
    'apigateway get-account': new Error('AccessDenied for GetAccount'),
  });
  expect(found('log role')).toEqual({
    what: 'log role',
    verdict: 'note',
    says: 'not known: AccessDenied for GetAccount',
  });
  expect(findings).toHaveLength(7);
});
