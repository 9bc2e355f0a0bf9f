/** What every function finds in its environment on one machine, beside what the template gives it. */
import { devNull } from 'node:os';
import { pathToFileURL } from 'node:url';
import { LOCAL_REGION } from '../template/intrinsics.ts';

export interface FunctionEnvironmentParts {
  readonly storeEndpoint: string;
  readonly controlPlaneEndpoint: string;
  /** Folder of the raw archive. */
  readonly archive: string;
  /** How far the service's clock is ahead of the machine's. */
  readonly clockOffsetMs: number;
}

export const functionEnvironment = (parts: FunctionEnvironmentParts): Readonly<Record<string, string>> => ({
  AWS_REGION: LOCAL_REGION,
  AWS_DEFAULT_REGION: LOCAL_REGION,
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  // Neither the settings of whoever starts the service nor a cloud around the machine has any business here.
  AWS_CONFIG_FILE: devNull,
  AWS_SHARED_CREDENTIALS_FILE: devNull,
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  AWS_ENDPOINT_URL_DYNAMODB: parts.storeEndpoint,
  AWS_ENDPOINT_URL_API_GATEWAY: parts.controlPlaneEndpoint,
  CLOCK_OFFSET_MS: String(Math.round(parts.clockOffsetMs)),
  RAW_ARCHIVE: pathToFileURL(parts.archive).href,
  /** One owner for all processes on a data directory: a pass that was killed does not lock out the next start. */
  LEASE_OWNER: 'local',
  LOCAL_PLANS: 'true',
  POWERTOOLS_TRACE_ENABLED: 'false',
});
