/** A change of the functions behind the gateway is reversible: each is called through an alias that moves once its new version was asked. */
import { describe, expect, it } from '@jest/globals';
import { OPERATION_IDS } from '../../core/contracts/routes.ts';
import {
  at,
  grantsOf,
  listAt,
  objectAt,
  type Resource,
  sharedStacks,
  UNCHECKED,
  withType,
} from '../builders/stacks.ts';

const ALIAS = 'AWS::Lambda::Alias';
const GROUP = 'AWS::CodeDeploy::DeploymentGroup';
const policyOf = ({ updatePolicy }: Resource) => objectAt(updatePolicy, 'CodeDeployLambdaAliasUpdate');

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

describe.each(['dev', 'prod'] as const)('in %s', (stage) => {
  const { resources } = sharedStacks(stage);
  const aliases = withType(resources, ALIAS);
  const [check] = aliases.map((alias) =>
    named(resources, policyOf(alias).BeforeAllowTrafficHook, 'AWS::Lambda::Function'),
  );

  it('the gateway calls every function through an alias, and no function directly', () => {
    const uris = calledUris(resources);
    expect(uris.length).toBeGreaterThanOrEqual(2 * OPERATION_IDS.length + 1);
    const direct = uris.filter((uri) => !aliases.some(({ id }) => JSON.stringify(uri).includes(`"${id}"`)));
    expect(direct).toEqual([]);
    const called = withType(resources, 'AWS::Lambda::Permission')
      .filter(({ properties }) => properties.Principal === 'apigateway.amazonaws.com')
      .map(({ properties }) => named(resources, properties.FunctionName, ALIAS));
    expect(called).not.toContain(undefined);
  });

  it('every alias is at a version that its code and settings name, with a deployment group of its own', () => {
    expect(aliases).toHaveLength(OPERATION_IDS.length + 1);
    const groups = aliases.map((alias) => {
      const { FunctionName, FunctionVersion } = alias.properties;
      const published = { Ref: String(at(FunctionVersion, 'Fn::GetAtt', 0)) };
      const version = named(resources, published, 'AWS::Lambda::Version');
      expect(version?.properties.FunctionName).toEqual(FunctionName);
      const { ApplicationName, DeploymentGroupName } = policyOf(alias);
      const group = named(resources, DeploymentGroupName, GROUP);
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
    const published = aliases.map((alias) => [
      named(resources, policyOf(alias).DeploymentGroupName, GROUP)?.properties.DeploymentGroupName,
      at(alias.properties.FunctionVersion, 'Fn::GetAtt', 0),
    ]);
    expect(versions).toEqual(Object.fromEntries(published));
  });

  it('at most three checks run at once: aliases wait for one another, in three rows', () => {
    const inRow = aliases.map(({ dependsOn }) => aliases.filter(({ id }) => dependsOn.includes(id)));
    const first = inRow.filter((before) => before.length === 0);
    expect(first).toHaveLength(3);
    // No alias waits for two, and no two wait for the same one.
    const waitedFor = inRow.flat().map(({ id }) => id);
    expect(waitedFor).toHaveLength(aliases.length - 3);
    expect(new Set(waitedFor).size).toBe(waitedFor.length);
  });

  it('an alarm of a deployment group is taken off with the code that set it', () => {
    for (const { properties } of withType(resources, GROUP))
      expect(properties.AlarmConfiguration).toMatchObject({ Enabled: false });
  });

  it('a failed deployment takes requests back by itself', () => {
    for (const { properties } of withType(resources, GROUP)) {
      expect(properties.AutoRollbackConfiguration).toMatchObject({ Enabled: true });
      expect(listAt(properties.AutoRollbackConfiguration, 'Events')).toContain('DEPLOYMENT_FAILURE');
      expect(properties.DeploymentConfigName).toBe('CodeDeployDefault.LambdaAllAtOnce');
    }
  });

  it('the check may invoke versions, read and answer its deployments, and nothing else', () => {
    const grants = grantsOf(resources, check?.properties.Role);
    expect([...new Set(grants.flatMap(({ actions }) => actions))].sort()).toEqual([
      'codedeploy:GetDeployment',
      'codedeploy:PutLifecycleEventHookExecutionStatus',
      'lambda:InvokeFunction',
      'logs:CreateLogStream',
      'logs:PutLogEvents',
    ]);
    const suffixes = grants
      .filter(({ actions }) => actions.includes('lambda:InvokeFunction'))
      .flatMap(({ statement }) => listAt(statement.Resource).map((arn) => at(arn, 'Fn::Join', 1, 1)));
    expect(suffixes).toEqual(aliases.map(() => ':*'));
  });

  it('what moves the aliases has rights on these functions alone, and on no policy of AWS', () => {
    const [group] = withType(resources, GROUP);
    const role = group?.properties.ServiceRoleArn;
    const found = withType(resources, 'AWS::IAM::Role').find(({ id }) => id === at(role, 'Fn::GetAtt', 0));
    expect(found).toBeDefined();
    expect(found?.properties.ManagedPolicyArns).toBeUndefined();
    const arns = grantsOf(resources, role).flatMap(({ statement }) => listAt(statement.Resource));
    expect(arns.length).toBeGreaterThan(0);
    expect(arns.filter((arn) => typeof arn === 'string' || JSON.stringify(arn).includes('*'))).toEqual([]);
  });
});

it('an emergency deployment moves every alias without asking, and is otherwise the same', () => {
  const [usual, emergency] = [sharedStacks('prod').resources, sharedStacks('prod', UNCHECKED).resources];
  expect(withType(emergency, ALIAS).length).toBeGreaterThan(0);
  for (const alias of withType(emergency, ALIAS))
    expect(policyOf(alias).BeforeAllowTrafficHook).toBeUndefined();
  const others = (all: readonly Resource[]) => all.filter(({ type }) => type !== ALIAS);
  expect(others(emergency).map(({ id }) => id)).toEqual(others(usual).map(({ id }) => id));
});
