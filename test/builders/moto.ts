/** moto's server, an independent emulator of AWS, where it is installed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { listening } from './loopback.ts';

const PYTHON = process.platform === 'win32' ? 'python' : 'python3';
const FIND = 'import importlib.util as u, sys; sys.exit(not all(u.find_spec(m) for m in ("moto", "flask")))';

/** Why moto cannot be used here; undefined when it can. */
export function motoMissing(): string | undefined {
  const { status, error } = spawnSync(PYTHON, ['-c', FIND], { timeout: 10_000 });
  if (error !== undefined) return `${PYTHON} is not installed`;
  return status === 0 ? undefined : 'moto[server] is not installed for python3';
}

async function freePort(): Promise<number> {
  const { port, close } = await listening(createServer());
  await close();
  return port;
}

/** Tenths of a second. */
const MAX_START_TRIES = 400;

export interface Moto {
  readonly endpoint: string;
  close(): Promise<void>;
}

const isReachable = async (endpoint: string): Promise<boolean> =>
  fetch(`${endpoint}/moto-api/`).then(
    ({ ok }) => ok,
    () => false,
  );

export async function startMoto(): Promise<Moto> {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const child: ChildProcess = spawn(PYTHON, ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], {
    stdio: 'ignore',
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  for (let tries = 0; !(await isReachable(endpoint)); tries += 1) {
    if (tries >= MAX_START_TRIES) child.kill();
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('moto did not start');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    endpoint,
    async close() {
      child.kill();
      await ended;
    },
  };
}
