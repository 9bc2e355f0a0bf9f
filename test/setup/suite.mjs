// One folder of tests as a jest project.
export const suite = (name, extra = {}) => ({
  displayName: name,
  rootDir: '.',
  testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/setup/typescript-transformer.mjs' },
  setupFiles: ['<rootDir>/test/setup/environment.mjs'],
  ...extra,
});
