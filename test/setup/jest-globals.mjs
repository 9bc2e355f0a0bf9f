// What suites import from '@jest/globals'. Jest makes new ones for each suite, while modules load once in a process: each
// call finds what the suite of the moment has, also through a name that a shared module keeps, such as `it.skip`.
const current = (read) =>
  new Proxy(() => {}, {
    apply: (_target, _self, args) => read()(...args),
    get: (_target, property) => current(() => read()[property]),
  });

export const afterAll = current(() => globalThis.afterAll);
export const afterEach = current(() => globalThis.afterEach);
export const beforeAll = current(() => globalThis.beforeAll);
export const beforeEach = current(() => globalThis.beforeEach);
export const describe = current(() => globalThis.describe);
export const it = current(() => globalThis.it);
// One for all suites of a process.
export const { expect } = globalThis;
export const jest = current(() => globalThis.jest);
