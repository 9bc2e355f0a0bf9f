/** cdk-nag's AwsSolutions and Serverless packs, and CloudFormation's own schemas and what each region offers, over every setting. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { App, CfnResource, CloudFormationValidatePlugin, Stack, Validations } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { ACCEPTED_RULES, ACCEPTED_WILDCARDS } from '../../lib/rights.ts';
import { SETTING_NAMES, type StageName } from '../../lib/stage-config.ts';
import { extent, longDescribe } from '../builders/extent.ts';
import { MOST_SETTINGS, PARTS, SHARED_STACKS, sharedStacks } from '../builders/stacks.ts';
import { createTestApp } from '../builders/synthesis.ts';

const MAX_RULES = 18;
const RULES: readonly string[] = [...Object.keys(ACCEPTED_RULES), 'AwsSolutions-IAM5'];

/** One for all of this file, in the whole run alone, because loading it takes seconds. */
const engine = new CloudFormationValidatePlugin();

function checked(stage: StageName, settings: Record<string, unknown> = {}): ReturnType<typeof createTestApp> {
  const made = createTestApp(stage, settings);
  Validations.of(made.app).addPlugins(
    ...extent([], [engine]),
    new AwsSolutionsChecks(made.app),
    new ServerlessChecks(made.app),
  );
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
  it('finds nothing in prod with every option that is not acknowledged with a reason', () => {
    const { app } = checked('prod', MOST_SETTINGS);
    expect(() => app.synth()).not.toThrow();
    expect([...acknowledgedRules(app)].filter((rule) => !RULES.includes(rule))).toEqual([]);
  });

  it(`is asked to overlook at most ${MAX_RULES} rules in all stages together, each with a reason of a sentence`, () => {
    expect(RULES.length).toBeLessThanOrEqual(MAX_RULES);
    for (const reason of Object.values({ ...ACCEPTED_RULES, ...ACCEPTED_WILDCARDS }))
      expect(reason).toMatch(/^[A-Zx].{40,}\.$/);
  });

  it('finds a bucket without encryption in transit, and the schemas a value of the wrong type', () => {
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
    const elsewhere = found
      .split('\n')
      .filter((line) => /^\s*pcd-\S+\/Resource /.test(line) && !line.includes('/Planted/'));
    expect(elsewhere.filter((line) => !line.includes('/Ports/'))).toEqual([]);
    expect(found).toMatch(extent(/AwsSolutions-S10/, /BillingMode|PER_HOUR/));
  });
});

longDescribe("CloudFormation's schemas", () => {
  const REGIONS = ['eu-north-1', 'ap-east-1', 'us-east-1'];
  const account = '111122223333';

  /** What the templates at `paths` break in `region`. */
  const violationsIn = (region: string, paths: readonly string[]): string[] =>
    engine
      .validate({
        appConstruct: new App(),
        templatePaths: [...paths],
        stackTemplates: paths.map((templatePath) => ({
          stackConstructPath: templatePath,
          templatePath,
          accountId: account,
          region,
        })),
      })
      .violations.map(({ ruleName, description }) => `${ruleName} ${description}`);

  /** All regions for a stage with its defaults; else one in turn, or the one that the stage is pinned to. */
  const runs = SHARED_STACKS.flatMap(([stage, context], index) => {
    const regions = index === 0 ? REGIONS : [String(context.region ?? REGIONS[(index + 1) % REGIONS.length])];
    const settings = Object.keys(context).length;
    return regions.map((region) => ({ stage, context, region, settings }));
  });

  it.each(runs)('are met in $region by $stage with $settings settings', ({ stage, context, region }) => {
    const { outdir } = sharedStacks(stage, context);
    const paths = PARTS.map((part) => join(outdir, `pcd-${stage}-${part}.template.json`)).filter(existsSync);
    expect(paths.length).toBeGreaterThan(2);
    expect(violationsIn(region, paths)).toEqual([]);
  });

  it('are read with every setting there is', () => {
    const given = new Set(SHARED_STACKS.flatMap(([, context]) => ['stage', ...Object.keys(context)]));
    expect(SETTING_NAMES.filter((name) => !given.has(name))).toEqual([]);
  });

  it('miss a type of resource in a region that does not offer it', () => {
    const app = new App({ builtinCloudFormationValidation: false });
    new CfnResource(new Stack(app, 'Planted'), 'Budget', {
      type: 'AWS::Budgets::Budget',
      properties: { Budget: { BudgetType: 'COST', TimeUnit: 'MONTHLY' } },
    });
    const template = app.synth().getStackByName('Planted').templateFullPath;
    expect(violationsIn('us-east-1', [template])).toEqual([]);
    expect(violationsIn('ap-east-1', [template]).join()).toMatch(/AWS::Budgets::Budget/);
  });
});
