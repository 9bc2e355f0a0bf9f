/**
 * The credentials of a function: Lambda hands them over in the environment, and nowhere else. Builds of functions put
 * this in the place of the SDK's default chain, whose other providers (files, single sign-on, containers, instance
 * metadata) would be two fifths of what the SDK's client weighs.
 */
import { fromEnv } from '@aws-sdk/credential-provider-env';

/** Under the name and in the form of the SDK's own chain: a provider that rejects when the environment has no key. */
export const defaultProvider = (init?: Parameters<typeof fromEnv>[0]): ReturnType<typeof fromEnv> =>
  fromEnv(init);
