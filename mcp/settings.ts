/** Address and key of the stdio server, from its options and environment. */
import { parseArgs } from 'node:util';

export const USAGE = `Usage: port-congestion-mcp [options]

Serves the Port Congestion Data Service to an agent: MCP over standard input and output.

  --base-url URL   address of the API (default: PCD_BASE_URL, else http://127.0.0.1:3000)
  --version        print the version
  --help           this text

The API key is read from PCD_API_KEY only: other programs of this machine can read the arguments of a process.
`;

const DEFAULT_URL = 'http://127.0.0.1:3000';

/** A setting is missing or wrong; the message is one line that says what to do. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

type Settings =
  | { readonly action: 'help' | 'version' }
  | { readonly action: 'serve'; readonly baseUrl: string; readonly apiKey: string };

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        'base-url': { type: 'string' },
        version: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (thrown) {
    const [fault = ''] = (thrown as Error).message.split(/\. To specify|\n/, 1);
    throw new SettingsError(`${fault} (--help lists the options)`);
  }
}

/** Throws `SettingsError`. */
export function readSettings(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Settings {
  const { help, version, 'base-url': option } = parsed(args);
  if (help) return { action: 'help' };
  if (version) return { action: 'version' };
  const baseUrl = option ?? (environment.PCD_BASE_URL || DEFAULT_URL);
  if (!/^https?:\/\/[^/?#]/.test(baseUrl))
    throw new SettingsError(
      `${option === undefined ? 'PCD_BASE_URL' : '--base-url'} must be an http or https address, not ${JSON.stringify(baseUrl)}`,
    );
  const apiKey = environment.PCD_API_KEY;
  if (!apiKey)
    throw new SettingsError(
      'PCD_API_KEY is not set: set it to your API key; npm start prints the demo keys of a local service',
    );
  return { action: 'serve', baseUrl, apiKey };
}
