// The pages in a real browser: minutes, and a browser, that `npm test` does without.
import { suite } from './test/setup/suite.mjs';

export default {
  projects: [
    suite('portal', {
      globalSetup: '<rootDir>/test/portal/global-setup.mjs',
      globalTeardown: '<rootDir>/test/portal/global-teardown.mjs',
    }),
  ],
  maxWorkers: 1,
  // Only a test that hangs may meet it, on however slow a machine.
  testTimeout: 600_000,
};
