// Runs the embedded DynamoDB in a thread of its own, so that its work does not block the gateway.
// Plain JavaScript: a worker thread starts without the TypeScript loader.
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { closeOnReturn } from './level-iterators.mjs';

const { path, outOfSpace, retryMs } = workerData;
/** Part of the address, so that only the parent process can send a request. */
const secret = randomBytes(16).toString('hex');

const require = createRequire(import.meta.url);
const requireOfDynalite = createRequire(require.resolve('dynalite'));
const requireOfLevel = createRequire(requireOfDynalite.resolve('level'));
const dynalite = require('dynalite');
const database = requireOfDynalite('./db');

closeOnReturn(requireOfLevel('abstract-level'));

/** dynalite keeps its files to itself; a store that is full has to be closed and opened again. */
let files;
const { create } = database;
database.create = (options) => {
  files = create(options);
  return files;
};

/** @type {'opening' | 'open' | 'full' | 'closing'} */
let phase = 'opening';
let handle;
const pending = new Set();

// dynalite throws the errors of its connections and files. A client that gives up, as the SDK does at a time-out, does not
// concern the store; any other error but a full disk ends the thread and is reported.
process.on('uncaughtException', (error) => {
  if (error?.code === 'ECONNRESET' || error?.code === 'EPIPE' || error?.message === 'aborted') return;
  const isFull = outOfSpace.test(messageOf(error));
  if (isFull && phase === 'open') waitForSpace(error);
  // The other operations of the same moment fail after the first, and those under way when the files are closed.
  else if (phase !== 'full') fail(error);
});

const messageOf = (error) => String(error?.cause?.message ?? error?.message ?? error);

function fail(error) {
  const cause = error?.cause ?? error;
  parentPort.postMessage({ state: 'failed', code: cause?.code, message: messageOf(error) });
  setImmediate(() => process.exit(1));
}

/** The reply of DynamoDB to a request that it cannot serve now. */
function refuse(response) {
  if (response.headersSent) return;
  const body =
    '{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"The disk is full"}';
  response.writeHead(500, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
}

/** After a write that failed in part, later ones could be lost: the files are closed and opened again, and requests refused meanwhile. */
async function waitForSpace(error) {
  phase = 'full';
  parentPort.postMessage({ state: 'full', message: messageOf(error) });
  for (const response of pending) refuse(response);
  await files.lifecycleManager.forceClose().catch(() => undefined);
  while (phase === 'full') {
    await delay(retryMs);
    try {
      if (phase === 'full') await checkFiles();
      break;
    } catch (thrown) {
      if (!outOfSpace.test(messageOf(thrown))) return fail(thrown);
    }
  }
  if (phase !== 'full') return;
  openFiles();
  phase = 'open';
  parentPort.postMessage({ state: 'open' });
}

/** Less free space than this fills up with the next requests. */
const PROBE = Buffer.alloc(1024 * 1024);

/** dynalite opens its files at the first request and crashes when it cannot; opening them here first gives the reason. */
async function checkFiles() {
  const { Level } = requireOfDynalite('level');
  const probe = join(path, 'probe');
  try {
    writeFileSync(probe, PROBE);
  } finally {
    rmSync(probe, { force: true });
  }
  const level = new Level(path);
  await level.open();
  await level.close();
}

function openFiles() {
  const server = dynalite({ path, createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  [handle] = server.listeners('request');
}

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;

/**
 * Whether a request comes from no web page, names a loopback host, and knows the secret that begins the path: any program of this machine
 * can connect to a loopback port, and any page in the operator's browser can send a request to it.
 */
function isOwnRequest({ headers, url = '' }) {
  const [, first = ''] = url.split(/[/?]/, 2);
  return headers.origin === undefined && LOOPBACK.test(String(headers.host ?? '')) && first === secret;
}

/** Writes of whole rows, as of keys; counters are updated. Who keeps rows in memory learns of it before the writer does. */
const ROWS = /\.(?:Put|Delete|BatchWrite)Item$/;

function respond(request, response) {
  if (!isOwnRequest(request)) return response.writeHead(403).end();
  if (phase !== 'open') return refuse(response);
  pending.add(response);
  response.on('close', () => pending.delete(response));
  if (ROWS.test(String(request.headers['x-amz-target']))) {
    const end = response.end.bind(response);
    response.end = (...body) => {
      parentPort.postMessage({ state: 'written' });
      return end(...body);
    };
  }
  handle(request, response);
}

async function close(server) {
  const isClean = phase === 'open';
  phase = 'closing';
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
  if (isClean) await files.lifecycleManager.gracefulClose();
  parentPort.postMessage({ state: 'closed', isClean });
  parentPort.close();
}

try {
  if (path !== undefined) await checkFiles();
  openFiles();
  const server = createServer(respond);
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => {
    phase = 'open';
    parentPort.postMessage({
      state: 'listening',
      endpoint: `http://127.0.0.1:${server.address().port}/${secret}`,
    });
  });
  parentPort.once('message', () => close(server).catch(fail));
} catch (error) {
  fail(error);
}
