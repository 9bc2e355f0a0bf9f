/** A Zstandard file as it arrives: every frame, within the limits. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { decompressor } from '../../../core/sources/files/compression.ts';
import { zstdFrame, zstdFrames } from '../../builders/zstd-frames.ts';

const LIMITS = { compressedBytes: 1_000_000, bytes: 1_000_000 };
const SKIPPABLE = Uint8Array.of(0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3);

/** The content of a file that arrives in chunks of `size`, or the refusal in its place. */
function contentOf(bytes: Uint8Array, size: number, limits = LIMITS): string {
  const pieces: Uint8Array[] = [];
  try {
    const file = decompressor('F', (piece) => pieces.push(Uint8Array.from(piece)), limits);
    for (let at = 0; at < bytes.length; at += size) file.push(bytes.subarray(at, at + size));
    file.end();
  } catch (error) {
    return `${(error as { reason?: string }).reason}: ${(error as Error).message}`;
  }
  return Buffer.concat(pieces).toString();
}

const text = Array.from({ length: 400 }, (_, index) => `row ${index}`).join('\n');
const content = Buffer.from(text);

describe('a Zstandard file', () => {
  it.each([
    ['one frame', zstdFrame(content)],
    ['fifty frames', zstdFrames(content, 50)],
    ['a skippable frame first', Buffer.concat([SKIPPABLE, zstdFrames(content, 2)])],
    [
      'a skippable frame between two',
      Buffer.concat([zstdFrame(content), SKIPPABLE, zstdFrame(Buffer.from(''))]),
    ],
  ])('is read whole from %s, in chunks of any size', (_frames, packed) => {
    for (const size of [1, 7, 1000, 1_000_000]) expect(contentOf(packed, size)).toBe(text);
  });

  it('is refused when it is cut off within a frame', () => {
    const packed = zstdFrames(content, 3);
    for (const length of [300, packed.length / 2, packed.length - 1])
      expect(contentOf(packed.subarray(0, length), 1000)).toMatch(/^truncated: F: /);
  });

  it('is refused with something else between two frames, or more bytes than a file can have', () => {
    const spoilt = Buffer.concat([zstdFrame(content), Buffer.from('garbage'.repeat(99)), zstdFrame(content)]);
    expect(contentOf(spoilt, 1000)).toMatch(/^malformed: F: /);
    expect(contentOf(zstdFrame(content), 1000, { ...LIMITS, bytes: 1000 })).toBe(
      'too-large: F inflates to more than 1000 bytes',
    );
    expect(contentOf(zstdFrame(content), 1000, { ...LIMITS, compressedBytes: 1000 })).toBe(
      'too-large: F is more than 1000 bytes',
    );
  });
});

it('what the zstd program wrote of a real file, two frames of it, is read as it arrives', () => {
  const folder = new URL('../noaa-marinecadastre-ais/samples/', import.meta.url);
  const sample = readFileSync(new URL('ais-2024-01-01-head.csv.zst', folder));
  const found = contentOf(sample, 700);
  expect(found.trim().split('\n')).toHaveLength(100);
});
