/**
 * Decompresses a file as it streams, by its first bytes: Zstandard (every frame), the only CSV member of a zip archive,
 * or plain text. Memory does not grow with the file. A file that is cut off is refused, not read in part.
 */
import { crc32 } from 'node:zlib';
import { Inflate } from 'fflate';
import { Decompress } from 'fzstd';
import { RefusedReply } from '../source.ts';
import { refuseWebPage } from './text.ts';
import { BrokenZip, directoryIn, headerIn, MAX_END_BYTES, readEntries, type ZipMember } from './zip.ts';

export interface SizeLimits {
  readonly compressedBytes: number;
  readonly bytes: number;
}

export interface Decompressor {
  /** Takes the next bytes of the file. Throws `RefusedReply`. */
  push(chunk: Uint8Array): void;
  /** Ends the file. Throws `RefusedReply`: `empty`, `truncated`, or what `push` throws. */
  end(): void;
}

type Take = (chunk: Uint8Array) => void;

/** One compression, from its first byte. A fault of the data may be thrown as any error. */
interface Format {
  push(chunk: Uint8Array, final: boolean): void;
}

/** The library gets few bytes at a time, because it recurses for every frame of a chunk. */
const ZSTD_CHUNK = 16 * 1024;

/** The default limit of the zstd program itself. */
const MAX_WINDOW = 128 * 1024 * 1024;

/** Window of the first frame in bytes (RFC 8878, 3.1.1.1), which the decoder allocates; 0 where the content size decides. */
function windowBytes(first: Uint8Array): number {
  const isSingleSegment = ((first[4] ?? 0) & 0x20) !== 0;
  const descriptor = first[5] ?? 0;
  return isSingleSegment ? 0 : 2 ** (10 + (descriptor >> 3)) * (1 + (descriptor & 7) / 8);
}

function zstd(take: Take): Format {
  const decoder = new Decompress((chunk) => take(chunk));
  return {
    push(chunk, final) {
      for (let at = 0; at < chunk.length; at += ZSTD_CHUNK) decoder.push(chunk.subarray(at, at + ZSTD_CHUNK));
      if (final) decoder.push(new Uint8Array(0), true);
    },
  };
}

/** The archive's directory is read with `readEntries`, so members are distinguished by name only. */
const CSV_MEMBER = /\.csv$/i;

/** Input after which a deflated member that gives nothing more has ended. */
const MAX_TRAILING_BYTES = 16 * 1024 * 1024;

/**
 * Reads the archive forward. A member's sizes may follow its data: the deflate data itself says where it ends, and what follows is passed
 * over. The directory at the end says which members there are, and the size and checksum of the CSV file.
 */
class CsvArchive implements Format {
  /** Input that is not used yet, up to the CSV file. */
  private pending: Uint8Array = new Uint8Array(0);
  private tail: Uint8Array = new Uint8Array(0);
  /** Takes the data of the CSV file once its header is read. */
  private content: Take | undefined;
  private skip = 0;
  private bytes = 0;
  private contentBytes = 0;
  private crc = 0;
  private trailing = 0;

  constructor(private readonly take: Take) {}

  push(chunk: Uint8Array, final: boolean): void {
    this.bytes += chunk.length;
    this.tail = Uint8Array.from(Buffer.concat([this.tail, chunk]).subarray(-MAX_END_BYTES));
    if (this.content !== undefined) this.content(chunk);
    else this.findContent(chunk);
    if (final) this.end();
  }

  private findContent(chunk: Uint8Array): void {
    this.pending = Uint8Array.from(Buffer.concat([this.pending, chunk]));
    for (;;) {
      const skipped = Math.min(this.skip, this.pending.length);
      this.skip -= skipped;
      this.pending = this.pending.subarray(skipped);
      const member = this.skip > 0 ? undefined : headerIn(this.pending);
      if (member === undefined) return;
      const { name, dataAt, compressedBytes } = member;
      if (CSV_MEMBER.test(name)) {
        this.content = member.method === 8 ? this.inflated() : this.stored(member);
        this.content(this.pending.subarray(dataAt));
        this.pending = new Uint8Array(0);
        return;
      }
      if (compressedBytes === undefined)
        throw new BrokenZip(`the header of ${name}, before the CSV file, states no size`);
      this.skip = dataAt + compressedBytes;
    }
  }

  private readonly give = (chunk: Uint8Array): void => {
    this.contentBytes += chunk.length;
    this.crc = crc32(chunk, this.crc);
    this.take(chunk);
  };

  private inflated(): Take {
    const inflate = new Inflate((chunk) => {
      if (chunk.length > 0) this.trailing = 0;
      this.give(chunk);
    });
    return (chunk) => {
      this.trailing += chunk.length;
      inflate.push(chunk);
      if (this.trailing > MAX_TRAILING_BYTES)
        throw new RefusedReply('malformed', 'the archive has more than its CSV file');
    };
  }

  private stored({ name, compressedBytes }: ZipMember): Take {
    if (compressedBytes === undefined) throw new BrokenZip(`the header of ${name} states no size`);
    let rest = compressedBytes;
    return (chunk) => {
      const own = chunk.subarray(0, rest);
      rest -= own.length;
      if (own.length > 0) this.give(own);
    };
  }

  private end(): void {
    const { offset, bytes } = directoryIn(this.tail);
    const from = offset - (this.bytes - this.tail.length);
    const entries = readEntries(this.tail.subarray(from, from + bytes));
    const [entry, second] = entries.filter(({ name }) => CSV_MEMBER.test(name));
    if (this.content === undefined) throw new RefusedReply('malformed', 'the archive has no CSV file');
    if (entry === undefined) throw new BrokenZip('its zip directory lacks the CSV file');
    if (second !== undefined) throw new RefusedReply('malformed', 'the archive has more than one CSV file');
    if (this.contentBytes !== entry.bytes) throw new BrokenZip('its CSV file is cut off');
    if (entry.crc !== this.crc) throw new RefusedReply('malformed', 'its CSV file has another checksum');
  }
}

/** A web page, as hosts send for an error with status 200, or text without compression. */
function plain(take: Take, name: string, first: Uint8Array): Format {
  const text = new TextDecoder().decode(first.subarray(0, FIRST_BYTES)).trimStart();
  refuseWebPage(name, text);
  if (text.startsWith('<')) throw new RefusedReply('malformed', `${name} is an XML document`);
  return { push: (chunk) => take(chunk) };
}

const startsWith = (bytes: Uint8Array, ...magic: readonly number[]): boolean =>
  magic.every((byte, index) => bytes[index] === byte);

/** Whether a file is Zstandard. Throws `RefusedReply` where its first frame needs too much memory. */
function isZstd(first: Uint8Array, name: string): boolean {
  if (startsWith(first, 0x28, 0xb5, 0x2f, 0xfd)) {
    if (windowBytes(first) > MAX_WINDOW)
      throw new RefusedReply('too-large', `${name} needs a window of ${windowBytes(first)} bytes`);
    return true;
  }
  // A skippable frame with metadata may come first.
  return ((first[0] ?? 0) & 0xf0) === 0x50 && startsWith(first.subarray(1), 0x2a, 0x4d, 0x18);
}

function detectFormat(first: Uint8Array, take: Take, name: string): Format {
  if (isZstd(first, name)) return zstd(take);
  if (startsWith(first, 0x50, 0x4b, 0x03, 0x04)) return new CsvArchive(take);
  return plain(take, name, first);
}

/** Enough to recognise a format or a web page. */
const FIRST_BYTES = 256;

/** Passes chunks on. Throws `RefusedReply` above `most` bytes. */
function limited(take: Take, most: number, what: string): Take {
  let bytes = 0;
  return (chunk) => {
    bytes += chunk.length;
    if (bytes > most) throw new RefusedReply('too-large', `${what} ${most} bytes`);
    take(chunk);
  };
}

/** Passes the content of a file on in chunks of any size; `name` is for messages. */
export function decompressor(name: string, take: Take, limits: SizeLimits): Decompressor {
  let first: Uint8Array = new Uint8Array(0);
  let format: Format | undefined;
  const counted = limited(take, limits.bytes, `${name} inflates to more than`);
  const handOn = (chunk: Uint8Array, final: boolean): void => {
    try {
      format ??= detectFormat(chunk, counted, name);
      format.push(chunk, final);
    } catch (error) {
      if (error instanceof RefusedReply) throw error;
      // The decoders expect good data: a fault may surface as any error.
      throw new RefusedReply(final ? 'truncated' : 'malformed', `${name}: ${(error as Error).message}`);
    }
  };
  const push: Take = (chunk) => {
    if (format !== undefined) return handOn(chunk, false);
    first = Uint8Array.from(Buffer.concat([first, chunk]));
    if (first.length >= FIRST_BYTES) handOn(first, false);
  };
  return {
    push: limited(push, limits.compressedBytes, `${name} is more than`),
    end() {
      if (format === undefined && first.length === 0) throw new RefusedReply('empty', `${name} is empty`);
      handOn(format === undefined ? first : new Uint8Array(0), true);
    },
  };
}
