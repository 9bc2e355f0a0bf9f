/** The roles that a workflow on GitHub assumes to deploy the stage, without a stored secret. */
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { FederatedPrincipal, PolicyDocument, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { acceptWildcards, arn } from './rights.ts';
import type { StageConfig } from './stage-config.ts';

/** Of GitHub; the account has one identity provider for it, which is made once by hand. */
const ISSUER = 'token.actions.githubusercontent.com';

interface DeployerStackProps extends StackProps {
  readonly config: StageConfig;
  /** OWNER/REPOSITORY */
  readonly repository: string;
}

export class DeployerStack extends Stack {
  constructor(scope: Construct, id: string, { config, repository, ...props }: DeployerStackProps) {
    super(scope, id, props);
    const { stage, qualifier, production } = config;
    const bootstrapRoles = `cdk-${qualifier}-*`;
    const portalFiles = `pcd-${stage}-portal-portalfiles*/*`;
    this.addRole('Deployer', repository, stage, bootstrapRoles, portalFiles);
    // It may read, so that the difference can be shown to a reviewer before the deployer's role is given out.
    if (production) this.addRole('Planner', repository, `${stage}-plan`, `cdk-${qualifier}-lookup-role-*`);
  }

  /** A role for jobs in `environment` of the repository. Who gets into an environment is a rule of the repository. */
  private addRole(id: string, repository: string, environment: string, roles: string, files?: string): void {
    const { account, partition } = this;
    const role = new Role(this, id, {
      description: `Assumed by jobs of ${repository} in the environment ${environment}`,
      assumedBy: new FederatedPrincipal(
        `arn:${partition}:iam::${account}:oidc-provider/${ISSUER}`,
        {
          StringEquals: {
            [`${ISSUER}:aud`]: 'sts.amazonaws.com',
            [`${ISSUER}:sub`]: `repo:${repository}:environment:${environment}`,
          },
        },
        'sts:AssumeRoleWithWebIdentity',
      ),
      inlinePolicies: {
        Deploy: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['sts:AssumeRole'],
              resources: [`arn:${partition}:iam::${account}:role/${roles}`],
            }),
            ...(files === undefined
              ? []
              : [
                  new PolicyStatement({
                    actions: ['s3:PutObject'],
                    resources: [`arn:${partition}:s3:::${files}`],
                  }),
                ]),
          ],
        }),
      },
    });
    /** The ARN for a service whose ARNs have no region. */
    const global = (service: string, owner: string): string =>
      arn(this, service, owner).replace(/:(<AWS::Region>|[a-z]{2}-[a-z]+-\d):/, '::');
    acceptWildcards(role, 'bootstrapRoles', `${global('iam', account)}:role/${roles}`);
    if (files !== undefined) acceptWildcards(role, 'objects', `${global('s3', '')}:${files}`);
    new CfnOutput(this, `${id}RoleArn`, {
      value: role.roleArn,
      description: `AWS_ROLE_ARN of the environment ${environment}`,
    });
  }
}
