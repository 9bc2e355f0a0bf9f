/** cdk-nag's AwsSolutions and Serverless packs and CloudFormation's own schemas, over both stages. */
import { describe, expect, it } from '@jest/globals';
import { type App, type CfnResource, Validations } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { ACCEPTED_RULES, ACCEPTED_WILDCARDS } from '../../lib/rights.ts';
import type { StageName } from '../../lib/stage-config.ts';
import { createTestApp } from '../builders/synthesis.ts';

const MAX_RULES = 14;
const RULES: readonly string[] = [...Object.keys(ACCEPTED_RULES), 'AwsSolutions-IAM5'];

function checked(stage: StageName, settings: Record<string, unknown> = {}): ReturnType<typeof createTestApp> {
  const made = createTestApp(stage, { validate: true, ...settings });
  Validations.of(made.app).addPlugins(new AwsSolutionsChecks(made.app), new ServerlessChecks(made.app));
  return made;
}

/** Ids of the rules that are acknowledged anywhere in the app. */
function acknowledgedRules(app: App): Set<string> {
  const entries = app.node
    .findAll()
    .flatMap(({ node }) => node.metadata)
    .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY);
  return new Set(
    entries.flatMap(({ data }) =>
      Object.keys(data).map((id) => id.replace(/^annotation::/i, '').replace(/\[.*/, '')),
    ),
  );
}

describe('cdk-nag', () => {
  const everyOption = {
    keyedSources: 'us-census-trade',
    alarmEmail: 'ops@example.org',
    corsOrigins: 'https://example.org',
    canaryMinutes: '5',
    copyBucket: 'copy-of-the-archive',
    apiGatewayLogRole: 'true',
    domainName: 'api.example.org',
    certificateArn: 'arn:aws:acm:eu-north-1:111122223333:certificate/0',
  };

  it('finds nothing in prod with every option that is not acknowledged with a reason', () => {
    const { app } = checked('prod', everyOption);
    expect(() => app.synth()).not.toThrow();
    expect([...acknowledgedRules(app)].filter((rule) => !RULES.includes(rule))).toEqual([]);
  });

  it(`is asked to overlook at most ${MAX_RULES} rules in all stages together, each with a reason of a sentence`, () => {
    expect(RULES.length).toBeLessThanOrEqual(MAX_RULES);
    for (const reason of Object.values({ ...ACCEPTED_RULES, ...ACCEPTED_WILDCARDS }))
      expect(reason).toMatch(/^[A-Zx].{40,}\.$/);
  });

  it("finds a bucket without encryption in transit that is planted, and CloudFormation's schemas a value of the wrong type", () => {
    const { app, application } = checked('dev');
    new Bucket(application.data, 'Planted');
    const table = application.data.tables.ports.node.defaultChild as CfnResource;
    table.addPropertyOverride('BillingMode', 'PER_HOUR');
    let found = '';
    try {
      app.synth();
    } catch (error) {
      found = String(error);
    }
    expect(found).toMatch(/AwsSolutions-S10/);
    expect(found).toMatch(/BillingMode|PER_HOUR/);
  });
});
