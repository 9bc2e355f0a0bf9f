// Node's hook: `@jest/globals` throws outside of Jest's contexts, so suites get another module for it.
const GLOBALS = new URL('jest-globals.mjs', import.meta.url).href;

export const resolve = (specifier, context, next) =>
  next(specifier === '@jest/globals' ? GLOBALS : specifier, context);
