/** Files that stream through the decompressor: whole ones pass, damaged and cut ones are refused. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { decompressor } from '../../../core/upstream/files/compression.ts';

const LIMITS = { compressedBytes: 1_000_000, bytes: 1_000_000 };
const TEXT = Array.from({ length: 200 }, (_, row) => `${row},vessel ${row * 7919}\n`).join('');

/** The content of a file that arrives in pieces. */
function contentOf(file: Uint8Array, piece: number): string {
  const chunks: Uint8Array[] = [];
  const content = decompressor('day.csv.gz', (chunk) => chunks.push(Uint8Array.from(chunk)), LIMITS);
  for (let at = 0; at < file.length; at += piece) content.push(file.subarray(at, at + piece));
  content.end();
  return Buffer.concat(chunks).toString();
}

describe('a gzip file', () => {
  const member = gzipSync(TEXT);
  const two = Buffer.concat([gzipSync('first,'), gzipSync(TEXT)]);

  it.each([1, 100, 1_000_000])('passes whole in pieces of %d bytes, of one member and of two', (piece) => {
    expect(contentOf(member, piece)).toBe(TEXT);
    expect(contentOf(two, piece)).toBe(`first,${TEXT}`);
  });

  it.each([1, 4, 7, 8, 9, 200])('is refused without its last %d bytes', (missing) => {
    expect(() => contentOf(member.subarray(0, -missing), 1000)).toThrow();
  });

  it('is refused with a bit flipped in the content or the trailer of any member', () => {
    for (const file of [member, two])
      for (let at = 10; at < file.length; at += 31) {
        const damaged = Buffer.from(file);
        damaged[at] = (damaged[at] ?? 0) ^ 4;
        let content: string | undefined;
        try {
          content = contentOf(damaged, 1000);
        } catch {
          content = undefined;
        }
        // A bit of a member's header, such as its time, changes no content.
        if (content !== undefined) expect([TEXT, `first,${TEXT}`]).toContain(content);
      }
  });
});
