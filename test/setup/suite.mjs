// One folder of tests as a jest project.
export const suite = (name, extra = {}) => ({
  displayName: name,
  rootDir: '.',
  testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.(ts|mjs|js)$': '<rootDir>/test/setup/typescript-transformer.mjs' },
  transformIgnorePatterns: ['/node_modules/(?!(luxon|fast-xml-parser|path-expression-matcher)/)'],
  setupFiles: ['<rootDir>/test/setup/environment.mjs'],
  setupFilesAfterEnv: ['<rootDir>/test/setup/byte-equality.mjs'],
  ...extra,
});
