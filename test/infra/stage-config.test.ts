/** The settings of a stage: read from the context, refused when they cannot be meant. */
import { describe, expect, it } from '@jest/globals';
import { readStageConfig, StageConfigError } from '../../lib/stage-config.ts';

const read = (context: Record<string, unknown>) => readStageConfig((key) => context[key]);

describe('readStageConfig', () => {
  it('is dev without a word, and keeps nothing of it', () => {
    expect(read({})).toMatchObject({
      stage: 'dev',
      production: false,
      keyPrefix: 'pcd_dev',
      removalPolicy: 'destroy',
      waf: true,
      keyedSources: [],
      schedules: true,
      corsOrigins: [],
      answerCacheSeconds: 0,
    });
  });

  it('takes live keys in prod and keeps its data', () => {
    expect(read({ stage: 'prod' })).toMatchObject({
      production: true,
      keyPrefix: 'pcd_live',
      removalPolicy: 'retain',
    });
  });

  it('reads what the command line gives as text', () => {
    const given = {
      waf: 'false',
      keyedSources: 'us-census-trade,mpa-singapore',
      corsOrigins: 'https://a.example,https://b.example',
      answerCacheSeconds: '5',
    };
    expect(read(given)).toMatchObject({
      waf: false,
      keyedSources: ['us-census-trade', 'mpa-singapore'],
      corsOrigins: ['https://a.example', 'https://b.example'],
      answerCacheSeconds: 5,
    });
  });

  it("takes a stage's own values, and those given by themselves before them", () => {
    const stages = {
      prod: { alarmEmail: 'prod@example.org', waf: false },
      dev: { keyedSources: ['us-census-trade'] },
    };
    expect(read({ stage: 'prod', stages, waf: 'true' })).toMatchObject({
      alarmEmail: 'prod@example.org',
      waf: true,
      keyedSources: [],
    });
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
    ['answers kept longer than ten seconds', { answerCacheSeconds: '11' }, /answerCacheSeconds/],
    ['no mail address', { alarmEmail: 'ops' }, /alarmEmail/],
    ['a misspelt setting of a stage', { stages: { dev: { wav: true } } }, /wav/],
    ['settings of stages that are no object', { stages: 'prod' }, /settings/],
  ])('refuses %s', (_what, context, message) => {
    expect(() => read(context)).toThrow(StageConfigError);
    expect(() => read(context)).toThrow(message);
  });
});
