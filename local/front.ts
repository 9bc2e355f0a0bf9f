/** What the port of the API serves beside it: pages, files and the status, before a request goes to the gateway. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { namesTag } from '../core/http/response.ts';

export type { Front } from './gateway.ts';

/** The path that a request reads, without its query; undefined for any method but GET and HEAD. */
export const pathRead = ({ method, url = '' }: IncomingMessage): string | undefined =>
  method === 'GET' || method === 'HEAD' ? url.replace(/\?.*$/s, '') : undefined;

/** Whether the reader has the representation with the tag; it then gets a 304. */
export function isUnchanged(
  request: IncomingMessage,
  response: ServerResponse,
  headers: OutgoingHttpHeaders & { readonly ETag: string },
): boolean {
  if (!namesTag(request.headers['if-none-match'], headers.ETag)) return false;
  response.writeHead(304, headers).end();
  return true;
}

/** Sends the bytes, or to HEAD only their length. */
export function sendBytes(
  { method }: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
  bytes: Buffer,
): void {
  response.writeHead(status, { ...headers, 'Content-Length': bytes.length });
  response.end(method === 'HEAD' ? undefined : bytes);
}
