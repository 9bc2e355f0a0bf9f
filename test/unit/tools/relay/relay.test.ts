/** The relay against receivers that fail, are slow, or answer twice; signatures are checked by the verifier of the specification. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { alertFeedRoute } from '../../../../core/contracts/alerts.ts';
import type { PortAlert } from '../../../../packages/client/index.ts';
import { createRelay, type RelayOptions } from '../../../../tools/relay/relay.ts';

const SECRET = `whsec_${Buffer.alloc(24, 'secret').toString('base64')}`;
const [EXAMPLE] = alertFeedRoute.example;
const DAY = '2025-09-22';
const alertOf = (number: number, severity: PortAlert['severity'] = 'high'): PortAlert => ({
  ...EXAMPLE,
  id: `${DAY}.TWKHH.m${String.fromCharCode(97 + number)}.unusual`,
  severity,
});

interface Delivery {
  readonly headers: Record<string, string>;
  readonly body: string;
}
type Answer = (response: ServerResponse, request: IncomingMessage) => void;
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(code, headers).end();

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A receiver that answers its requests in turn, the last answer for ever. */
async function startReceiver(...answers: readonly [Answer, ...Answer[]]) {
  const deliveries: Delivery[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      deliveries.push({ headers: request.headers as Record<string, string>, body });
      answers[Math.min(deliveries.length, answers.length) - 1]?.(response, request);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { to: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, deliveries };
}

/** What the service has, newest first, and what it was asked. */
let alerts: PortAlert[];
let asked: Record<string, unknown>[];
let stateFile: string;
/** Added to the clock. */
let laterMs: number;
let lines: string[];
beforeEach(() => {
  alerts = [];
  asked = [];
  laterMs = 0;
  lines = [];
  stateFile = join(mkdtempSync(join(tmpdir(), 'relay-')), 'state.json');
});
const now = (): number => Date.now() + laterMs;

const client = {
  GET: async (path: string, { params }: { params?: { query: Record<string, unknown> } } = {}) => {
    if (path === '/v1/health') return { data: { status: 'ok', time: `${DAY}T12:00:00Z`, region: 'local' } };
    const query = params?.query ?? {};
    asked.push(query);
    const from = alerts.findIndex(({ id }) => id === query.after) + 1;
    return { data: alerts.slice(from, from + Number(query.limit)) };
  },
} as unknown as RelayOptions['client'];

const relayTo = (to: string, changes: Partial<RelayOptions> = {}) =>
  createRelay({
    ...{ client, to, secret: SECRET, stateFile, filters: {}, receiverMs: 10_000, now },
    report: (line) => lines.push(line),
    ...changes,
  });

/** Throws unless the signature is that of the body. */
const verified = ({ headers, body }: Delivery) =>
  new Webhook(SECRET).verify(body, headers) as { type: string; timestamp: string; data: PortAlert };

describe('new alerts', () => {
  it('are posted once, oldest first, signed as the specification says', async () => {
    const { to, deliveries } = await startReceiver(status(204));
    alerts = [alertOf(1), alertOf(0)];
    const relay = relayTo(to);
    await relay.poll();
    await relay.deliver();
    alerts = [alertOf(2), ...alerts];
    await relay.poll();
    await relay.deliver();
    await relay.deliver();
    expect(deliveries.map(verified)).toEqual(
      [0, 1, 2].map((number) => ({
        type: 'alert.raised',
        timestamp: EXAMPLE.as_of,
        data: alertOf(number),
      })),
    );
    expect(new Set(deliveries.map(({ headers }) => headers['webhook-id'])).size).toBe(3);
    expect(() =>
      new Webhook(SECRET).verify(`${deliveries[0]?.body} `, deliveries[0]?.headers ?? {}),
    ).toThrow();
    expect(relay.nextAt()).toBe(Number.POSITIVE_INFINITY);
  });

  it('are posted again when their severity changes, not when a figure does', async () => {
    const { to, deliveries } = await startReceiver(status(200));
    const relay = relayTo(to);
    for (const alert of [alertOf(0, 'medium'), { ...alertOf(0, 'medium'), change_pct: -0.5 }, alertOf(0)]) {
      alerts = [alert];
      await relay.poll();
      await relay.deliver();
    }
    expect(deliveries.map((delivery) => verified(delivery).data.severity)).toEqual(['medium', 'high']);
  });

  it('are asked for with the filters, page by page, from the first day on', async () => {
    const { to } = await startReceiver(status(200));
    alerts = Array.from({ length: 501 }, (_, index) => ({
      ...alertOf(0),
      id: `${DAY}.TWKHH.m.${'a'.repeat(1 + (index % 20))}${'b'.repeat(index / 20)}`,
    }));
    const relay = relayTo(to, { filters: { country: 'TW' }, since: '2025-09-01' });
    await relay.poll();
    expect(asked).toEqual([
      { country: 'TW', since: '2025-09-01', limit: 500, after: undefined },
      { country: 'TW', since: '2025-09-01', limit: 500, after: alerts[499]?.id },
    ]);
    expect(JSON.parse(readFileSync(stateFile, 'utf8')).pending).toHaveLength(501);
    // Later polls look back for alerts that late data raise.
    await relay.poll();
    expect(asked.at(-2)).toMatchObject({ since: '2025-09-16' });
  });

  it('are not repeated by a relay that starts with the state of an earlier one', async () => {
    const { to, deliveries } = await startReceiver(status(500), status(200));
    alerts = [alertOf(0)];
    const relay = relayTo(to);
    await relay.poll();
    await relay.deliver();
    laterMs = 6000;
    const next = relayTo(to);
    await next.poll();
    await next.deliver();
    await next.deliver();
    expect(deliveries).toHaveLength(2);
  });

  it('wait for a service that refuses the request: nothing is lost', async () => {
    const { to, deliveries } = await startReceiver(status(200));
    const refused = { GET: async (path: string) => ({ error: { message: path, hint: 'Try later.' } }) };
    const relay = relayTo(to, { client: refused as unknown as RelayOptions['client'] });
    await expect(relay.poll()).rejects.toThrow('the service does not say its time');
    await relay.deliver();
    expect(deliveries).toEqual([]);
  });
});

describe('a receiver', () => {
  it('that fails gets the same message again after the pauses of the specification', async () => {
    const { to, deliveries } = await startReceiver(
      status(500),
      status(302, { location: 'http://127.0.0.1:9/' }),
      status(200),
    );
    alerts = [alertOf(0)];
    const relay = relayTo(to);
    await relay.poll();
    await relay.deliver();
    await relay.deliver();
    expect(deliveries).toHaveLength(1);
    laterMs = 5500;
    await relay.deliver();
    expect(deliveries).toHaveLength(2);
    laterMs += 299_000;
    await relay.deliver();
    expect(deliveries).toHaveLength(2);
    laterMs += 32_000;
    await relay.deliver();
    expect(deliveries).toHaveLength(3);
    const [first, second, third] = deliveries;
    for (const again of [second, third]) {
      expect(again?.body).toBe(first?.body);
      expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    }
    expect([first, second].map((delivery) => verified(delivery as Delivery).data.id)).toEqual([
      alertOf(0).id,
      alertOf(0).id,
    ]);
    expect(lines.map((line) => line.replace(/^msg_\S+: /, '').replace(/\d+ s/, 'N s'))).toEqual([
      'status 500, again in N s',
      'status 302, again in N s',
      'delivered',
    ]);
  });

  it('that asks for a longer pause gets it', async () => {
    const { to, deliveries } = await startReceiver(status(429, { 'retry-after': '600' }), status(200));
    alerts = [alertOf(0)];
    const relay = relayTo(to);
    await relay.poll();
    await relay.deliver();
    laterMs = 590_000;
    await relay.deliver();
    expect(deliveries).toHaveLength(1);
    laterMs = 601_000;
    await relay.deliver();
    expect(deliveries).toHaveLength(2);
  });

  it('that never answers does not hold up the other messages, and gets its own again', async () => {
    const { to, deliveries } = await startReceiver(() => undefined, status(200));
    alerts = [alertOf(1), alertOf(0)];
    const relay = relayTo(to, { receiverMs: 3000 });
    await relay.poll();
    await relay.deliver();
    laterMs = 6000;
    await relay.deliver();
    expect(deliveries.map((delivery) => verified(delivery).data.id)).toEqual(
      [0, 1, 0].map((number) => alertOf(number).id),
    );
    expect(deliveries[2]?.headers['webhook-id']).toBe(deliveries[0]?.headers['webhook-id']);
  });

  it('that answers twice has got the message, and gets the next one', async () => {
    const bodies: string[] = [];
    const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
    const server = createSocketServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        bodies.push(...(/"id":"[^"]+"/.exec(data.toString()) ?? []));
        socket.write(answer + answer);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => server.close());
    alerts = [alertOf(1), alertOf(0)];
    const relay = relayTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await relay.poll();
    await relay.deliver();
    laterMs = 6000;
    await relay.deliver();
    expect([...new Set(bodies)]).toEqual([0, 1].map((number) => `"id":"${alertOf(number).id}"`));
    expect(relay.nextAt()).toBe(Number.POSITIVE_INFINITY);
  });

  it('that fails for three days loses the message after ten attempts', async () => {
    const { to, deliveries } = await startReceiver(status(503));
    alerts = [alertOf(0)];
    const relay = relayTo(to);
    await relay.poll();
    for (let hour = 0; hour < 100; hour += 1) {
      await relay.deliver();
      laterMs = Math.max(laterMs, relay.nextAt() - Date.now());
    }
    expect(deliveries).toHaveLength(10);
    expect(lines.at(-1)).toMatch(/^msg_\S+: status 503, given up$/);
  });

  it('that is gone ends the relay', async () => {
    const { to } = await startReceiver(status(410));
    alerts = [alertOf(0)];
    const relay = relayTo(to);
    await relay.poll();
    await expect(relay.deliver()).rejects.toThrow('is gone (410)');
  });
});

it.each([['a secret'], ['whsec_'], ['whsec_c2hvcnQ='], [`whsec_${'a'.repeat(100)}`]])(
  'refuses %s as a secret',
  (secret) => {
    expect(() => relayTo('http://127.0.0.1:9/', { secret })).toThrow('the secret must be whsec_');
  },
);

it('says what to do about a damaged state', () => {
  writeFileSync(stateFile, '{"since"');
  expect(() => relayTo('http://127.0.0.1:9/')).toThrow('without it, alerts are posted from today on');
});
