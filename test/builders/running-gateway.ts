/** The gateway of one machine over functions of a test, on a free port, with a clock that the test sets. */
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type AccessTier,
  encodeContext,
  type KeyRow,
  keyContext,
  keyDigest,
} from '../../core/access/keys.ts';
import { OPERATION_IDS, type OperationId } from '../../core/contracts/routes.ts';
import type { GatewayHandler } from '../../core/http/chain.ts';
import { createGateway, type GatewayOptions, serveGateway } from '../../local/gateway.ts';
import { keyRow, openUsage } from '../../local/keys.ts';
import { type Sent, sendTo } from './loopback.ts';

export type TestGateway = Awaited<ReturnType<typeof startTestGateway>>;

/** Responds with the event; the value of the path's parameter selects special cases. */
const echo: GatewayHandler = async (event) => {
  const id = event.pathParameters?.UNLOCODE;
  if (id === 'throw') throw new Error('secret inside');
  if (id === 'hang') return new Promise(() => undefined);
  if (id === 'slow') await delay(50);
  if (id === 'unchanged') return { statusCode: 304, headers: { ETag: '"a"' }, body: '' };
  if (id === 'forbidden') return { statusCode: 403, headers: {}, body: '{}' };
  const body = JSON.stringify(event);
  if (event.httpMethod !== 'HEAD')
    return { statusCode: 200, headers: { 'Content-Type': 'application/json' }, body };
  return { statusCode: 200, headers: { 'Content-Length': String(body.length) }, body: '' };
};

const HANDLERS = Object.fromEntries(OPERATION_IDS.map((id): [OperationId, GatewayHandler] => [id, echo]));

interface TestOptions extends Partial<Pick<GatewayOptions, 'functionMs' | 'integrationMs'>> {
  readonly hosts?: readonly string[];
}

export async function startTestGateway({ hosts, ...limits }: TestOptions = {}) {
  const clock = { now: Date.UTC(2026, 2, 1, 12) };
  const now = (): number => clock.now;
  const reports: string[] = [];
  const rows = new Map<string, KeyRow>();
  /** Secrets that were looked up. */
  const checks: string[] = [];
  const usage = openUsage(undefined);
  const gateway = createGateway({
    handlers: HANDLERS as Record<OperationId, GatewayHandler>,
    async checkKey(secret) {
      checks.push(secret);
      if (secret === 'broken') throw new Error('store down');
      if (secret === 'malformed') return undefined;
      const row = rows.get(secret);
      const known = row ?? { digest: keyDigest(secret), keyId: '', name: '', enabled: false };
      return { row, context: encodeContext(keyContext(known), now()) };
    },
    usage,
    now,
    settings: { corsOrigins: [] },
    functionMs: 1000,
    integrationMs: 29_000,
    ...limits,
    report: (line) => reports.push(line),
  });
  const server = await serveGateway(gateway, { port: 0, ...(hosts && { hosts }) });
  const port = Number(new URL(server.url).port);
  return {
    port,
    clock,
    usage,
    checks,
    /** What was reported to the operator. */
    reports,
    forgetKeys: gateway.forgetKeys,
    /** Makes a key on the plan of a tier, or on none; or changes the one of that name. */
    key(name: string, tier?: AccessTier, change: Partial<KeyRow> = {}): string {
      rows.set(name, { ...keyRow(name, name, tier, now), ...change });
      return name;
    },
    rowOf: (name: string) => rows.get(name) as KeyRow,
    send: (path: string, options?: Sent) => sendTo(port, path, options),
    /** Bytes as they are, on a connection of their own; resolves with everything that came back. */
    raw: (bytes: string) =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
        let text = '';
        socket.setEncoding('utf8');
        socket.on('data', (chunk) => {
          text += chunk;
        });
        socket.on('error', reject);
        socket.on('close', () => resolve(text));
      }),
    close: server.close,
  };
}
