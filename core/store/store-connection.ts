/** Where the store is and who asks: endpoint, region and credentials, from the environment of a function. */
import * as z from 'zod/mini';
import { readEnvironment, type Variables } from './environment.ts';
import type { Credentials } from './request-signature.ts';

export interface StoreConnection {
  /** Base URL, without a path. */
  readonly endpoint: string;
  readonly region: string;
  /** Asked before every request, so that credentials which expire can be renewed. */
  readonly credentials: () => Credentials | Promise<Credentials>;
}

/** Domains of the AWS partitions by the beginning of a region's name; the others are in `amazonaws.com`. */
const DOMAINS: readonly (readonly [string, string])[] = [
  ['cn-', 'amazonaws.com.cn'],
  ['eusc-', 'amazonaws.eu'],
  ['us-iso-', 'c2s.ic.gov'],
  ['us-isob-', 'sc2s.sgov.gov'],
  ['eu-isoe-', 'cloud.adc-e.uk'],
  ['us-isof-', 'csp.hci.ic.gov'],
];

/** The endpoint that the variables name, as the SDKs read them, else that of the region. */
export function endpointOf(region: string, variables: Variables): string {
  const named = variables.AWS_ENDPOINT_URL_DYNAMODB ?? variables.AWS_ENDPOINT_URL;
  if (named !== undefined && named !== '') return named;
  const domain = DOMAINS.find(([beginning]) => region.startsWith(beginning))?.[1] ?? 'amazonaws.com';
  return `https://dynamodb.${region}.${domain}`;
}

const regionSchema = z.object({ AWS_REGION: z.string().check(z.minLength(1)) });

/**
 * Lambda hands a function its region and credentials in the environment, and nowhere else.
 * @throws EnvironmentError without a region; missing credentials are an error of the first request
 */
export function connectionOf(variables: Variables): StoreConnection {
  const { AWS_REGION: region } = readEnvironment(regionSchema, variables);
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = variables;
  return {
    endpoint: endpointOf(region, variables),
    region,
    credentials: () => {
      if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey, sessionToken };
      throw new Error('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set');
    },
  };
}
