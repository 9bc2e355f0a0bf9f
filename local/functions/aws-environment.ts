/** The variables of the AWS SDK in the environment of every function on one machine. */
import { devNull } from 'node:os';
import { LOCAL_REGION } from '../template/template.ts';

export interface LocalEndpoints {
  readonly storeEndpoint: string;
  readonly controlPlaneEndpoint: string;
}

export const awsEnvironment = (endpoints: LocalEndpoints): Readonly<Record<string, string>> => ({
  AWS_REGION: LOCAL_REGION,
  AWS_DEFAULT_REGION: LOCAL_REGION,
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  // Functions must not read the user's profile or request the role of a cloud machine.
  AWS_CONFIG_FILE: devNull,
  AWS_SHARED_CREDENTIALS_FILE: devNull,
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  AWS_ENDPOINT_URL_DYNAMODB: endpoints.storeEndpoint,
  AWS_ENDPOINT_URL_API_GATEWAY: endpoints.controlPlaneEndpoint,
});
