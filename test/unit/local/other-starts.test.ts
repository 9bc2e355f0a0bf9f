/** The 404 of a port names the start that covers it, on one machine only. */
import { expect, it } from '@jest/globals';
import { ApiError } from '../../../core/contracts/errors.ts';
import type { snapshotRoute } from '../../../core/contracts/snapshot.ts';
import type { RequestHandler } from '../../../core/http/chain.ts';
import { withOtherStarts } from '../../../local/ready-lines.ts';

type Handler = RequestHandler<typeof snapshotRoute>;

const failing =
  (error: Error): Handler =>
  async () => {
    throw error;
  };
const notFound = new ApiError('not_found', 'It is not covered.', { hint: 'GET /v1/ports lists them.' });
const STARTS = JSON.stringify({
  'npm start -- --live': ['SGSIN', 'USLAX'],
  'npm start -- --sample': ['USLAX'],
});

const hintOf = async (
  error: Error,
  port: string,
  text: string | undefined,
  query: object = {},
): Promise<unknown> => {
  const request = { path: { UNLOCODE: port }, query } as Parameters<Handler>[0];
  return withOtherStarts(failing(error), text)(request, new Map() as never).catch(({ hint }) => hint);
};

it.each([
  ['USLAX', STARTS, 'GET /v1/ports lists them. npm start -- --live or npm start -- --sample covers USLAX.'],
  ['SGSIN', STARTS, 'GET /v1/ports lists them. npm start -- --live covers SGSIN.'],
  ['XXXXX', STARTS, 'GET /v1/ports lists them.'],
  ['USLAX', undefined, 'GET /v1/ports lists them.'],
])('%s with %s', async (port, text, hint) => {
  expect(await hintOf(notFound, port, text)).toBe(hint);
});

it('names the start that has data for a covered port without any', async () => {
  const noSnapshot = new ApiError('not_found', 'There is no snapshot of SGSIN yet.', { hint: 'See.' });
  expect(await hintOf(noSnapshot, 'SGSIN', STARTS)).toBe('See. npm start -- --live covers SGSIN.');
});

it('leaves other failures alone', async () => {
  const noSnapshot = new ApiError('not_found', 'There was no snapshot of USLAX.', { hint: 'Omit as_of.' });
  expect(await hintOf(noSnapshot, 'USLAX', STARTS, { as_of: '2025-09-23' })).toBe('Omit as_of.');
  expect(await hintOf(new ApiError('validation_failed', 'No.', { hint: 'So.' }), 'USLAX', STARTS)).toBe(
    'So.',
  );
});
