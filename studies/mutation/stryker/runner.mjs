/**
 * A test runner for Stryker that does not start Jest for each mutant. It bundles the test files with the code once,
 * evaluates the bundle for each mutant, and gives Jest's framework (jest-circus) the tests that reach the mutant, the
 * quickest first, until one fails. It passes over the mutants outside the sample.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { commonTokens, declareFactoryPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import { determineHitLimitReached } from '@stryker-mutator/api/test-runner';
import { build } from 'esbuild';
import { keyOf } from './stryker.mjs';

/** Milliseconds by test, from the dry run. Beside the instrumented copy of the code: every worker reads them. */
const DURATIONS = 'mutation-tests.json';
/** The instrumented code reads the active mutant here, and writes which mutants it reached. */
const mutation = { activeMutant: undefined };
globalThis.__stryker__ = mutation;

const { SAMPLE_FILE } = process.env;
const sample = SAMPLE_FILE && new Set(JSON.parse(readFileSync(SAMPLE_FILE, 'utf8')));

class BundleRunner {
  #options;
  #circus;
  #bundle;
  #durations = {};
  /** Ids of the tests to run; all of them when undefined. */
  #wanted;
  #failure;

  constructor({ bundleRunner }) {
    this.#options = bundleRunner;
  }

  capabilities = () => ({ reloadEnvironment: true });

  async init() {
    const require = createRequire(resolve('package.json'));
    for (const file of this.#options.setupFiles) await import(pathToFileURL(file));
    const { addEventHandler, ...circus } = require('jest-circus');
    const { jestExpect: expect } = require('@jest/expect');
    const jest = new (require('jest-mock').ModuleMocker)(globalThis);
    const globals = { ...circus, expect, jest };
    const evaluate = new vm.Script(await bundleOf(this.#options.testFiles), {
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    }).runInThisContext();
    this.#bundle = () => evaluate((name) => (name === '@jest/globals' ? globals : require(name)), {});
    this.#circus = circus;
    addEventHandler((event) => this.#onEvent(event));
  }

  async dryRun() {
    const { testResults } = await this.#run();
    const tests = testResults.map(({ testPath, duration, status, errors }) => ({
      id: idOf(testPath),
      name: idOf(testPath),
      timeSpentMs: duration ?? 0,
      status: ['done', 'fail', 'skip'].indexOf(errors.length > 0 ? 'fail' : status),
      failureMessage: errors.join('\n'),
    }));
    const durations = Object.fromEntries(tests.map(({ id, timeSpentMs }) => [id, timeSpentMs]));
    writeFileSync(DURATIONS, JSON.stringify(durations));
    return { status: 'complete', tests, mutantCoverage: mutation.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    if (sample && !sample.has(keyOf(activeMutant))) {
      return { status: 'error', errorMessage: 'not in the sample' };
    }
    this.#durations = JSON.parse(readFileSync(DURATIONS, 'utf8'));
    this.#wanted = testFilter && new Set(testFilter);
    Object.assign(mutation, { activeMutant: activeMutant.id, hitLimit, hitCount: hitLimit ? 0 : undefined });
    const { testResults } = await this.#run();
    const timeout = determineHitLimitReached(mutation.hitCount, mutation.hitLimit);
    if (timeout) return timeout;
    const nrOfTests = testResults.filter(({ status }) => status === 'done').length;
    return this.#failure
      ? { status: 'killed', ...this.#failure, nrOfTests }
      : { status: 'survived', nrOfTests };
  }

  /** Evaluates the bundle anew, because a mutant may change what a module does while it is loaded. */
  async #run() {
    this.#failure = undefined;
    this.#circus.resetState();
    this.#bundle();
    const state = this.#circus.getState();
    state.testTimeout = this.#options.testTimeout;
    this.#arrange(state.rootDescribeBlock);
    return this.#circus.run();
  }

  /** Skips the tests that are not wanted and moves slow tests behind quick ones. Returns the block's milliseconds. */
  #arrange(block) {
    const timed = block.children.map((child) => ({ child, ms: this.#arrangeChild(child) }));
    block.children = timed.sort((a, b) => a.ms - b.ms).map(({ child }) => child);
    return timed.reduce((sum, { ms }) => sum + ms, 0);
  }

  #arrangeChild(child) {
    if (child.type === 'describeBlock') return this.#arrange(child);
    const id = idOf(pathOf(child));
    if (this.#wanted === undefined || this.#wanted.has(id)) return this.#durations[id] ?? 0;
    child.mode = 'skip';
    return 0;
  }

  #onEvent({ name, test }) {
    if (name === 'test_start') {
      const id = idOf(pathOf(test));
      mutation.currentTestId = id;
      if (this.#failure) test.mode = 'skip';
    } else if (name === 'test_done') {
      mutation.currentTestId = undefined;
      if (test.errors.length > 0)
        this.#failure ??= { killedBy: [idOf(pathOf(test))], failureMessage: String(test.errors[0]) };
    }
  }
}

/** The names of a test and of the blocks around it, the outermost first. */
const pathOf = (node) => (node ? [...pathOf(node.parent), node.name] : []);
/** Tests with equal names count as one. The first name is that of the root. */
const idOf = (path) => path.slice(1).join(' ');

/** The test files and all code of the project that they import, as a function of `require` and `module`. */
async function bundleOf(testFiles) {
  const { outputFiles } = await build({
    stdin: { contents: testFiles.map((file) => `import './${file}';`).join('\n'), resolveDir: '.' },
    absWorkingDir: process.cwd(),
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    packages: 'external',
    banner: { js: '(function (require, module) {' },
    footer: { js: '})' },
    plugins: [{ name: 'import.meta', setup: ({ onLoad }) => onLoad({ filter: /\.m?[jt]s$/ }, loadModule) }],
  });
  // Packages are required: those that are ES modules have a default export of their own.
  return outputFiles[0].text.replaceAll(/(__toESM\(require\("[^"]+"\)), 1\)/g, '$1)');
}

/** Modules of a bundle have no `import.meta` of their own. */
function loadModule({ path }) {
  const contents = readFileSync(path, 'utf8')
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path)))
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)));
  return { contents, loader: path.endsWith('ts') ? 'ts' : 'js' };
}

const createRunner = (options) => new BundleRunner(options);
createRunner.inject = tokens(commonTokens.options);

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'bundle', createRunner)];
