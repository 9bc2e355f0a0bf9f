/** Address and key of the stdio server, from its options and environment. */
import { parseArgs } from 'node:util';
import { VERSION } from './server.ts';

const USAGE = `Usage: port-congestion-mcp [options]

Serves the Port Congestion Data Service to an agent: MCP over standard input and output.

  --base-url URL   address of the API (default: PCD_BASE_URL, else http://127.0.0.1:3000)
  --version        print the version
  --help           this text

The API key is read from PCD_API_KEY only: other programs of this machine can read the arguments of a process.
`;

const DEFAULT_URL = 'http://127.0.0.1:3000';

/** What to print, or what to serve. */
type Settings = { readonly text: string } | { readonly baseUrl: string; readonly apiKey: string };

/** Throws a TypeError, whose message says what to do. */
export function readSettings(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Settings {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'base-url': { type: 'string' },
      version: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const { help, version, 'base-url': option } = values;
  if (help) return { text: USAGE };
  if (version) return { text: `${VERSION}\n` };
  const baseUrl = option ?? (environment.PCD_BASE_URL || DEFAULT_URL);
  if (!/^https?:\/\/[^/?#]/.test(baseUrl))
    throw new TypeError(
      `${option === undefined ? 'PCD_BASE_URL' : '--base-url'} must be an http or https address, not ${JSON.stringify(baseUrl)}`,
    );
  const apiKey = environment.PCD_API_KEY;
  if (!apiKey)
    throw new TypeError(
      'PCD_API_KEY is not set: set it to your API key; npm start prints the demo keys of a local service',
    );
  return { baseUrl, apiKey };
}
