// Runs the embedded DynamoDB in a thread of its own, so that its work does not block the gateway.
// Plain JavaScript: a worker thread starts without the TypeScript loader.
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { closeOnReturn } from './level-iterators.mjs';

const require = createRequire(import.meta.url);
const requireOfDynalite = createRequire(require.resolve('dynalite'));
const requireOfLevel = createRequire(requireOfDynalite.resolve('level'));
const dynalite = require('dynalite');

closeOnReturn(requireOfLevel('abstract-level'));

// dynalite throws the errors of its connections. A client that gives up, as the SDK does at a time-out, does not concern the
// store; any other error ends the thread and is reported.
process.on('uncaughtException', (error) => {
  if (error?.code === 'ECONNRESET' || error?.code === 'EPIPE' || error?.message === 'aborted') return;
  fail(error);
});

function fail(error) {
  const cause = error?.cause ?? error;
  parentPort.postMessage({ state: 'failed', code: cause?.code, message: String(cause?.message ?? cause) });
  setImmediate(() => process.exit(1));
}

/** dynalite opens its files at the first request and crashes when it cannot; opening them here first gives the reason. */
async function checkFiles(path) {
  const { Level } = requireOfDynalite('level');
  const files = new Level(path);
  await files.open();
  await files.close();
}

try {
  if (workerData.path !== undefined) await checkFiles(workerData.path);
  const server = dynalite({ path: workerData.path, createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => {
    parentPort.postMessage({ state: 'listening', port: server.address().port });
  });
  parentPort.once('message', () => {
    server.close(() => {
      parentPort.postMessage({ state: 'closed' });
      parentPort.close();
    });
    server.closeAllConnections();
  });
} catch (error) {
  fail(error);
}
