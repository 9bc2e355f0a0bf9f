/**
 * Stryker's Jest runner, for tests of ES modules that import widely. It runs only the tests that reach a mutant, file by
 * file, the quickest first, until one of them fails; and it passes over the mutants outside the sample.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { strykerPlugins as jestPlugins } from '@stryker-mutator/jest-runner';
import { keyOf } from './stryker.mjs';

/** The tests of the dry run, beside the instrumented copy of the code: every worker reads them. */
const TESTS = 'mutation-tests.json';
/** Tests that take longer come after all others, apart from the quick ones of their file. */
const SLOW_MS = 500;

const { SAMPLE_FILE } = process.env;
const sample = SAMPLE_FILE && new Set(JSON.parse(readFileSync(SAMPLE_FILE, 'utf8')));

class NarrowRunner {
  #jest;
  #testFile;
  #parts;

  constructor(jest) {
    this.#jest = jest;
    const run = jest.run.bind(jest);
    // The runner's own way to narrow, related tests, takes every file that imports the mutated one at some remove.
    jest.run = (settings) => run(this.#testFile ? { ...settings, testFiles: [this.#testFile] } : settings);
  }

  init = () => this.#jest.init();
  capabilities = () => this.#jest.capabilities();

  async dryRun(options) {
    const result = await this.#jest.dryRun(options);
    if (result.status === 'complete') {
      const tests = result.tests.map(({ id, fileName, timeSpentMs }) => ({ id, fileName, timeSpentMs }));
      writeFileSync(TESTS, JSON.stringify(tests));
    }
    return result;
  }

  async mutantRun(options) {
    if (sample && !sample.has(keyOf(options.activeMutant))) {
      return { status: 'error', errorMessage: 'not in the sample' };
    }
    this.#parts ??= byDuration(JSON.parse(readFileSync(TESTS, 'utf8')));
    const wanted = options.testFilter && new Set(options.testFilter);
    let result;
    for (const { fileName, ids } of this.#parts) {
      const testFilter = wanted ? ids.filter((id) => wanted.has(id)) : ids;
      if (testFilter.length === 0) continue;
      this.#testFile = fileName;
      result = await this.#jest.mutantRun({ ...options, testFilter });
      if (result.status !== 'survived') return result;
    }
    return result;
  }
}

/** The ids of each file's quick tests, and of each slow one, the quickest first. */
function byDuration(tests) {
  const parts = new Map();
  for (const { id, fileName, timeSpentMs } of tests) {
    const name = timeSpentMs > SLOW_MS ? `${fileName} ${id}` : fileName;
    const { ids, ms } = parts.get(name) ?? { ids: [], ms: 0 };
    parts.set(name, { fileName, ids: [...ids, id], ms: ms + timeSpentMs });
  }
  return [...parts.values()].sort((a, b) => a.ms - b.ms);
}

const [{ factory: createJestRunner }] = jestPlugins;
const createRunner = (injector) => new NarrowRunner(injector.injectFunction(createJestRunner));
createRunner.inject = ['$injector'];

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'narrow-jest', createRunner)];
