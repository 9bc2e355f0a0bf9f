// One folder of tests as a jest project.
export const suite = (name, extra = {}) => ({
  displayName: name,
  rootDir: '.',
  testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
  testEnvironment: '<rootDir>/test/setup/process-environment.mjs',
  testRunner: '<rootDir>/test/setup/process-framework.mjs',
  setupFilesAfterEnv: ['<rootDir>/test/setup/byte-equality.mjs'],
  // Node loads and compiles: `test/setup/module-hooks.mjs`.
  transform: {},
  ...extra,
});
