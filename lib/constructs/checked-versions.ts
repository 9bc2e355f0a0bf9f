/**
 * The functions behind the gateway are called through an alias, which CodeDeploy moves to a new version once a check has asked it
 * what callers ask; a failure rolls the stack back. When a function is new there is nothing to move, and nothing is asked.
 */
import { Duration, Lazy, Stack } from 'aws-cdk-lib';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { logicalId, resourceOf } from '../pinned.ts';
import { acceptWildcards, allow } from '../rights.ts';
import { addFunction, type FunctionDefaults } from './handler-function.ts';

const ALIAS = 'live';

/** 40 seconds of retries, two answers of cold functions, and the report. */
const CHECK_WITHIN = Duration.seconds(90);

/**
 * Checks that run at a time. Each takes two places of the account's concurrency, its own and that of the version, and new accounts
 * have ten.
 */
const CHECKS_AT_ONCE = 3;

export class CheckedVersions extends Construct {
  readonly check: LambdaFunction;
  readonly #application: LambdaApplication;
  readonly #role: Role;
  readonly #versions: Record<string, string> = {};
  readonly #aliases: Alias[] = [];
  readonly #isChecked: boolean;

  constructor(stack: Stack, props: FunctionDefaults) {
    super(stack, 'Versions');
    const { stage, keyPrefix, demoKey, checks } = props.config;
    this.#isChecked = checks === 'on';
    this.check = addFunction(this, 'Check', {
      ...props,
      handler: 'version-check',
      description: 'Asks new versions before requests reach them',
      memoryMb: 512,
      timeout: CHECK_WITHIN,
      uses: {},
      environment: {
        VERSIONS: Lazy.string({ produce: () => Stack.of(this).toJsonString(this.#versions) }),
        KEY_PREFIX: keyPrefix,
        ...(demoKey !== undefined && { DEMO_KEY: demoKey }),
      },
    });
    this.#application = new LambdaApplication(this, 'Application', { applicationName: `pcd-${stage}` });
    this.#role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    allow(this.#role, ['lambda:InvokeFunction'], this.check.functionArn);
  }

  /** The alias of a function, whose deployment group is called `name`. */
  add(name: string, lambda: LambdaFunction): Alias {
    const { currentVersion: version } = lambda;
    const alias = new Alias(lambda, 'Live', { aliasName: ALIAS, version });
    // By name, because a reference to the alias would go round in a circle.
    allow(
      this.#role,
      ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'],
      lambda.functionArn,
      `${lambda.functionArn}:${ALIAS}`,
    );
    const group = new LambdaDeploymentGroup(lambda, 'Deployments', {
      application: this.#application,
      deploymentGroupName: name,
      alias,
      deploymentConfig: LambdaDeploymentConfig.ALL_AT_ONCE,
      // The CDK would attach a policy of AWS to it, which is for all functions of the account.
      role: this.#role.withoutPolicyUpdates(),
      ...(this.#isChecked && { preHook: this.check }),
    });
    this.#versions[name] = version.functionArn;
    // Allow any version: a right to the new one alone would be seconds old when it is used, and IAM may take longer.
    allow(this.check, ['lambda:InvokeFunction'], `${lambda.functionArn}:*`);
    allow(this.check, ['codedeploy:GetDeployment'], group.deploymentGroupArn);
    acceptWildcards(this, 'newVersions', `<${logicalId(lambda)}.Arn>:*`);
    // The check must know the new version before the alias moves.
    alias.node.addDependency(this.check);
    // The resources alone: the gateway's permissions below an alias depend on the API, and so on every alias.
    const before = this.#aliases.at(-CHECKS_AT_ONCE);
    if (before !== undefined) resourceOf(alias).addResourceDependency(resourceOf(before));
    this.#aliases.push(alias);
    return alias;
  }
}
