/** The settings of a stage: read from the context, refused when they are invalid. */
import { describe, expect, it } from '@jest/globals';
import { readStageConfig, StageConfigError } from '../../lib/stage-config.ts';

const PLACE = { account: '111122223333', region: 'eu-north-1' };
const read = (context: Record<string, unknown>) => readStageConfig(context);

describe('readStageConfig', () => {
  it('is dev by default, and retains nothing of it', () => {
    expect(read({})).toMatchObject({
      stage: 'dev',
      production: false,
      keyPrefix: 'pcd_dev',
      removalPolicy: 'destroy',
      waf: false,
      tracing: false,
      keyedSources: [],
      schedules: true,
      corsOrigins: [],
      responseCacheSeconds: 5,
    });
  });

  it('takes live keys in prod and keeps its data', () => {
    expect(read({ stage: 'prod', ...PLACE })).toMatchObject({
      production: true,
      keyPrefix: 'pcd_live',
      removalPolicy: 'retain-on-update-or-delete',
      waf: true,
    });
  });

  it('reads what the command line gives as text', () => {
    const given = {
      waf: 'false',
      keyedSources: 'us-census-trade,mpa-singapore',
      corsOrigins: 'https://a.example,https://b.example',
      responseCacheSeconds: '2.5',
      canaryMinutes: '5',
    };
    expect(read(given)).toMatchObject({
      waf: false,
      keyedSources: ['us-census-trade', 'mpa-singapore'],
      corsOrigins: ['https://a.example', 'https://b.example'],
      responseCacheSeconds: 2.5,
      canaryMinutes: 5,
    });
  });

  it("takes a stage's own values, and those given by themselves before them", () => {
    const stages = {
      prod: { ...PLACE, alarmEmail: 'prod@example.org', waf: false },
      dev: { keyedSources: ['us-census-trade'] },
    };
    expect(read({ stage: 'prod', stages, waf: 'true' })).toMatchObject({
      alarmEmail: 'prod@example.org',
      waf: true,
      keyedSources: [],
    });
  });

  it("leaves the CDK's own context alone", () => {
    const own = { '@aws-cdk/core:newStyleStackSynthesis': true, 'aws:cdk:enable-asset-metadata': true };
    expect(read({ ...own, 'hosted-zone:account=1:region=x': {} }).stage).toBe('dev');
  });

  it('names the lasting settings that are given for one deployment only', () => {
    const stages = { dev: { waf: false } };
    expect(read({ stages, stage: 'dev', schedules: 'false', alarmEmail: 'a@b.example' }).passing).toEqual([
      'alarmEmail',
    ]);
  });

  it.each(['keys@example.org', 'https://example.org/keys'])('takes %s as the contact', (contact) => {
    expect(read({ contact }).contact).toBe(contact);
  });

  it.each([
    [
      'a contact that is neither an e-mail nor an https address',
      { contact: 'http://example.org' },
      /contact/,
    ],
    ['a contact that would end a string', { contact: 'https://example.org/"x' }, /contact/],
    ['an unknown stage', { stage: 'test' }, /stage/],
    ['a flag that is none', { waf: 'perhaps' }, /waf/],
    ['a domain without its certificate', { domainName: 'api.example.org' }, /go together/],
    ['an origin with a path', { corsOrigins: 'https://a.example/app' }, /origin/],
    ['an origin that would end the literal of a header', { corsOrigins: "https://a.example'" }, /origin/],
    ['a response cache of more than ten seconds', { responseCacheSeconds: '11' }, /responseCacheSeconds/],
    ['a firewall limit that AWS does not take', { firewallLimit: '9' }, /firewallLimit/],
    ['a check that is neither on nor off', { checks: 'false' }, /checks/],
    ['a canary that runs more often than each minute', { canaryMinutes: '0' }, /canaryMinutes/],
    ['a canary that runs less often than each hour', { canaryMinutes: '61' }, /canaryMinutes/],
    ['a canary that runs between minutes', { canaryMinutes: '1.5' }, /canaryMinutes/],
    ['a misspelt canary', { canaryMinute: '5' }, /Did you mean canaryMinutes\?/],
    ['the former name of a setting', { answerCacheSeconds: '5' }, /Did you mean responseCacheSeconds\?/],
    ['no mail address', { alarmEmail: 'ops' }, /alarmEmail/],
    ['an archive of a month', { archiveDays: '30' }, /archiveDays/],
    ['an archive of a part of a day', { archiveDays: '90.5' }, /archiveDays/],
    ['an archive of no number', { archiveDays: 'never' }, /archiveDays/],
    [
      'a misspelt setting of a stage',
      { stages: { dev: { alarmMail: 'a@b.example' } } },
      /Did you mean alarmEmail\?/,
    ],
    [
      'a misspelt setting on the command line',
      { Stage: 'prod' },
      /-c Stage is unknown. Did you mean stage\?/,
    ],
    [
      'a misspelt stage among the stages',
      { stages: { prd: {} } },
      /stages.prd is unknown. Did you mean prod\?/,
    ],
    ['a misspelt stage on the command line', { stage: 'prd' }, /Did you mean prod\?/],
    ['prod without its account and region', { stage: 'prod' }, /prod needs account and region/],
    ['an account without its region', { account: '111122223333' }, /account and region go together/],
    ['an account that is none', { ...PLACE, account: '1111' }, /twelve digits/],
    ['settings of a stage that are not an object', { stages: 'prod' }, /settings/],
  ])('refuses %s', (_what, context, message) => {
    expect(() => read(context)).toThrow(StageConfigError);
    expect(() => read(context)).toThrow(message);
  });
});
