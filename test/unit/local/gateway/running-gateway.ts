/** A gateway over a small assembly, on a free port, with keys and a clock that the test sets. */
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { loadFunctions } from '../../../../local/functions/functions.ts';
import { createGateway } from '../../../../local/gateway/gateway.ts';
import { serveGateway } from '../../../../local/gateway/gateway-server.ts';
import { openUsagePlans, type UsagePlans } from '../../../../local/gateway/usage-plans.ts';
import { type ControlPlane, openControlPlane } from '../../../../local/keys/control-plane.ts';
import { readServiceModel } from '../../../../local/template/service-model.ts';
import { type AssemblyOptions, writeAssembly } from '../../../builders/assembly.ts';
import { type Reply, type Sent, sendTo } from '../../../builders/loopback.ts';

export const discarded = new Writable({ write: (_chunk, _encoding, done) => done() });

export interface TestGateway {
  readonly url: string;
  readonly port: number;
  readonly clock: { now: number };
  readonly controlPlane: ControlPlane;
  readonly usagePlans: UsagePlans;
  /** What was reported to the operator. */
  readonly reports: string[];
  send(path: string, options?: Sent): Promise<Reply>;
  /** Bytes as they are, on a connection of their own; resolves with everything that came back. */
  raw(bytes: string): Promise<string>;
  close(): Promise<void>;
}

/** A key that the test authorizer lets in; `name` makes it unique. */
const goodKey = (name: string): string => `good${name}`.padEnd(32, '0');

export async function startTestGateway(options: AssemblyOptions = {}): Promise<TestGateway> {
  const model = readServiceModel(writeAssembly(options));
  const clock = { now: Date.UTC(2026, 2, 1, 12) };
  const reports: string[] = [];
  const now = (): number => clock.now;
  const controlPlane = openControlPlane(undefined, model.plans, now);
  const usagePlans = openUsagePlans(undefined);
  const invokerOf = loadFunctions(model.functions, { environment: { MARK: 'here' }, log: discarded }, 1);
  const gateway = createGateway({
    model,
    invoke: invokerOf,
    controlPlane,
    usagePlans,
    now,
    report: (line) => reports.push(line),
  });
  const server = await serveGateway(gateway, 0);
  const port = Number(new URL(server.url).port);
  return {
    url: server.url,
    port,
    clock,
    controlPlane,
    usagePlans,
    reports,
    send: (path, options) => sendTo(port, path, options),
    raw: (bytes) =>
      new Promise((resolve, reject) => {
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

/** Puts a good key on the plan of that name. */
export function keyOnPlan(gateway: TestGateway, plan: string, name = plan): string {
  const value = goodKey(name);
  const key = gateway.controlPlane.createKey({ name, value });
  const found = gateway.controlPlane.listPlans().find((candidate) => candidate.name === plan);
  gateway.controlPlane.addToPlan(found?.id ?? '', key.id);
  return value;
}
