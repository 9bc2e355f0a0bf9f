/** A budget of the account for what has the tag of the stage; two budgets of an account are free. */
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { StageName } from '../stage-config.ts';

/** Writes to `topic` when the forecast of the month, or its bill so far, is above `dollars`. */
export function addBudget(scope: Construct, stage: StageName, dollars: number, topic: Topic): void {
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: 'Budgets',
      principals: [new ServicePrincipal('budgets.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': topic.stack.account } },
    }),
  );
  const notified = (notificationType: 'FORECASTED' | 'ACTUAL') => ({
    notification: { notificationType, comparisonOperator: 'GREATER_THAN', threshold: 100 },
    subscribers: [{ subscriptionType: 'SNS', address: topic.topicArn }],
  });
  new CfnBudget(scope, 'Budget', {
    budget: {
      budgetName: `pcd-${stage}`,
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: dollars, unit: 'USD' },
      // A tag counts from when it is activated as one of cost allocation.
      costFilters: { TagKeyValue: [`user:stage$${stage}`] },
    },
    notificationsWithSubscribers: [notified('FORECASTED'), notified('ACTUAL')],
  });
}
