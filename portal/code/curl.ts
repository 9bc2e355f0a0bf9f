/** A built request as a curl command. The key comes from the environment, never from the page. */
import { KEY_HEADER } from '../../core/contracts/headers.ts';
import type { BuiltRequest } from '../request/built-request.ts';

/** Name of the environment variable with the key in all examples. */
export const KEY_VARIABLE = 'PCD_API_KEY';

/** A quoted word for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export function curlCode(request: BuiltRequest, baseUrl: string): string {
  const key = request.authenticated ? `  -H "${KEY_HEADER}: $${KEY_VARIABLE}" \\\n` : '';
  return `curl --silent --show-error --fail-with-body \\\n${key}  ${quoted(baseUrl + request.path)}\n`;
}
