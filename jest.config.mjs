import { suite } from './test/setup/suite.mjs';

export default {
  projects: [
    ...['test/unit', 'test/store', 'test/sources', 'test/architecture', 'studies'].map((name) => suite(name)),
    suite('test/infra', { globalSetup: '<rootDir>/test/infra/global-setup.mjs' }),
    suite('test/conformance', {
      setupFilesAfterEnv: ['<rootDir>/test/conformance/filled-service.mjs'],
      globalSetup: '<rootDir>/test/conformance/global-setup.mjs',
      globalTeardown: '<rootDir>/test/conformance/global-teardown.mjs',
    }),
  ],
  // All cores: the default leaves one idle, which on two is half of them.
  maxWorkers: '100%',
  // The modules of a suite stay in memory after it.
  workerIdleMemoryLimit: '1GB',
  testSequencer: '<rootDir>/test/setup/long-suites-first.mjs',
  // Only a test that hangs should reach it, even on a slow machine.
  testTimeout: 600_000,
};
