/** Entity tags: strong, made from the exact bytes, so equal data give equal tags on every machine. */
import { createHash } from 'node:crypto';

/** A quoted strong entity tag of `body` (RFC 9110, 8.8.3). */
export const entityTag = (body: string): string =>
  `"${createHash('sha256').update(body).digest('base64url')}"`;

/**
 * Whether an If-None-Match value names `tag`, by the weak comparison that RFC 9110 (13.1.2) prescribes: a list,
 * `W/` forms and `*` count; what is no entity tag is passed over.
 */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const named = ifNoneMatch.matchAll(/(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g);
  return [...named].some(([, opaque]) => opaque === tag);
}
