// One folder of tests as a jest project.
import { argv } from 'node:process';

const CODE = ['bin', 'core', 'lambdas', 'lib', 'local', 'packages', 'portal', 'studies', 'test', 'tools'];
/** Jest runs the tests that a change concerns. */
export const isByChange = argv.some((option) =>
  /^(?:-o|--(?:watch|only-?changed|changed-?since|find-?related-?tests))/i.test(option),
);

export const suite = (folder, { setupFilesAfterEnv = [], ...extra } = {}) => ({
  displayName: folder.replace('test/', ''),
  rootDir: '.',
  // Jest looks at every file below its roots before it starts: at all code to know what a change concerns, or what no test runs.
  roots: (isByChange || argv.includes('--coverage') ? CODE : [folder]).map((root) => `<rootDir>/${root}`),
  testMatch: [`<rootDir>/${folder}/**/*.test.ts`],
  testEnvironment: '<rootDir>/test/setup/process-environment.mjs',
  testRunner: '<rootDir>/test/setup/process-framework.mjs',
  // Node loads and compiles: `process-framework.mjs`.
  transform: {},
  setupFilesAfterEnv: ['<rootDir>/test/setup/byte-equality.mjs', ...setupFilesAfterEnv],
  ...extra,
});
