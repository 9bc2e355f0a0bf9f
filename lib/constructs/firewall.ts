/** A web application firewall that refuses an address long before it costs money: random keys all reach the authorizer. */
import { ArnFormat, Fn, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnLoggingConfiguration, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { KEY_HEADER } from '../../core/contracts/wire.ts';
import type { StageConfig } from '../stage-config.ts';

/** Request headers that the portal's distribution sets, so that the firewall behind it sees the caller. */
export const PORTAL_HEADERS = { mark: 'x-portal-mark', viewer: 'x-viewer-address' } as const;

/** The random part of the id of the API's stack, so that no caller can claim to come through the portal, from any address. */
export const portalMark = (api: RestApi): string => Fn.select(2, Fn.split('/', Stack.of(api).stackId));

const visible = (metricName: string) => ({
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
  metricName,
});

const AS_SENT = [{ priority: 0, type: 'NONE' }];

/** Blocks an address above `requests` in five minutes. */
function blockAbove(
  requests: number,
  name: string,
  priority: number,
  rateBasedStatement: object,
): CfnWebACL.RuleProperty {
  return {
    name,
    priority,
    action: { block: {} },
    statement: {
      rateBasedStatement: { limit: requests, aggregateKeyType: 'IP', ...rateBasedStatement },
    },
    visibilityConfig: visible(name),
  };
}

/**
 * Requests through the portal arrive from the few addresses of CloudFront, so they are counted by the header. Such a rule does
 * not count a request without the header, so a mark alone does not take a request from the other rule.
 */
function rulesBehindPortal(api: RestApi, requests: number): CfnWebACL.RuleProperty[] {
  const marked = {
    byteMatchStatement: {
      fieldToMatch: { singleHeader: { Name: PORTAL_HEADERS.mark } },
      positionalConstraint: 'EXACTLY',
      searchString: portalMark(api),
      textTransformations: AS_SENT,
    },
  };
  const withViewer = {
    sizeConstraintStatement: {
      fieldToMatch: { singleHeader: { Name: PORTAL_HEADERS.viewer } },
      comparisonOperator: 'GT',
      size: 0,
      textTransformations: AS_SENT,
    },
  };
  const throughPortal = { andStatement: { statements: [marked, withViewer] } };
  return [
    blockAbove(requests, 'rate-per-address', 0, {
      scopeDownStatement: { notStatement: { statement: throughPortal } },
    }),
    blockAbove(requests, 'rate-per-viewer', 1, {
      aggregateKeyType: 'CUSTOM_KEYS',
      customKeys: [{ header: { name: PORTAL_HEADERS.viewer, textTransformations: AS_SENT } }],
      scopeDownStatement: throughPortal,
    }),
  ];
}

/** The log has what was blocked, and no secret: neither the key nor the mark, with which any address could be claimed. */
const SECRET_HEADERS = [KEY_HEADER, PORTAL_HEADERS.mark];
const BLOCKED = [{ ActionCondition: { Action: 'BLOCK' } }];
const BLOCKED_ALONE = {
  DefaultBehavior: 'DROP',
  Filters: [{ Behavior: 'KEEP', Requirement: 'MEETS_ANY', Conditions: BLOCKED }],
};

export function addFirewall(parent: Construct, api: RestApi, config: StageConfig): void {
  const scope = new Construct(parent, 'Firewall');
  const acl = new CfnWebACL(scope, 'Acl', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visible('requests'),
    rules: config.portal
      ? rulesBehindPortal(api, config.firewallLimit)
      : [blockAbove(config.firewallLimit, 'rate-per-address', 0, {})],
  });
  const { stageArn: resourceArn } = api.deploymentStage;
  new CfnWebACLAssociation(scope, 'Association', { resourceArn, webAclArn: acl.attrArn });
  const { logGroupName } = new LogGroup(scope, 'Log', {
    // AWS takes no other beginning of the name.
    logGroupName: `aws-waf-logs-pcd-${config.stage}`,
    ...config.logs,
  });
  const group = {
    service: 'logs',
    resource: 'log-group',
    resourceName: logGroupName,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  };
  new CfnLoggingConfiguration(scope, 'Logging', {
    resourceArn: acl.attrArn,
    logDestinationConfigs: [Stack.of(scope).formatArn(group)],
    redactedFields: SECRET_HEADERS.map((name) => ({ singleHeader: { Name: name.toLowerCase() } })),
    loggingFilter: BLOCKED_ALONE,
  });
}
