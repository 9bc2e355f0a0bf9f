/**
 * Every frame of a Zstandard file, decoded by Node itself in a thread of its own. Node's decoder takes the end of the first
 * frame for the end of the file, without an error, so each frame gets a decoder.
 */
import { pipeline, type Transform } from 'node:stream';
import zlib from 'node:zlib';

export type MakeDecoder = () => Transform;

const DECODED_PIECE = 256 * 1024;
/** Enough of the file waits in the decoder that it goes on while the reader reads what it decoded. */
const WAITING_BYTES = 256 * 1024;
const { createZstdDecompress: create } = zlib as typeof zlib & {
  readonly createZstdDecompress?: (options: {
    readonly chunkSize: number;
    readonly readableHighWaterMark: number;
    readonly writableHighWaterMark: number;
  }) => Transform;
};

/** Makes Node's decoder of one frame; undefined before Node 22.15, which has none. */
export const nodeDecoder: MakeDecoder | undefined =
  create &&
  (() =>
    create({
      chunkSize: DECODED_PIECE,
      readableHighWaterMark: 4 * DECODED_PIECE,
      writableHighWaterMark: WAITING_BYTES,
    }));

const MAGIC = 0xfd2fb528;
/** The last four bits of a skippable frame's magic number are free. */
const SKIPPABLE = 0x184d2a5;
const RUN_BLOCK = 1;
const DICTIONARY_BYTES = [0, 1, 2, 4];
const CONTENT_SIZE_BYTES = [0, 2, 4, 8];

/**
 * Walks a frame (RFC 8878, 3.1): yields how many bytes to read, and is resumed with them as a number, least significant
 * first; or, negative, how many to pass over.
 */
function* frameParts(): Generator<number, void, number> {
  const magic = yield 4;
  if (magic >>> 4 === SKIPPABLE) {
    yield -(yield 4);
    return;
  }
  if (magic !== MAGIC) throw new Error('invalid zstd data');
  const descriptor = yield 1;
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeBytes = (CONTENT_SIZE_BYTES[descriptor >> 6] ?? 0) || Number(isSingleSegment);
  yield -(Number(!isSingleSegment) + (DICTIONARY_BYTES[descriptor & 3] ?? 0) + sizeBytes);
  for (let isLast = false; !isLast; ) {
    const block = yield 3;
    isLast = (block & 1) !== 0;
    const isRun = ((block >> 1) & 3) === RUN_BLOCK;
    yield -(isRun ? 1 : block >> 3);
  }
  const hasChecksum = (descriptor & 4) !== 0;
  if (hasChecksum) yield -4;
}

/** Finds the end of one frame that is given in chunks of any size. */
class FrameEnd {
  private readonly parts = frameParts();
  private step = this.parts.next();
  private value = 0;
  private bytes = 0;

  /** Where the frame ends in `chunk`; undefined when it continues. Throws when it is no frame. */
  in(chunk: Uint8Array): number | undefined {
    let at = 0;
    while (this.step.done !== true) {
      const wanted = Math.abs(this.step.value);
      if (this.step.value < 0) {
        const passed = Math.min(wanted - this.bytes, chunk.length - at);
        at += passed;
        this.bytes += passed;
      } else
        for (; this.bytes < wanted && at < chunk.length; at += 1) {
          this.value += (chunk[at] ?? 0) * 2 ** (8 * this.bytes);
          this.bytes += 1;
        }
      if (this.bytes < wanted) return undefined;
      const { value } = this;
      this.value = 0;
      this.bytes = 0;
      this.step = this.parts.next(value);
    }
    return at;
  }
}

/** A file in chunks, passed on frame by frame. */
class Frames {
  private chunk: Uint8Array = new Uint8Array(0);

  constructor(private readonly chunks: AsyncIterator<Uint8Array>) {}

  async isOver(): Promise<boolean> {
    while (this.chunk.length === 0) {
      const next = await this.chunks.next();
      if (next.done === true) return true;
      this.chunk = next.value;
    }
    return false;
  }

  async *next(): AsyncGenerator<Uint8Array> {
    const frame = new FrameEnd();
    while (!(await this.isOver())) {
      const { chunk } = this;
      const end = frame.in(chunk);
      this.chunk = chunk.subarray(end ?? chunk.length);
      yield chunk.subarray(0, end);
      if (end !== undefined) return;
    }
    throw new Error('unexpected EOF');
  }
}

/** The content of all frames. Throws any error when the file is damaged or cut off. */
export async function* zstdContent(
  chunks: AsyncIterator<Uint8Array>,
  decoderOf: MakeDecoder,
): AsyncGenerator<Uint8Array> {
  const frames = new Frames(chunks);
  // An error of a frame reaches the reader through the decoder, which the pipeline destroys with it.
  while (!(await frames.isOver())) yield* pipeline(frames.next(), decoderOf(), () => undefined);
}
