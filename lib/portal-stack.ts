/** What people reach in a browser: the portal, with the API behind the same address. */
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Construct } from 'constructs';
import { Portal } from './constructs/portal.ts';
import type { StageConfig } from './stage-config.ts';

export interface PortalStackProps extends StackProps {
  readonly config: StageConfig;
  readonly api: RestApi;
  /** Folder of the built portal. */
  readonly portalDir: string;
}

export class PortalStack extends Stack {
  constructor(scope: Construct, id: string, { config, api, portalDir, ...props }: PortalStackProps) {
    super(scope, id, props);
    const { distribution, bucket } = new Portal(this, 'Portal', { config, api, portalDir });
    new CfnOutput(this, 'PortalAddress', {
      value: `https://${distribution.distributionDomainName}`,
      description: 'Pages at /, the API at /v1 below it',
    });
    new CfnOutput(this, 'PortalBucketName', { value: bucket.bucketName });
  }
}
