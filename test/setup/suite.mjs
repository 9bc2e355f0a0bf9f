// One folder of tests as a jest project.
export const suite = (folder, { setupFilesAfterEnv = [], ...extra } = {}) => ({
  displayName: folder.replace('test/', ''),
  rootDir: '.',
  // Jest looks at every file below its roots before it starts.
  roots: [`<rootDir>/${folder}`],
  testMatch: [`<rootDir>/${folder}/**/*.test.ts`],
  testEnvironment: '<rootDir>/test/setup/process-environment.mjs',
  testRunner: '<rootDir>/test/setup/process-framework.mjs',
  // Node loads and compiles: `process-framework.mjs`.
  transform: {},
  setupFilesAfterEnv: ['<rootDir>/test/setup/byte-equality.mjs', ...setupFilesAfterEnv],
  ...extra,
});
