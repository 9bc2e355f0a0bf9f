/**
 * `node --import tsx test/emulated-deploy/emulated-deploy.ts PYTHON AWS`: a dev and a prod stage on MiniStack, from an empty
 * account to an empty account, by the commands that the operators' pages state. Exit 1 at the first difference from them.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { walkDev } from './dev-walk.ts';
import { startEmulator } from './emulator.ts';
import { walkProd } from './prod-walk.ts';
import { openSession } from './session.ts';
import { openAccount } from './stage.ts';

const [, , python, awsFolder] = process.argv;
if (python === undefined || awsFolder === undefined)
  throw new Error(
    'usage: emulated-deploy.ts PYTHON AWS (a Python with MiniStack installed, the folder of the AWS CLI)',
  );
const emulator = await startEmulator(python, awsFolder);
try {
  mkdirSync('cdk.out', { recursive: true });
  const account = openAccount(emulator.endpoint);
  const session = openSession(emulator);
  const dev = await walkDev(emulator, account, session);
  await walkProd(emulator, account, session, dev);
  assert.deepEqual(session.missing(), []);
} finally {
  await emulator.close();
}
