/** HS import point: monthly import momentum of one commodity code (beta). */
import * as z from 'zod/mini';
import { formatParameter, hsCodeParameter } from './parameters.ts';
import { columnsOf, type Route } from './route.ts';
import { decimal, described, listOf } from './wire.ts';

export const hsImportPoint = described(
  z.object({
    month: described(z.string().check(z.regex(/^\d{4}-(0[1-9]|1[0-2])$/), z.maxLength(7)), {
      description: 'Calendar month.',
      example: '2026-09',
    }),
    index: decimal(
      1,
      { minimum: 0, maximum: 1_000 },
      { description: 'Import momentum: 100 is the same three months a year before.', example: 104.2 },
    ),
  }),
  { description: 'HS import point.' },
);
export type HsImportPoint = z.infer<typeof hsImportPoint>;

const hsImportPoints = listOf(hsImportPoint, 36, 'The newest 36 months held, oldest first.');

export const hsImportsRoute = {
  summary: 'Monthly import momentum by HS code (beta)',
  paths: ['/v1/hs/{code}/imports'],
  authenticated: true,
  beta: true,
  path: { code: hsCodeParameter },
  query: { format: formatParameter },
  response: hsImportPoints,
  csvColumns: columnsOf(hsImportPoint),
} as const satisfies Route;
