/** Tries many requests in this process: through gateway and handlers, and events straight to the handlers. */
import fc from 'fast-check';
import { HEADERS } from '../../core/contracts/headers.ts';
import { splitTarget } from '../../local/gateway/proxy-event.ts';
import { gatewayEvent, INVOCATION } from '../builders/gateway-event.ts';
import { BUSY_PORT, SILENT_PORT } from '../builders/served-tables.ts';
import { hostileEvent } from './hostile-event.ts';
import { hostileRequest } from './hostile-request.ts';
import { logFaults, type RawResponse, refuseFaults, responseFaults } from './response-rules.ts';
import { handlersInProcess, openServiceInProcess } from './service-in-process.ts';

/** Count of each status. */
export type Tally = Map<number, number>;
export interface Runs {
  readonly runs: number;
  readonly seed: number;
}

export const count = (tally: Tally, status: number): Map<number, number> =>
  tally.set(status, (tally.get(status) ?? 0) + 1);

/** Runs `work` and returns its output. */
async function printedBy<T>(work: () => Promise<T>): Promise<{ result: T; printed: readonly string[] }> {
  const printed: string[] = [];
  const { write } = process.stdout;
  process.stdout.write = (chunk: string | Uint8Array) => printed.push(String(chunk)) > 0;
  try {
    return { result: await work(), printed };
  } finally {
    process.stdout.write = write;
  }
}

/** Throws when there was no log at all, because then nothing was tested. */
function refuseSilence(lines: number): void {
  if (lines === 0) throw new Error('no log line was seen');
}

/** One line a request at most, a 429 has its metric beside it, and each is as lines of the log must be. */
function printedFaults(
  status: number,
  printed: readonly string[],
  secrets: readonly string[],
): readonly string[] {
  const most = status === 429 ? 2 : 1;
  const many = printed.length > most ? [`${printed.length} log lines for one ${status}`] : [];
  return [...many, ...printed.flatMap((line) => logFaults(line, secrets))];
}

/** Requests through the gateway. Rejects with the smallest that fails, and with its seed and path. */
export async function tryRequests(assembly: string, { runs, seed }: Runs): Promise<Tally> {
  const service = await openServiceInProcess(assembly);
  const tally: Tally = new Map();
  let lines = 0;
  const words = {
    keys: service.keys,
    known: { UNLOCODE: [BUSY_PORT, SILENT_PORT, 'ZZZZZ'], code: ['8517', '77'] },
  };
  const property = fc.asyncProperty(hostileRequest(words), async (request) => {
    const { result, printed } = await printedBy(() => service.respond(request));
    count(tally, result.status);
    lines += printed.length;
    const sent = request.headers.map(([, value]) => value);
    const { path } = splitTarget(request.target);
    refuseFaults([
      ...responseFaults({ method: request.method, path, sent }, result),
      ...printedFaults(result.status, printed, [...service.keys, ...sent]),
    ]);
  });
  await fc.assert(property, { numRuns: runs, seed });
  refuseSilence(lines);
  return tally;
}

/** Events as no gateway would make them. */
export async function tryEvents({ runs, seed }: Runs): Promise<Tally> {
  const handlers = await handlersInProcess();
  const tally: Tally = new Map();
  let lines = 0;
  const property = fc.asyncProperty(hostileEvent, async ({ operation, ...parts }) => {
    const event = gatewayEvent(parts);
    const { result, printed } = await printedBy(() => handlers[operation](event, INVOCATION));
    const { statusCode: status, headers = {}, body } = result;
    count(tally, status);
    lines += printed.length;
    const flat = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
    const response: RawResponse = { status, headers: Object.fromEntries(flat), body };
    const { httpMethod: method, resource } = event;
    // An error to HEAD has a body here; the gateway leaves it out.
    const asSent = method === 'HEAD' ? { ...response, body: '' } : response;
    const sent = Object.values(parts.headers ?? {}).flat();
    const { requestId = '' } = parts;
    if (sent.includes(requestId) && response.headers[HEADERS.requestId] === requestId)
      throw new Error('an id from a header of the request was used');
    refuseFaults([
      ...responseFaults({ method, path: resource, sent }, asSent),
      ...printedFaults(status, printed, sent),
    ]);
  });
  await fc.assert(property, { numRuns: runs, seed });
  refuseSilence(lines);
  return tally;
}
