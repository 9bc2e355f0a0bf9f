// Jest's own framework (jest-circus) without a context for each suite: Node loads the modules, compiled as `npm start`
// compiles them, once in a process. In a context each suite loads every module again, and each look-up of a global
// takes a detour.
import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import runSuite from 'jest-circus/runner';
import { register as registerTypeScript } from 'tsx/esm/api';
import { withCompiled } from './compiled-modules.mjs';

const require = createRequire(import.meta.url);
registerTypeScript();
register('./module-hooks.mjs', import.meta.url);
process.setSourceMapsEnabled(true);

let suiteState;
let eventHandlers;

/**
 * Jest loads its framework again for each suite. Each copy would stay and slow down every later promise, so one is loaded, and
 * gets what a new one begins with: a fresh state, which jest-circus's other entry makes, and its own event handlers.
 */
function framework(path) {
  const loaded = require(path);
  suiteState ??= Object.getOwnPropertySymbols(globalThis).find(
    ({ description }) => description === 'JEST_STATE_SYMBOL',
  );
  const handlers = globalThis[Symbol.for('EVENT_HANDLERS')];
  eventHandlers ??= [...handlers];
  handlers.splice(0, handlers.length, ...eventHandlers);
  const { getState, resetState } = require('jest-circus');
  resetState();
  globalThis[suiteState] = getState();
  return loaded;
}

export default (globalConfig, config, environment, runtime, testPath, report) => {
  // Jest maps only lines of what it has compiled itself; without its function Node maps them.
  Error.prepareStackTrace = undefined;
  const measured = runtime.getAllV8CoverageInfoCopy.bind(runtime);
  runtime.getAllV8CoverageInfoCopy = () => withCompiled(measured());
  const ownLoading = {
    requireInternalModule: framework,
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: (path) => {
      globalThis.jest = runtime.requireModuleOrMock(path, '@jest/globals').jest;
      return import(pathToFileURL(path));
    },
  };
  const nodeRuntime = new Proxy(runtime, {
    get: (_, name) => ownLoading[name] ?? Reflect.get(runtime, name).bind(runtime),
  });
  return runSuite.default(globalConfig, config, environment, nodeRuntime, testPath, report);
};
