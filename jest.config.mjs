// TEST_EXTENT: `all` runs in full what `npm test` takes a slice of; `portal` runs the pages in a real browser, for minutes, alone.
import { suite } from './test/setup/suite.mjs';

const isPortal = process.env.TEST_EXTENT === 'portal';

const suites = [
  ...['test/unit', 'test/store', 'test/sources', 'test/architecture', 'studies'].map((folder) =>
    suite(folder),
  ),
  suite('test/infra', { globalSetup: '<rootDir>/test/infra/global-setup.mjs' }),
  suite('test/conformance', {
    setupFilesAfterEnv: ['<rootDir>/test/conformance/filled-service.mjs'],
    globalSetup: '<rootDir>/test/conformance/global-setup.mjs',
    globalTeardown: '<rootDir>/test/conformance/global-teardown.mjs',
  }),
];

const portal = suite('test/portal', {
  globalSetup: '<rootDir>/test/portal/global-setup.mjs',
  globalTeardown: '<rootDir>/test/portal/global-teardown.mjs',
});

export default {
  projects: isPortal ? [portal] : suites,
  // All cores: the default leaves one idle, which on two is half of them.
  maxWorkers: isPortal ? 1 : '100%',
  // The modules of a suite stay in memory after it.
  workerIdleMemoryLimit: '1GB',
  testSequencer: '<rootDir>/test/setup/long-suites-first.mjs',
  // `npm run coverage` adds the lines up by room.
  coverageProvider: 'v8',
  coverageReporters: ['json-summary'],
  // Commands run in processes of their own, which are not counted, and generated types never run.
  collectCoverageFrom: [
    ...['core', 'lambdas', 'lib', 'local', 'packages', 'portal', 'tools'].map(
      (folder) => `${folder}/**/*.ts`,
    ),
    '!packages/client/api.ts',
  ],
  // Only a test that hangs should reach it, even on a slow machine.
  testTimeout: 600_000,
};
