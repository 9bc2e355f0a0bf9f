/** A change of the functions behind the gateway is reversible: each is called through an alias that moves once its new version was asked. */
import { describe, expect, it } from '@jest/globals';
import { OPERATION_IDS } from '../../core/contracts/routes.ts';
import {
  at,
  type JsonObject,
  listAt,
  objectAt,
  type Resource,
  refersTo,
  withType,
} from '../builders/stacks.ts';
import { synthesizeStacks } from '../builders/synthesis.ts';

const ALIAS = 'AWS::Lambda::Alias';
const policyOf = ({ updatePolicy }: Resource): JsonObject =>
  objectAt(updatePolicy, 'CodeDeployLambdaAliasUpdate');

/** The resource that a `Ref` names. */
const named = (resources: readonly Resource[], reference: unknown, type: string): Resource | undefined =>
  withType(resources, type).find(({ id }) => id === (reference as { Ref?: string } | undefined)?.Ref);

/** What the gateway calls: the integration of each method, and the authorizer. */
const calledUris = (resources: readonly Resource[]) => [
  ...withType(resources, 'AWS::ApiGateway::Method')
    .filter(({ properties }) => at(properties.Integration, 'Type') === 'AWS_PROXY')
    .map(({ properties }) => at(properties.Integration, 'Uri')),
  ...withType(resources, 'AWS::ApiGateway::Authorizer').map(({ properties }) => properties.AuthorizerUri),
];

const statementsOf = (resources: readonly Resource[], role: string): JsonObject[] =>
  withType(resources, 'AWS::IAM::Policy')
    .filter(({ properties }) => refersTo(properties.Roles, role))
    .flatMap(({ properties }) =>
      listAt(properties.PolicyDocument, 'Statement').map((statement) => objectAt(statement)),
    );

describe.each(['dev', 'prod'] as const)('in %s', (stage) => {
  const { resources } = synthesizeStacks(stage);
  const aliases = withType(resources, ALIAS);
  const [check] = aliases.map((alias) =>
    named(resources, policyOf(alias).BeforeAllowTrafficHook, 'AWS::Lambda::Function'),
  );

  it('the gateway calls every function through an alias, and no function directly', () => {
    const uris = calledUris(resources);
    expect(uris.length).toBeGreaterThanOrEqual(2 * OPERATION_IDS.length + 1);
    const direct = uris.filter((uri) => !aliases.some(({ id }) => JSON.stringify(uri).includes(`"${id}"`)));
    expect(direct).toEqual([]);
    const permissions = withType(resources, 'AWS::Lambda::Permission').filter(
      ({ properties }) => properties.Principal === 'apigateway.amazonaws.com',
    );
    expect(
      permissions.filter(({ properties }) => named(resources, properties.FunctionName, ALIAS) === undefined),
    ).toEqual([]);
  });

  it('every alias is at a version that its code and settings name, with a deployment group of its own', () => {
    expect(aliases).toHaveLength(OPERATION_IDS.length + 1);
    const groups = aliases.map((alias) => {
      const { FunctionName, FunctionVersion } = alias.properties;
      const version = named(
        resources,
        { Ref: String(at(FunctionVersion, 'Fn::GetAtt', 0)) },
        'AWS::Lambda::Version',
      );
      expect(version?.properties.FunctionName).toEqual(FunctionName);
      const { ApplicationName, DeploymentGroupName } = policyOf(alias);
      const group = named(resources, DeploymentGroupName, 'AWS::CodeDeploy::DeploymentGroup');
      expect(group?.properties.ApplicationName).toEqual(ApplicationName);
      return String(group?.properties.DeploymentGroupName);
    });
    expect(groups.sort()).toEqual([...OPERATION_IDS, 'authorizer'].sort());
  });

  it('one check is asked before any alias moves, knows every new version, and is deployed first', () => {
    for (const alias of aliases) {
      expect(named(resources, policyOf(alias).BeforeAllowTrafficHook, 'AWS::Lambda::Function')).toBe(check);
      expect(alias.dependsOn).toContain(check?.id);
    }
    const parts = listAt(check?.properties.Environment, 'Variables', 'VERSIONS', 'Fn::Join', 1);
    const versions = JSON.parse(parts.map((part) => at(part, 'Ref') ?? part).join('')) as object;
    const published = aliases.map(({ properties, updatePolicy }) => [
      named(
        resources,
        at(updatePolicy, 'CodeDeployLambdaAliasUpdate', 'DeploymentGroupName'),
        'AWS::CodeDeploy::DeploymentGroup',
      )?.properties.DeploymentGroupName,
      at(properties.FunctionVersion, 'Fn::GetAtt', 0),
    ]);
    expect(versions).toEqual(Object.fromEntries(published));
  });

  it('a failed deployment takes requests back by itself', () => {
    for (const { properties } of withType(resources, 'AWS::CodeDeploy::DeploymentGroup')) {
      expect(properties.AutoRollbackConfiguration).toMatchObject({ Enabled: true });
      expect(listAt(properties.AutoRollbackConfiguration, 'Events')).toContain('DEPLOYMENT_FAILURE');
      expect(properties.DeploymentConfigName).toBe('CodeDeployDefault.LambdaAllAtOnce');
    }
  });

  it('the check may invoke versions, read and answer its deployments, and nothing else', () => {
    const role = String(at(check?.properties.Role, 'Fn::GetAtt', 0));
    const actions = statementsOf(resources, role).flatMap(({ Action }) => listAt(Action));
    expect([...new Set(actions)].sort()).toEqual([
      'codedeploy:GetDeployment',
      'codedeploy:PutLifecycleEventHookExecutionStatus',
      'lambda:InvokeFunction',
      'logs:CreateLogStream',
      'logs:PutLogEvents',
    ]);
    const invoked = statementsOf(resources, role).filter(({ Action }) => Action === 'lambda:InvokeFunction');
    const suffixes = invoked.flatMap(({ Resource: arns }) =>
      listAt(arns).map((arn) => at(arn, 'Fn::Join', 1, 1)),
    );
    expect(suffixes).toHaveLength(aliases.length);
    expect(new Set(suffixes)).toEqual(new Set([':*']));
  });

  it('what moves the aliases has rights on these functions alone, and on no policy of AWS', () => {
    const [group] = withType(resources, 'AWS::CodeDeploy::DeploymentGroup');
    const role = String(at(group?.properties.ServiceRoleArn, 'Fn::GetAtt', 0));
    const [found] = withType(resources, 'AWS::IAM::Role').filter(({ id }) => id === role);
    expect(found?.properties.ManagedPolicyArns).toBeUndefined();
    const arns = statementsOf(resources, role).flatMap(({ Resource: named }) => listAt(named));
    expect(arns.length).toBeGreaterThan(0);
    expect(arns.filter((arn) => typeof arn === 'string' || JSON.stringify(arn).includes('*'))).toEqual([]);
  });
});

describe('requests that move to a new version slowly', () => {
  it.each([
    ['canary', 'CodeDeployDefault.LambdaCanary10Percent5Minutes'],
    ['linear', 'CodeDeployDefault.LambdaLinear10PercentEvery1Minute'],
  ])('%s: are taken back by the alarm on 5xx', (trafficShift, configuration) => {
    const { resources } = synthesizeStacks('dev', { trafficShift });
    const [alarm] = withType(resources, 'AWS::CloudWatch::Alarm').filter(({ id }) =>
      id.includes('ServerErrors'),
    );
    for (const { properties } of withType(resources, 'AWS::CodeDeploy::DeploymentGroup')) {
      expect(properties.DeploymentConfigName).toBe(configuration);
      expect(at(properties.AlarmConfiguration, 'Alarms', 0, 'Name', 'Ref')).toBe(alarm?.id);
      expect(listAt(properties.AutoRollbackConfiguration, 'Events')).toContain('DEPLOYMENT_STOP_ON_ALARM');
    }
  });

  it('another word is refused', () => {
    expect(() => synthesizeStacks('dev', { trafficShift: 'fast' })).toThrow(/trafficShift/);
  });
});
