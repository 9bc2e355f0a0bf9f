// What a suite imports from '@jest/globals': Jest makes it anew for each suite, and so is this module.
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } = globalThis;
