/** HS import point: monthly import momentum of one commodity code (beta). */
import * as z from 'zod/mini';
import { asOfParameter, formatParameter, hsCodeParameter } from './parameters.ts';
import type { Route } from './route.ts';
import { decimal, described, listOf, record } from './wire.ts';

const hsImportPoint = record('HsImportPoint', 'Import index of one month.', {
  month: described(z.string().check(z.regex(/^\d{4}-(0[1-9]|1[0-2])$/), z.maxLength(7)), {
    description: 'Calendar month.',
    example: '2026-09',
  }),
  index: decimal(1, 0, 1_000)('Import momentum: 100 is the same three months a year before.', 104.2),
});
export type HsImportPoint = z.infer<typeof hsImportPoint>;

const hsImportPoints = listOf(hsImportPoint, 36, 'The newest 36 months, oldest first.');

export const hsImportsRoute = {
  summary: 'Monthly import momentum by HS code (beta)',
  description:
    'Import momentum of the newest 36 months, oldest first: 100 is the same three months a year before. A code without data whose chapter exists returns an empty list. `as_of` gives what was known then. Beta: its form can change; the changelog announces it. The Lite plan does not include it.',
  tag: 'Trade',
  paths: ['/v1/hs/{code}/imports'],
  authenticated: true,
  beta: true,
  excludedPlans: ['lite'],
  path: { code: hsCodeParameter },
  query: { as_of: asOfParameter, format: formatParameter },
  response: hsImportPoints,
  example: [
    { month: '2024-11', index: 108.1 },
    { month: '2024-12', index: 108.2 },
  ],
} as const satisfies Route<typeof hsImportPoints>;
