/** The last lines of a start: the address of the service, its demo keys, and example requests that return data. */

import { DAY_MS, dayOf, startOfDay } from '../../core/reference/time.ts';
import { errorText, StartError } from '../start-error.ts';
import type { DemoKeys } from './demo-keys.ts';
import type { LocalService } from './local-service.ts';
import { MCP_PATH } from './mcp.ts';

const MAX_SUGGESTIONS = 3;
/** How many of these are about one port. */
const MAX_OF_A_PORT = 2;
/** How many ports are tried before the search ends without a suggestion. */
const MAX_PORTS_TRIED = 100;

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
  for (const port of ports.slice(0, MAX_PORTS_TRIED)) {
    const found: string[] = [];
    for (const resource of ['snapshot', 'trend?window=7d&format=csv', 'dwell']) {
      const path = `/v1/ports/${port}/${resource}`;
      if (found.length < MAX_OF_A_PORT && (await hasData(service, path))) found.push(path);
    }
    if (found.length > most.length) most = found;
    if (most.length === MAX_OF_A_PORT) break;
  }
  return most;
}

/** Up to three paths that return data, those of a port first. */
async function suggestedPaths(service: Host, ports: readonly string[]): Promise<string[]> {
  const found = await pathsOfAPort(service, ports);
  for (const path of ['/v1/hs/85/imports', '/v1/meta/sources', '/v1/ports', '/v1/health'])
    if (found.length < MAX_SUGGESTIONS && (await hasData(service, path))) found.push(path);
  return found;
}

const KEY_NOTES: Readonly<Record<keyof DemoKeys, string>> = {
  demo: 'the shared demo key, on Starter',
  lite: 'on Lite: no waits, forecast or imports',
  starter: 'on Starter',
  pro: 'on Pro',
  disabled: 'disabled: returns 403',
  unplanned: 'not assigned to a plan: returns 403',
  bench: 'for measurements: no limits',
};

/** A port record as `/v1/ports` returns it, the part that is used here. */
interface ListedPort {
  readonly port: string;
  readonly name: string;
  readonly as_of: string | null;
  readonly first_day: string | null;
  readonly last_day: string | null;
}

/** Ports whose paths are tried one by one. */
const MAX_LISTED = 10;
/** Days of `waits` in one request, at most. */
const MAX_DAYS = 366;

/** The paths of a port that may have something on the days that it was observed. */
function suggestPaths({ port, first_day: first, last_day: last }: ListedPort): string[] {
  if (first === null || last === null) return [`/v1/ports/${port}/snapshot`];
  const from = [first, dayOf(startOfDay(last) - (MAX_DAYS - 1) * DAY_MS)].toSorted().at(-1);
  return [
    `/v1/ports/${port}/snapshot`,
    `/v1/ports/${port}/waits?from=${from}&to=${last}`,
    `/v1/ports/${port}/dwell?until=${last}`,
    `/v1/ports/${port}/trend?window=30d&until=${last}`,
    `/v1/ports/${port}/alerts?days=30&until=${last}`,
  ];
}

/** What recorded replies have: a line for each port with data, newest first, and a path for everything that it has. */
async function recordedPaths(service: Host): Promise<(readonly [note: string, paths: readonly string[]])[]> {
  const { url, keys } = service;
  const withData = async (paths: readonly string[]): Promise<string[]> => {
    const found: string[] = [];
    for (const path of paths) if (await hasData(service, path)) found.push(path);
    return found;
  };
  if (!(await hasData(service, '/v1/ports'))) return [];
  const reply = await fetch(`${url}/v1/ports`, { headers: { 'X-API-Key': keys.bench } });
  const listed = (await reply.json()) as ListedPort[];
  const ports = listed.filter((port) => port.as_of !== null);
  const lines: [string, string[]][] = [];
  const newest = ports.toSorted((a, b) => (b.as_of ?? '').localeCompare(a.as_of ?? ''));
  for (const port of newest.slice(0, MAX_LISTED))
    lines.push([`${port.name} (${port.port}), as of ${port.as_of}`, await withData(suggestPaths(port))]);
  const imports = await withData(['/v1/hs/85/imports', '/v1/hs/94/imports']);
  if (imports.length > 0) lines.push(['US imports by HS code', imports]);
  const empty = listed.length - ports.length;
  if (ports.length > MAX_LISTED)
    lines.push([`${ports.length - MAX_LISTED} more ports with figures (/v1/ports)`, []]);
  if (empty > 0) lines.push([`no recorded call: ${empty} more ports of these sources (/v1/ports)`, []]);
  return lines;
}

const curl = ({ url, keys }: Host, path: string): string =>
  `  curl -s -H 'X-API-Key: ${keys.demo}' '${url}${path}'`;

/**
 * The lines that a start ends with, `ready` first. Throws `StartError` when the port is one that browsers refuse.
 * @param ports the ports of this start's sources, the most interesting first
 */
export async function readyLines(service: Host, ports: readonly string[]): Promise<string[]> {
  const paths = await suggestedPaths(service, ports);
  return [...beginning(service), 'Try:', ...paths.map((path) => curl(service, path)), ''];
}

/**
 * The same for a service of recorded replies, with everything that they have.
 * @param until time that the clock started at, ISO 8601
 */
export async function recordedLines(service: Host, until: string): Promise<string[]> {
  const recorded = await recordedPaths(service);
  return [
    ...beginning(service),
    `RECORDED DATA up to ${until}: nothing is simulated here, and nothing is fetched, so nothing gets newer. Try:`,
    ...recorded.flatMap(([note, paths]) => ['', `  ${note}`, ...paths.map((path) => curl(service, path))]),
    '',
  ];
}

function beginning({ url, keys }: Host): string[] {
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
  ];
}
