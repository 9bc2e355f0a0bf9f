// How Stryker changes the folder that `study.ts` names, and the tests at the lowest place that have to notice: folders.json.
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { FOLDER } = process.env;
const tests = JSON.parse(readFileSync(new URL('folders.json', import.meta.url), 'utf8'))[FOLDER];

export default {
  mutate: [`core/${FOLDER}/**/*.ts`],
  // One process for each mutant: the suites share a process and its modules, which Stryker's runner for Jest cannot reload.
  testRunner: 'command',
  commandRunner: {
    command: `node --no-warnings node_modules/jest/bin/jest.js --runInBand --bail --silent ${tests.map((path) => `test/${path}`).join(' ')}`,
  },
  // In addition to 1.5 times the tests' duration without a fault.
  timeoutMS: 20_000,
  disableTypeChecks: false,
  ignorePatterns: ['/dist', '/cdk.out', '/.data', '/.ci'],
  // Outside of the project, whose tests would find a second copy of it.
  tempDirName: join(tmpdir(), 'port-congestion-mutation'),
  reporters: ['clear-text', 'html', 'progress-append-only'],
  htmlReporter: { fileName: `dist/mutation/${FOLDER}.html` },
  thresholds: { high: 95, low: 90, break: 90 },
};
