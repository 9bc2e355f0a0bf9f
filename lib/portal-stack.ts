/** The portal, with the API behind the same address. */
import { CfnOutput, Fn, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { API_OUTPUTS, type ApiStack } from './api-stack.ts';
import { addAthenaTables } from './constructs/athena-tables.ts';
import { addReleaseJob, addStatusJob } from './constructs/dataset-jobs.ts';
import type { StackFunctionDefaults } from './constructs/handler-function.ts';
import { addPortal } from './constructs/portal.ts';

interface PortalStackProps extends StackProps, StackFunctionDefaults {
  readonly api: ApiStack;
  /** Folder of the built portal. */
  readonly portalDir: string;
}

export class PortalStack extends Stack {
  constructor(scope: Construct, id: string, props: PortalStackProps) {
    super(scope, id, props);
    const { config, api, portalDir } = props;
    // Whole outputs: a part of one would need a function around Fn::GetStackOutput, and AWS does not say which ones take it.
    const read = (output: string): string => Fn.getStackOutput(api.stackName, output);
    this.addStackDependency(api, 'reads its outputs');
    const mark = config.waf ? read(API_OUTPUTS.portalMark) : undefined;
    const { distribution, bucket, releases } = addPortal(
      this,
      config,
      portalDir,
      read(API_OUTPUTS.host),
      mark,
    );
    const { portalDomainName } = config;
    const address = `https://${portalDomainName ?? distribution.distributionDomainName}`;
    if (portalDomainName !== undefined)
      new CfnOutput(this, 'PortalTarget', {
        value: distribution.distributionDomainName,
        description: `Point a CNAME or alias record of ${portalDomainName} here`,
      });
    const dataset = `${address}/data/`;
    const release = addReleaseJob(this, props, releases, dataset);
    addStatusJob(this, props, releases);
    if (config.athena) addAthenaTables(this, config.stage, releases);
    new CfnOutput(this, 'DatasetAddress', {
      value: dataset,
      description: 'The newest release of the dataset',
    });
    new CfnOutput(this, 'ReleaseFunctionName', { value: release.functionName });
    new CfnOutput(this, 'ReleaseBucketName', { value: releases.bucketName });
    new CfnOutput(this, 'PortalAddress', {
      value: address,
      description: 'Pages at /, the API at /v1 below it',
    });
    new CfnOutput(this, 'PortalBucketName', { value: bucket.bucketName });
  }
}
