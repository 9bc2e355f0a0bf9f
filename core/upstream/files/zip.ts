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

/** End record and locator of the 64-bit form, which stand before the end record. */
const END64_BYTES = 56;
const LOCATOR_BYTES = 20;
/** The directory's end is at most this far from the end of the archive: 22 bytes and a comment, and the 64-bit form. */
export const MAX_END_BYTES = 22 + 0xffff + END64_BYTES + LOCATOR_BYTES;
/** Bytes of a member's header before its name. */
const HEADER_BYTES = 30;

const SIGNATURES = {
  header: 0x04034b50,
  entry: 0x02014b50,
  end: 0x06054b50,
  end64: 0x06064b50,
  locator: 0x07064b50,
} as const;
/** Replaces a size or offset that is in the 64-bit form, which archives from 4 GB on must have and others may. */
const IS_ZIP64 = 0xffffffff;
/** The extra field with the 64-bit sizes. */
const EXTRA64 = 1;
/** Sizes follow the data. */
const HAS_DESCRIPTOR = 8;

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

const long = (view: DataView, at: number): number =>
  view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;

/** The values that the 64-bit extra field has in the place of those that are `IS_ZIP64`, in their order. */
function withExtra(extra: Uint8Array, values: readonly number[]): number[] {
  const view = dataView(extra);
  let at = 0;
  while (at + 4 <= extra.length && view.getUint16(at, true) !== EXTRA64)
    at += 4 + view.getUint16(at + 2, true);
  at += 4;
  return values.map((value) => {
    if (value !== IS_ZIP64) return value;
    if (at + 8 > extra.length) throw new BrokenZip('its zip directory lacks a 64-bit size');
    at += 8;
    return long(view, at - 8);
  });
}

/** A member as its own header states it. */
export interface ZipMember {
  readonly name: string;
  readonly method: number;
  /** Undefined where the sizes follow the data. */
  readonly compressedBytes: number | undefined;
  /** Where its data begin, from its header on. */
  readonly dataAt: number;
}

/** The member whose header `part` begins with; undefined where the header is incomplete. Throws `BrokenZip` where it is none. */
export function headerIn(part: Uint8Array): ZipMember | undefined {
  if (part.length < HEADER_BYTES) return undefined;
  const view = dataView(part);
  const signature = view.getUint32(0, true);
  if (signature === SIGNATURES.entry || signature === SIGNATURES.end) return undefined;
  if (signature !== SIGNATURES.header) throw new BrokenZip('a member does not begin with its header');
  const nameEnd = HEADER_BYTES + view.getUint16(26, true);
  const dataAt = nameEnd + view.getUint16(28, true);
  if (part.length < dataAt) return undefined;
  const method = view.getUint16(8, true);
  if (method !== 0 && method !== 8) throw new BrokenZip('a member is compressed by an unknown method');
  const isLater = (view.getUint16(6, true) & HAS_DESCRIPTOR) !== 0;
  const sizes = [view.getUint32(22, true), view.getUint32(18, true)];
  const [, compressedBytes] = isLater ? [] : withExtra(part.subarray(nameEnd, dataAt), sizes);
  const name = new TextDecoder().decode(part.subarray(HEADER_BYTES, nameEnd));
  return { name, method, compressedBytes, dataAt };
}

/** The directory's place, from the last bytes of the archive. Throws `BrokenZip` when they have no end record. */
export function directoryIn(tail: Uint8Array): ZipDirectory {
  const view = dataView(tail);
  for (let at = tail.length - 22; at >= 0; at -= 1) {
    if (view.getUint32(at, true) !== SIGNATURES.end) continue;
    const bytes = view.getUint32(at + 12, true);
    const offset = view.getUint32(at + 16, true);
    if (bytes !== IS_ZIP64 && offset !== IS_ZIP64) return { offset, bytes, endInTail: at };
    const end64 = at - LOCATOR_BYTES - END64_BYTES;
    const isWhole =
      end64 >= 0 &&
      view.getUint32(end64, true) === SIGNATURES.end64 &&
      view.getUint32(end64 + END64_BYTES, true) === SIGNATURES.locator;
    if (!isWhole) throw new BrokenZip('its 64-bit zip directory has no end');
    return { offset: long(view, end64 + 48), bytes: long(view, end64 + 40), endInTail: end64 };
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
    const extraEnd = at + 46 + nameBytes + view.getUint16(at + 30, true);
    const next = extraEnd + view.getUint16(at + 32, true);
    if (next > directory.length) throw new BrokenZip('its zip directory is cut off');
    const stated = [at + 24, at + 20, at + 42].map((place) => view.getUint32(place, true));
    const [bytes = 0, compressedBytes = 0, offset = 0] = withExtra(
      directory.subarray(at + 46 + nameBytes, extraEnd),
      stated,
    );
    entries.push({
      name: new TextDecoder().decode(directory.subarray(at + 46, at + 46 + nameBytes)),
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      compressedBytes,
      bytes,
      offset,
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
