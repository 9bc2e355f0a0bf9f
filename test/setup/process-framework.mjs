// Jest's own framework (jest-circus) without a context for each suite: Node itself loads the modules, dependencies
// once in a process, and code runs at full speed. In a context each look-up of a global takes a detour.
import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import runSuite from 'jest-circus/runner';

const require = createRequire(import.meta.url);
register('./module-hooks.mjs', import.meta.url);
process.setSourceMapsEnabled(true);
let suites = 0;

export default (globalConfig, config, environment, runtime, testPath, report) => {
  suites += 1;
  // Jest maps only lines of what it has compiled itself; without its function Node maps them.
  Error.prepareStackTrace = undefined;
  const ownLoading = {
    // Its state is that of one suite.
    requireInternalModule: (path) => {
      delete require.cache[path];
      return require(path);
    },
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: (path) => {
      globalThis.jest = runtime.requireModuleOrMock(path, '@jest/globals').jest;
      return import(pathToFileURL(path) + (path === testPath ? `?suite=${suites}` : ''));
    },
  };
  const nodeRuntime = new Proxy(runtime, {
    get: (_, name) => ownLoading[name] ?? Reflect.get(runtime, name).bind(runtime),
  });
  return runSuite.default(globalConfig, config, environment, nodeRuntime, testPath, report);
};
