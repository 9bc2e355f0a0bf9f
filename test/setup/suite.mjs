// One folder of tests as a jest project.
export const suite = (name, { setupFilesAfterEnv = [], ...extra } = {}) => ({
  displayName: name,
  rootDir: '.',
  // Jest looks at every file below its roots before it starts.
  roots: [`<rootDir>/test/${name}`],
  testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
  testEnvironment: '<rootDir>/test/setup/process-environment.mjs',
  testRunner: '<rootDir>/test/setup/process-framework.mjs',
  // Node loads and compiles: `process-framework.mjs`.
  transform: {},
  setupFilesAfterEnv: ['<rootDir>/test/setup/byte-equality.mjs', ...setupFilesAfterEnv],
  ...extra,
});
