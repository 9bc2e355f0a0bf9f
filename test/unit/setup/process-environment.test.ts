/** Suites share a process: what one changes of it is put back before the next. */
import { expect, it } from '@jest/globals';
import ProcessEnvironment from '../../setup/process-environment.mjs';

it('puts back the variables, the console and the exit of the process', async () => {
  const before = { env: { ...process.env }, console, exit: process.exit };
  const environment = new ProcessEnvironment({ projectConfig: {} });
  process.env.LEFT_BY_A_SUITE = 'left';
  process.env.PATH = 'changed';
  globalThis.console = { ...console };
  process.exit = () => undefined as never;
  await environment.teardown();
  expect({ ...process.env }).toEqual(before.env);
  expect(globalThis.console).toBe(before.console);
  expect(process.exit).toBe(before.exit);
});
