/** The portal, with the API behind the same address. */
import { CfnOutput, Fn, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { API_OUTPUTS, type ApiStack } from './api-stack.ts';
import { Portal } from './constructs/portal.ts';
import type { StageConfig } from './stage-config.ts';

export interface PortalStackProps extends StackProps {
  readonly config: StageConfig;
  readonly api: ApiStack;
  /** Folder of the built portal. */
  readonly portalDir: string;
}

export class PortalStack extends Stack {
  constructor(scope: Construct, id: string, { config, api, portalDir, ...props }: PortalStackProps) {
    super(scope, id, props);
    // Whole outputs: a part of one would need a function around Fn::GetStackOutput, and AWS does not say which ones take it.
    const read = (output: string): string => Fn.getStackOutput(api.stackName, output);
    this.addStackDependency(api, 'reads its outputs');
    const { distribution, bucket } = new Portal(this, 'Portal', {
      config,
      portalDir,
      apiHost: read(API_OUTPUTS.host),
      ...(config.waf && { mark: read(API_OUTPUTS.portalMark) }),
    });
    new CfnOutput(this, 'PortalAddress', {
      value: `https://${distribution.distributionDomainName}`,
      description: 'Pages at /, the API at /v1 below it',
    });
    new CfnOutput(this, 'PortalBucketName', { value: bucket.bucketName });
  }
}
