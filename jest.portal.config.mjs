// The pages in a real browser. It takes minutes and needs a browser, so `npm test` does not run it.
import { suite } from './test/setup/suite.mjs';

export default {
  projects: [
    suite('test/portal', {
      globalSetup: '<rootDir>/test/portal/global-setup.mjs',
      globalTeardown: '<rootDir>/test/portal/global-teardown.mjs',
    }),
  ],
  maxWorkers: 1,
  // Only a test that hangs should reach it, even on a slow machine.
  testTimeout: 600_000,
};
