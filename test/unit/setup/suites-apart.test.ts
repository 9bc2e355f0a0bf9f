/** Suites share a process, and still do not meet what another left. */
import { afterEach, expect, it } from '@jest/globals';
import { resolve } from '../../setup/module-hooks.mjs';
import ProcessEnvironment from '../../setup/process-environment.mjs';

afterEach(() => {
  delete process.env.LEFT_BY_A_SUITE;
});

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

it.each([
  ['a module of the project', 'file:///project/core/calls/call.ts', '?suite=7'],
  ['a dependency', 'file:///project/node_modules/zod/index.js', ''],
  ['a module of Node', 'node:fs', ''],
])('loads %s for each suite: %s%s', async (_, url, suite) => {
  const context = { parentURL: 'file:///project/test/unit/call.test.ts?suite=7' };
  const resolved = await resolve('./call', context, async () => ({ url }));
  expect(resolved.url).toBe(url + suite);
});
