/** Zstandard frames of uncompressed blocks (RFC 8878), because Node 20 cannot write any. */

const MAGIC = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd);
/** No checksum and no content size; a window of 2 MB. */
const HEADER = Uint8Array.of(0x00, 0x58);
const MAX_BLOCK = 128 * 1024;

export function zstdFrame(content: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [MAGIC, HEADER];
  for (let at = 0; at === 0 || at < content.length; at += MAX_BLOCK) {
    const block = content.subarray(at, at + MAX_BLOCK);
    const isLast = at + MAX_BLOCK >= content.length ? 1 : 0;
    const header = isLast | (block.length << 3);
    parts.push(Uint8Array.of(header & 0xff, (header >> 8) & 0xff, header >> 16), block);
  }
  return Uint8Array.from(Buffer.concat(parts));
}

/** Compresses the content into `frames` frames, one after the other. */
export function zstdFrames(content: Uint8Array, frames: number): Uint8Array {
  const size = Math.ceil(content.length / frames);
  const pieces = Array.from({ length: frames }, (_, index) =>
    content.subarray(index * size, (index + 1) * size),
  );
  return Uint8Array.from(Buffer.concat(pieces.map(zstdFrame)));
}
