/** A web application firewall that slows an address down long before it costs money: random keys all reach the authorizer. */
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

/** Requests of one address in five minutes; ten times what one key may do for long, for offices behind one address. */
const REQUESTS_PER_FIVE_MINUTES = 3000;

const visible = (metricName: string) => ({
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
  metricName,
});

export class Firewall extends Construct {
  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visible('requests'),
      rules: [
        {
          name: 'rate-per-address',
          priority: 0,
          action: { block: {} },
          statement: {
            rateBasedStatement: { aggregateKeyType: 'IP', limit: REQUESTS_PER_FIVE_MINUTES },
          },
          visibilityConfig: visible('rate-per-address'),
        },
      ],
    });
    new CfnWebACLAssociation(this, 'Association', { resourceArn: stage.stageArn, webAclArn: acl.attrArn });
  }
}
