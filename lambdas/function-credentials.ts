/**
 * The credentials of a function, which Lambda passes only in the environment. Function builds substitute
 * this for the SDK's default chain, whose other providers (files, single sign-on, containers, instance
 * metadata) make up two fifths of the SDK client's size.
 */
import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Under the name and in the form of the SDK's own chain: a provider that rejects when the environment has no key. It reads the
 * environment once, because Lambda never changes the credentials of a running function.
 */
export function defaultProvider(init?: Parameters<typeof fromEnv>[0]): ReturnType<typeof fromEnv> {
  const read = fromEnv(init);
  let credentials: ReturnType<typeof read> | undefined;
  return () => {
    credentials ??= read();
    return credentials;
  };
}
