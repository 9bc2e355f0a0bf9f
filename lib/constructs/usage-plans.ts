/** The native usage plans: rate, burst and monthly quota of each tier, and the tag that says which tier a plan is. */
import { CfnOutput, Tags } from 'aws-cdk-lib';
import { Period, type RestApi, type Stage } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { PLANS, TIER_TAG, TIERS } from '../../core/contracts/plans.ts';
import { keep } from '../pinned.ts';
import type { StageConfig } from '../stage-config.ts';

export interface UsagePlansProps {
  readonly api: RestApi;
  readonly stage: Stage;
  readonly config: StageConfig;
}

export class UsagePlans extends Construct {
  constructor(scope: Construct, id: string, { api, stage, config }: UsagePlansProps) {
    super(scope, id);
    for (const tier of TIERS) {
      const { title, monthlyQuota, ratePerSecond, burst } = PLANS[tier];
      const plan = api.addUsagePlan(`${title}Plan`, {
        name: `Port Congestion ${stage.stageName} ${title}`,
        description: `${title}: ${monthlyQuota} requests a month`,
        throttle: { rateLimit: ratePerSecond, burstLimit: burst },
        quota: { limit: monthlyQuota, period: Period.MONTH },
        apiStages: [{ stage }],
      });
      keep(plan, `${title}Plan`, config);
      Tags.of(plan).add(TIER_TAG, tier);
      const output = new CfnOutput(this, `${title}PlanId`, { value: plan.usagePlanId });
      output.overrideLogicalId(`${title}PlanId`);
    }
  }
}
