import { mkdirSync, mkdtempSync, rmSync, watch, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { startRestarts } from '../../../../tools/dev/restarts.ts';

/** Tells a server what it was started with, sends `ready` when the server says so, and lives until SIGTERM. */
const PROGRAM = `
const socket = require('node:net').connect(Number(process.argv[2]), '127.0.0.1');
socket.write(process.argv[3] + '\\n');
socket.on('data', (word) => word == 'end' ? process.exit(1) : process.send('ready', () => socket.write('sent\\n')));
`;

let root: string;
let lines: string[];
let waiting: (() => void) | undefined;
let socket: Socket;
let running: ReturnType<typeof startRestarts>;
const server = createServer((opened) => {
  socket = opened;
  opened.on('data', (text) => add(...`${text}`.trim().split('\n')));
  opened.on('error', () => undefined);
});

function add(...added: string[]): void {
  lines.push(...added);
  waiting?.();
}

/** The next line that the program or the supervisor states. */
async function next(): Promise<string> {
  while (lines.length === 0)
    await new Promise<void>((resolve) => {
      waiting = resolve;
    });
  return lines.shift() ?? '';
}

beforeEach(async () => {
  lines = [];
  root = mkdtempSync(join(tmpdir(), 'restarts-'));
  for (const folder of ['core', 'core/deep', 'core/dist']) mkdirSync(join(root, folder));
  writeFileSync(join(root, 'program.cjs'), PROGRAM);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  running = startRestarts({
    root,
    folders: ['core'],
    command: (filled) => [join(root, 'program.cjs'), String(port), filled ? 'filled' : 'empty'],
    report: add,
  });
});

afterEach(async () => {
  await running.close();
  await new Promise((resolve) => server.close(resolve));
  rmSync(root, { recursive: true });
});

const change = (path: string): void => writeFileSync(join(root, path), String(Math.random()));

it('starts the program again after a change, as filled only once it was ready', async () => {
  expect(await next()).toBe('empty');
  change('core/deep/a.ts');
  expect([await next(), await next()]).toEqual(['core/deep/a.ts has changed', 'empty']);
  socket.write('ready');
  expect(await next()).toBe('sent');
  change('core/b.ts');
  expect([await next(), await next()]).toEqual(['core/b.ts has changed', 'filled']);
});

it('waits for a change after the program has failed', async () => {
  expect(await next()).toBe('empty');
  socket.write('end');
  expect(await next()).toBe('the service has ended; it starts again after a change');
  change('core/a.ts');
  expect([await next(), await next()]).toEqual(['core/a.ts has changed', 'empty']);
});

it('passes over builds', async () => {
  expect(await next()).toBe('empty');
  const seen = new Promise((resolve) => {
    const watcher = watch(join(root, 'core/dist'), () => {
      watcher.close();
      resolve(undefined);
    });
  });
  change('core/dist/a.js');
  await seen;
  change('core/a.ts');
  expect(await next()).toBe('core/a.ts has changed');
});
