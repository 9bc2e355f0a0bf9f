/** The last lines of a start: the address of the service, its demo keys, and example requests that return data. */

import { errorText, StartError } from '../local/start-error.ts';
import type { DemoKeys } from './demo-keys.ts';
import type { LocalService } from './local-service.ts';
import { MCP_PATH } from './mcp.ts';

const MOST_SUGGESTIONS = 3;
/** How many of these are about one port. */
const MOST_OF_A_PORT = 2;
/** How many ports are tried before the search ends without a suggestion. */
const MOST_PORTS_TRIED = 100;

type Host = Pick<LocalService, 'url' | 'keys'>;

/** TCP ports of other protocols, 6000 for example, to which browsers and `fetch` refuse to connect. */
const isBlockedPort = (thrown: unknown): boolean =>
  typeof thrown === 'object' &&
  thrown !== null &&
  'cause' in thrown &&
  errorText(thrown.cause) === 'bad port';

/** Whether the path returns 200 with more than an empty list or a header row, with the key without limits. */
async function hasData({ url, keys }: Host, path: string): Promise<boolean> {
  const reply = await fetch(`${url}${path}`, { headers: { 'X-API-Key': keys.bench } }).catch((thrown) => {
    if (!isBlockedPort(thrown)) throw thrown;
    const { port } = new URL(url);
    throw new StartError(`browsers refuse to connect to port ${port}: choose another with --port`);
  });
  const body = (await reply.text()).trim();
  if (reply.status !== 200) return false;
  return reply.headers.get('content-type')?.startsWith('text/csv') ? body.includes('\n') : body !== '[]';
}

/** Paths of one port that return data; of the first port with enough of them, else of the one with the most. */
async function pathsOfAPort(service: Host, ports: readonly string[]): Promise<string[]> {
  let most: string[] = [];
  for (const port of ports.slice(0, MOST_PORTS_TRIED)) {
    const found: string[] = [];
    for (const resource of ['snapshot', 'trend?window=7d&format=csv', 'dwell']) {
      const path = `/v1/ports/${port}/${resource}`;
      if (found.length < MOST_OF_A_PORT && (await hasData(service, path))) found.push(path);
    }
    if (found.length > most.length) most = found;
    if (most.length === MOST_OF_A_PORT) break;
  }
  return most;
}

/** Up to three paths that return data, those of a port first. */
async function suggestedPaths(service: Host, ports: readonly string[]): Promise<string[]> {
  const found = await pathsOfAPort(service, ports);
  for (const path of ['/v1/hs/85/imports', '/v1/meta/sources', '/v1/ports', '/v1/health'])
    if (found.length < MOST_SUGGESTIONS && (await hasData(service, path))) found.push(path);
  return found;
}

const KEY_NOTES: Readonly<Record<keyof DemoKeys, string>> = {
  demo: 'the shared demo key, on Starter',
  lite: 'on Lite: no beta endpoint',
  starter: 'on Starter',
  pro: 'on Pro',
  disabled: 'disabled: returns 403',
  unplanned: 'on no plan: returns 403',
  bench: 'for measurements: no limits',
};

/**
 * The lines that a start ends with, `ready` first. Throws `StartError` when the port is one that browsers refuse.
 * @param ports the ports of this start's sources, the most interesting first
 */
export async function readyLines(service: Host, ports: readonly string[]): Promise<string[]> {
  const paths = await suggestedPaths(service, ports);
  const { url, keys } = service;
  return [
    `ready ${url}`,
    '',
    `In a browser: ${url}/ for the explorer and the request builder, ${url}/docs/ for the documentation.`,
    `For an agent: claude mcp add --transport http port-congestion ${url}${MCP_PATH}`,
    '',
    'Demo keys:',
    ...Object.entries(keys).map(
      ([name, key]) => `  ${name.padEnd(10)}${key}  ${KEY_NOTES[name as keyof DemoKeys]}`,
    ),
    '',
    'Try:',
    ...paths.map((path) => `  curl -s -H 'X-API-Key: ${keys.demo}' '${url}${path}'`),
    '',
  ];
}
