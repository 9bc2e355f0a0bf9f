/** The directory of a zip archive, which states the checksum of every member. */

/** One member as the archive's directory states it. */
interface ZipEntry {
  readonly name: string;
  readonly crc: number;
}

/** The directory's end is at most this far from the end of the archive: 22 bytes and a comment. */
export const MAX_END_BYTES = 22 + 0xffff;

const SIGNATURES = { entry: 0x02014b50, end: 0x06054b50 } as const;
/** Replaces a size or offset that is in the 64-bit form, from 4 GB on. */
const IS_ZIP64 = 0xffffffff;

const dataView = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The archive is broken, or in an unsupported form. */
export class BrokenZip extends Error {
  override readonly name = 'BrokenZip';
}

/** The position of the directory, from the last bytes of the archive. Throws `BrokenZip` when they have no end record. */
export function directoryIn(tail: Uint8Array): { readonly offset: number; readonly bytes: number } {
  const view = dataView(tail);
  for (let at = tail.length - 22; at >= 0; at -= 1) {
    if (view.getUint32(at, true) !== SIGNATURES.end) continue;
    const bytes = view.getUint32(at + 12, true);
    const offset = view.getUint32(at + 16, true);
    if (bytes === IS_ZIP64 || offset === IS_ZIP64)
      throw new BrokenZip('64-bit zip archives are not supported');
    return { offset, bytes };
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
      crc: view.getUint32(at + 16, true),
    });
    at = next;
  }
  return entries;
}
