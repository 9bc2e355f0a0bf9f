/** The form of an error response, stated once for all tests. */
import { expect } from '@jest/globals';
import { ERRORS, type ErrorCode } from '../../core/contracts/errors.ts';
import type { Reply } from './exchange.ts';

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly request_id: string;
  readonly hint?: string;
}

/** The error `code` at `status`, whole: type, envelope, one line, id in body and header, not cacheable. */
export function expectError(reply: Reply, status: number, code: ErrorCode): ErrorBody {
  const body = reply.headers['content-type']?.startsWith('application/json')
    ? reply.json<ErrorBody>()
    : undefined;
  expect({ status: reply.status, code: body?.code }).toEqual({ status, code });
  expect(ERRORS[code].statuses).toContain(status);
  expect(reply.headers['content-type']).toBe('application/json');
  expect(reply.headers['cache-control']).toBe('no-store');
  expect(reply.headers['x-request-id']).toMatch(UUID);
  expect(body?.request_id).toBe(reply.headers['x-request-id']);
  expect(body?.message).toMatch(/^[^\r\n]+$/);
  if (status < 500) expect(body?.hint).toMatch(/^[^\r\n]+$/);
  if (status === 429 || status === 503) expect(reply.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  return body as ErrorBody;
}

/** Every response has an id of its own. */
export const expectId = (reply: Reply): void => expect(reply.headers['x-request-id']).toMatch(UUID);
