/**
 * Lambda passes credentials only in the environment. Function builds substitute this for the SDK's default chain, whose other
 * providers make up two fifths of the client's size.
 */
import { fromEnv } from '@aws-sdk/credential-provider-env';

/** In the form of the SDK's own. It reads once, because Lambda never changes the credentials of a running function. */
export function defaultProvider(init?: Parameters<typeof fromEnv>[0]): ReturnType<typeof fromEnv> {
  const read = fromEnv(init);
  let credentials: ReturnType<typeof read> | undefined;
  return () => {
    credentials ??= read();
    return credentials;
  };
}
