/** The API under a domain of its own, without the stage's name in the path. */
import { CfnOutput } from 'aws-cdk-lib';
import {
  DomainName,
  EndpointType,
  type RestApi,
  SecurityPolicy,
  type Stage,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Construct } from 'constructs';
import { pin } from '../pinned.ts';

export interface CustomDomainProps {
  readonly api: RestApi;
  readonly stage: Stage;
  readonly domainName: string;
  readonly certificateArn: string;
}

export class CustomDomain extends Construct {
  constructor(scope: Construct, id: string, { api, stage, domainName, certificateArn }: CustomDomainProps) {
    super(scope, id);
    const domain = new DomainName(this, 'Domain', {
      domainName,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    pin(domain, 'CustomDomain50EDADAC');
    domain.addBasePathMapping(api, { stage });
    new CfnOutput(this, 'Target', {
      value: domain.domainNameAliasDomainName,
      description: `Point a CNAME or alias record of ${domainName} here`,
    });
  }
}
