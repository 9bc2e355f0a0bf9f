/** The last lines of a start, once it is ready: where its pages are, its demo keys, and requests that return data. */

import * as z from 'zod/mini';
import { ApiError } from '../core/contracts/errors.ts';
import type { PortRecord } from '../core/contracts/ports.ts';
import type { Route } from '../core/contracts/route.ts';
import type { RequestHandler } from '../core/http/chain.ts';
import { addDays, DAY_MS } from '../core/reference/time.ts';
import { DEMO_KEYS, type DemoKeys } from './keys.ts';
import { MCP_PATH } from './mcp.ts';

interface Host {
  readonly url: string;
  readonly keys: DemoKeys;
}

type ListedPort = Pick<PortRecord, 'port' | 'name' | 'as_of' | 'first_day' | 'last_day'>;

/** Most ports that are named with their requests. Recorded replies end at each port on another day; elsewhere all are alike. */
const MAX_PORTS = { recorded: 10, current: 1 } as const;
/** Days of `waits` in one request, at most. */
const MAX_DAYS = 366;
const IMPORTS = ['/v1/hs/85/imports', '/v1/hs/94/imports'];

/** Asks with the key without limits. */
const ask = ({ url, keys }: Host, path: string): Promise<Response> =>
  fetch(`${url}${path}`, { headers: { 'X-API-Key': keys.bench } });

/** The paths that return more than an empty list. */
async function withData(host: Host, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const response = await ask(host, path);
    const body = (await response.text()).trim();
    if (response.status === 200 && body !== '[]') found.push(path);
  }
  return found;
}

/** What a port may have on the days that it was observed. */
function portPaths({ port, first_day: first, last_day: last }: ListedPort): string[] {
  const resource = `/v1/ports/${port}`;
  if (first === null || last === null) return [`${resource}/snapshot`];
  const earliest = addDays(last, 1 - MAX_DAYS);
  return [
    `${resource}/snapshot`,
    `${resource}/waits?from=${first > earliest ? first : earliest}&to=${last}`,
    `${resource}/dwell?until=${last}`,
    `${resource}/trend?window=30d&until=${last}`,
    `${resource}/alerts?days=30&until=${last}`,
  ];
}

const daysHeld = ({ first_day: first, last_day: last }: ListedPort): number =>
  first === null || last === null ? 0 : (Date.parse(last) - Date.parse(first)) / DAY_MS;

/** The newest first and of equally new ones the worst; before them, of recorded data, the port with most days. */
function orderOfUse(observed: readonly ListedPort[], isRecorded: boolean): readonly ListedPort[] {
  const newest = observed.toSorted((a, b) => (b.as_of ?? '').localeCompare(a.as_of ?? ''));
  const [longest] = isRecorded ? newest.toSorted((a, b) => daysHeld(b) - daysHeld(a)) : [];
  return longest === undefined ? newest : [longest, ...newest.filter((port) => port !== longest)];
}

/** Ports with figures and their requests; then the imports. */
async function requests(host: Host, isRecorded: boolean): Promise<string[]> {
  const maxPorts = isRecorded ? MAX_PORTS.recorded : MAX_PORTS.current;
  const curl = (path: string): string => `  curl -s -H 'X-API-Key: ${host.keys.demo}' '${host.url}${path}'`;
  const response = await ask(host, '/v1/ports?sort=-congestion_score');
  const listed = response.ok ? ((await response.json()) as ListedPort[]) : [];
  const observed = listed.filter((port) => port.as_of !== null);
  const lines: string[] = [];
  for (const port of orderOfUse(observed, isRecorded).slice(0, maxPorts))
    lines.push(
      `  ${port.name} (${port.port}), as of ${port.as_of}`,
      ...(await withData(host, portPaths(port))).map(curl),
    );
  const imports = await withData(host, IMPORTS);
  if (imports.length > 0) lines.push('  US imports by HS code', ...imports.map(curl));
  const more = Math.max(0, observed.length - maxPorts);
  if (listed.length > 0)
    lines.push(
      `  /v1/ports lists ${more} more ports with figures, ${listed.length - observed.length} without`,
    );
  return lines.length > 0 ? lines : [curl('/v1/health')];
}

/** Recorded data end at `recordedUntil`, ISO 8601. */
export async function readyLines(host: Host, recordedUntil?: string): Promise<string[]> {
  const { url, keys } = host;
  const found = await requests(host, recordedUntil !== undefined);
  const recorded = `Is this now? No: the service's clock started at ${recordedUntil}. The data are real, nothing is fetched, and nothing gets newer; npm start -- --live reads the present.`;
  return [
    '',
    `In a browser: ${url}/ for the explorer and the request builder, ${url}/docs/ for the documentation.`,
    `For an agent: claude mcp add --transport http port-congestion ${url}${MCP_PATH}`,
    '',
    'Demo keys:',
    ...Object.entries(keys).map(
      ([name, key]) => `  ${name.padEnd(10)}${key}  ${DEMO_KEYS[name as keyof DemoKeys].note}`,
    ),
    '',
    ...(recordedUntil === undefined ? [] : [recorded]),
    'Try:',
    ...found,
    '',
  ];
}

// Says how far a task is: at most one line for each tenth of it.

export type Progress = ReturnType<typeof createProgress>;

const PARTS = 10;

export function createProgress(output: Pick<NodeJS.WriteStream, 'write'>) {
  let task = { name: '', total: 1, shown: -1 };
  const line = (text: string): void => void output.write(`${text}\n`);
  return {
    line,
    /** Begins a task of `total` steps. */
    begin(name: string, total: number): void {
      task = { name, total, shown: -1 };
    },
    /** `done` steps are done; `label` names the next one. */
    step(done: number, label: string): void {
      const part = Math.floor((done * PARTS) / Math.max(task.total, 1));
      if (part === task.shown) return;
      task.shown = part;
      line(`${task.name}: ${done} of ${task.total}, ${label}`);
    },
  };
}

// On one machine another start may cover a port that this one does not: the hint of the 404 names it.

/** Ports by the command that covers them, as JSON. */
const OTHER_STARTS = z.record(z.string(), z.array(z.string()));

/** @param text the variable OTHER_STARTS; undefined where no other start is known */
export function withOtherStarts<R extends Route>(
  handler: RequestHandler<R>,
  text: string | undefined,
): RequestHandler<R> {
  if (text === undefined) return handler;
  const starts = Object.entries(OTHER_STARTS.parse(JSON.parse(text)));
  return async (request, notes) => {
    try {
      return await handler(request, notes);
    } catch (error) {
      const { UNLOCODE: port } = request.path as { readonly UNLOCODE?: string };
      const { as_of: knownOn } = request.query as { readonly as_of?: unknown };
      const commands = starts.filter(([, ports]) => port !== undefined && ports.includes(port));
      // Data that were not known on a past day do not call for another start.
      const isAbsent = error instanceof ApiError && error.code === 'not_found' && knownOn === undefined;
      if (!isAbsent || commands.length === 0) throw error;
      const others = commands.map(([command]) => command).join(' or ');
      throw new ApiError('not_found', error.message, { hint: `${error.hint} ${others} covers ${port}.` });
    }
  };
}
