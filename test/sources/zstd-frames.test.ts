/** A Zstandard file as it arrives: every frame is read with a decoder that knows one, as Node's does. */
import { readFileSync } from 'node:fs';
import { Transform } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decompress } from '../../core/sources/decompress.ts';
import { type MakeDecoder, nodeDecoder } from '../../core/sources/zstd-frames.ts';
import { zstdFrame, zstdFrames } from '../builders/zstd-frames.ts';

const LIMITS = { compressedBytes: 1_000_000, bytes: 1_000_000 };
const SKIPPABLE = Uint8Array.of(0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3);

/** Like Node's decoder: takes the end of the first frame for the end of the file. Reads uncompressed blocks alone. */
const firstFrameAlone: MakeDecoder = () => {
  const pieces: Uint8Array[] = [];
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      pieces.push(chunk);
      done();
    },
    flush(done) {
      const frame = Buffer.concat(pieces);
      let at = 6;
      for (let isLast = frame[0] !== 0x28; !isLast; ) {
        const header = frame.readUIntLE(at, 3);
        isLast = (header & 1) === 1;
        this.push(frame.subarray(at + 3, at + 3 + (header >> 3)));
        at += 3 + (header >> 3);
      }
      done();
    },
  });
};

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The content, or the refusal in its place. */
async function contentOf(
  chunks: AsyncIterable<Uint8Array>,
  decoderOf: MakeDecoder | undefined,
  limits = LIMITS,
): Promise<string> {
  const pieces: Uint8Array[] = [];
  try {
    await decompress('F', chunks, limits, (piece) => pieces.push(Uint8Array.from(piece)), decoderOf);
  } catch (error) {
    return `${(error as { reason?: string }).reason}: ${(error as Error).message}`;
  }
  return Buffer.concat(pieces).toString();
}

const text = Array.from({ length: 400 }, (_, index) => `row ${index}`).join('\n');
const content = Buffer.from(text);
const decoders: [string, MakeDecoder | undefined][] = [
  ['a decoder of one frame', firstFrameAlone],
  ['the decoder in JavaScript', undefined],
  ...(nodeDecoder === undefined ? [] : [["Node's decoder", nodeDecoder] as [string, MakeDecoder]]),
];

describe.each(decoders)('a Zstandard file, with %s', (_name, decoderOf) => {
  it.each([
    ['one frame', zstdFrame(content)],
    ['two frames', zstdFrames(content, 2)],
    ['fifty frames', zstdFrames(content, 50)],
    ['a skippable frame first', Buffer.concat([SKIPPABLE, zstdFrames(content, 2)])],
    [
      'a skippable frame between two',
      Buffer.concat([zstdFrame(content), SKIPPABLE, zstdFrame(Buffer.from(''))]),
    ],
  ])('is read whole from %s, in chunks of any size', async (_frames, packed) => {
    for (const size of [1, 7, 1000, 1_000_000])
      expect(await contentOf(inChunks(packed, size), decoderOf)).toBe(text);
  });

  it('is refused when it is cut off within a frame', async () => {
    const packed = zstdFrames(content, 3);
    const ends = [1, 2, 3].map((frames) => zstdFrames(content, 3).length * (frames / 3));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 300, max: packed.length - 1 }), async (length) => {
        fc.pre(ends.every((end) => Math.abs(end - length) > 5));
        const found = await contentOf(inChunks(packed.subarray(0, length), 1000), decoderOf);
        expect(found).toMatch(/^truncated: F: /);
      }),
      { numRuns: 25 },
    );
  });

  it('is refused with something else between two frames, or more bytes than a file can have', async () => {
    const spoilt = Buffer.concat([zstdFrame(content), Buffer.from('garbage'.repeat(99)), zstdFrame(content)]);
    expect(await contentOf(inChunks(spoilt, 1000), decoderOf)).toMatch(/^malformed: F: /);
    const packed = inChunks(zstdFrame(content), 1000);
    expect(await contentOf(packed, decoderOf, { ...LIMITS, bytes: 1000 })).toBe(
      'too-large: F inflates to more than 1000 bytes',
    );
    const again = inChunks(zstdFrame(content), 1000);
    expect(await contentOf(again, decoderOf, { ...LIMITS, compressedBytes: 1000 })).toBe(
      'too-large: F is more than 1000 bytes',
    );
  });

  it('passes on the failure of the connection, and ends the reading', async () => {
    let isEnded = false;
    async function* broken(): AsyncGenerator<Uint8Array> {
      try {
        yield* inChunks(zstdFrame(content).subarray(0, 2000), 500);
        throw new TypeError('terminated');
      } finally {
        isEnded = true;
      }
    }
    await expect(decompress('F', broken(), LIMITS, () => undefined, decoderOf)).rejects.toThrow(TypeError);
    expect(isEnded).toBe(true);
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      isEnded = false;
      try {
        for (;;) yield zstdFrame(content);
      } finally {
        isEnded = true;
      }
    };
    expect(await contentOf(endless(), decoderOf, { ...LIMITS, bytes: 20_000 })).toMatch(/^too-large/);
    expect(isEnded).toBe(true);
  });
});

it('what the zstd program wrote of a real file, two frames of it, is read as it arrives', async () => {
  const folder = new URL('./noaa-marinecadastre-ais/samples/', import.meta.url);
  const sample = readFileSync(new URL('ais-2024-01-01-head.csv.zst', folder));
  const found = await contentOf(inChunks(sample, 700), nodeDecoder);
  expect(found.trim().split('\n')).toHaveLength(100);
});
