/** A reply's bytes as text or JSON; a web page, an empty file or another encoding is refused with its reason. */
import { RefusedReply } from '../source.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * The reply as text, without a byte order mark. Throws `RefusedReply` with the reason `too-large` above
 * `maxBytes`, `empty` when it has only white space, `encoding` when it is not UTF-8, and `html` when it is a
 * web page, which some upstreams send as an error with status 200.
 */
export function replyText(name: string, bytes: Uint8Array, maxBytes: number): string {
  if (bytes.byteLength > maxBytes) throw new RefusedReply('too-large', `${name}: ${bytes.byteLength} bytes`);
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new RefusedReply('encoding', `${name} is not UTF-8`);
  }
  const start = text.slice(0, 256).trimStart().toLowerCase();
  if (start === '' && text.trim() === '') throw new RefusedReply('empty', `${name} is empty`);
  if (start.startsWith('<!doctype html') || start.startsWith('<html')) {
    throw new RefusedReply('html', `${name} is a web page`);
  }
  return text;
}

/** The reply as JSON. Throws `RefusedReply` as `replyText` does, and with `malformed` when it does not parse. */
export function replyJson(name: string, bytes: Uint8Array, maxBytes: number): unknown {
  const text = replyText(name, bytes, maxBytes);
  try {
    return JSON.parse(text);
  } catch {
    throw new RefusedReply('malformed', `${name} does not parse`);
  }
}
