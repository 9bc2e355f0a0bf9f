/** The directory of a zip archive and its members, each checked against the checksum that the directory states. */
import { crc32, inflateRawSync } from 'node:zlib';

/** One member as the archive's directory states it. */
interface ZipEntry {
  readonly name: string;
  /** 0 stored, 8 deflated. */
  readonly method: number;
  readonly crc: number;
  readonly compressedBytes: number;
  readonly bytes: number;
  /** Where the member's own header begins in the archive. */
  readonly offset: number;
}

/** The directory's end is at most this far from the end of the archive: 22 bytes and a comment. */
export const MAX_END_BYTES = 22 + 0xffff;
/** Bytes of a member's header before its name. */
const HEADER_BYTES = 30;

const SIGNATURES = { header: 0x04034b50, entry: 0x02014b50, end: 0x06054b50 } as const;
/** Replaces a size or offset that is in the 64-bit form, from 4 GB on. */
const IS_ZIP64 = 0xffffffff;

const dataView = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The archive is broken, or in an unsupported form. */
export class BrokenZip extends Error {
  override readonly name = 'BrokenZip';
}

/** Where the directory is in the archive, and where the end record after it is in `tail`. */
interface ZipDirectory {
  readonly offset: number;
  readonly bytes: number;
  readonly endInTail: number;
}

/** The directory's place, from the last bytes of the archive. Throws `BrokenZip` when they have no end record. */
export function directoryIn(tail: Uint8Array): ZipDirectory {
  const view = dataView(tail);
  for (let at = tail.length - 22; at >= 0; at -= 1) {
    if (view.getUint32(at, true) !== SIGNATURES.end) continue;
    const bytes = view.getUint32(at + 12, true);
    const offset = view.getUint32(at + 16, true);
    if (bytes === IS_ZIP64 || offset === IS_ZIP64)
      throw new BrokenZip('64-bit zip archives are not supported');
    return { offset, bytes, endInTail: at };
  }
  throw new BrokenZip('no zip directory at its end');
}

/** The members in the archive's directory. Throws `BrokenZip` when it is incomplete. */
export function readEntries(directory: Uint8Array): ZipEntry[] {
  const view = dataView(directory);
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at < directory.length) {
    if (at + 46 > directory.length || view.getUint32(at, true) !== SIGNATURES.entry)
      throw new BrokenZip('its zip directory is damaged');
    const nameBytes = view.getUint16(at + 28, true);
    const next = at + 46 + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (next > directory.length) throw new BrokenZip('its zip directory is cut off');
    entries.push({
      name: new TextDecoder().decode(directory.subarray(at + 46, at + 46 + nameBytes)),
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      compressedBytes: view.getUint32(at + 20, true),
      bytes: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    });
    at = next;
  }
  return entries;
}

/** In `part`, the archive from the entry on. Throws `BrokenZip`, also for another name in the member: no checksum covers names. */
export function memberIn(part: Uint8Array, { name, compressedBytes }: ZipEntry): Uint8Array {
  const view = dataView(part);
  if (part.length < HEADER_BYTES || view.getUint32(0, true) !== SIGNATURES.header)
    throw new BrokenZip(`${name} does not begin where the zip directory says`);
  const nameEnd = HEADER_BYTES + view.getUint16(26, true);
  if (new TextDecoder().decode(part.subarray(HEADER_BYTES, nameEnd)) !== name)
    throw new BrokenZip(`${name} has another name in its own header`);
  const from = nameEnd + view.getUint16(28, true);
  if (from + compressedBytes > part.length) throw new BrokenZip(`${name} is cut off`);
  return part.slice(from, from + compressedBytes);
}

/** The content of a member. Throws `BrokenZip` when it does not inflate, is too large, or fails the checksum. */
export function readContent(
  { name, method, crc }: ZipEntry,
  compressed: Uint8Array,
  maxBytes: number,
): Uint8Array {
  let content: Uint8Array;
  try {
    if (method !== 0 && method !== 8) throw new BrokenZip('unknown method');
    content = method === 0 ? compressed : inflateRawSync(compressed, { maxOutputLength: maxBytes });
  } catch {
    throw new BrokenZip(`${name} does not inflate to at most ${maxBytes} bytes`);
  }
  if (crc32(content) !== crc) throw new BrokenZip(`${name} has another checksum`);
  return content;
}
