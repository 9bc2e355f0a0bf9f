/**
 * Decompresses a file as it streams, by its first bytes: Zstandard (every frame), the only CSV member of a zip archive,
 * gzip, or plain text. Memory does not grow with the file. A file that is cut off is refused, not read in part.
 */
import { crc32 } from 'node:zlib';
import { Gunzip, Unzip, type UnzipDecoder, UnzipInflate } from 'fflate';
import { Decompress } from 'fzstd';
import { RefusedReply } from '../source.ts';
import { BrokenZip, directoryIn, MAX_END_BYTES, readEntries } from './zip.ts';

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

/**
 * The library decodes block by block, so a frame may be far larger than memory. It gets few
 * bytes at a time, because it recurses for every frame of a chunk.
 */
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

/** CRC-32 and size of the content after every member (RFC 1952). */
const GZIP_TRAILER_BYTES = 8;
/** A member's end is known only after the next header is read, which may contain a name. */
const MAX_GZIP_HEADER_BYTES = 4096;

/** Checks trailers, because the library does not: damage, and a file cut inside its trailer, would pass. */
class GzipMembers implements Format {
  private readonly gunzip: Gunzip;
  private recent: Uint8Array = new Uint8Array(0);
  private bytes = 0;
  private crc = 0;
  private size = 0;

  constructor(take: Take) {
    this.gunzip = new Gunzip((chunk) => {
      this.crc = crc32(chunk, this.crc);
      this.size += chunk.length;
      take(chunk);
    });
    this.gunzip.onmember = (startsAt) => this.checkTrailer(startsAt);
  }

  push(chunk: Uint8Array, final: boolean): void {
    this.bytes += chunk.length;
    const before = this.recent.subarray(-(MAX_GZIP_HEADER_BYTES + GZIP_TRAILER_BYTES));
    this.recent = Uint8Array.from(Buffer.concat([before, chunk]));
    this.gunzip.push(new Uint8Array(chunk), final);
    if (final) this.checkTrailer(this.bytes);
  }

  /** Checks the trailer of the member that ends at a position of the file. */
  private checkTrailer(endsAt: number): void {
    const at = endsAt - (this.bytes - this.recent.length) - GZIP_TRAILER_BYTES;
    if (at < 0) throw new RefusedReply('malformed', 'its gzip header is too long');
    const trailer = Buffer.from(this.recent.subarray(at, at + GZIP_TRAILER_BYTES));
    if (trailer.readUInt32LE(0) !== this.crc || trailer.readUInt32LE(4) !== this.size % 2 ** 32)
      throw new RefusedReply('malformed', 'its content is cut off, or has another checksum');
    this.crc = 0;
    this.size = 0;
  }
}

/** The archive's directory is read with `readEntries`, so members are distinguished by name only. */
const CSV_MEMBER = /\.csv$/i;

class CsvArchive implements Format {
  private readonly unzip: Unzip;
  private tail: Uint8Array = new Uint8Array(0);
  private bytes = 0;
  private members = 0;
  private isOver = false;
  private crc = 0;

  constructor(private readonly take: Take) {
    this.unzip = new Unzip((file) => {
      if (!CSV_MEMBER.test(file.name)) return;
      this.members += 1;
      if (this.members > 1) throw new RefusedReply('malformed', 'the archive has more than one CSV file');
      file.ondata = (error, chunk, final) => {
        if (error) throw error;
        this.crc = crc32(chunk, this.crc);
        this.take(chunk);
        this.isOver ||= final;
      };
      file.start();
    });
    this.unzip.register(UnzipInflate);
    this.unzip.register(Stored);
  }

  push(chunk: Uint8Array, final: boolean): void {
    this.bytes += chunk.length;
    const tail = Buffer.concat([this.tail, chunk]);
    this.tail = Uint8Array.from(tail.subarray(-MAX_END_BYTES));
    this.unzip.push(new Uint8Array(chunk), final);
    if (!final) return;
    if (this.members === 0) throw new RefusedReply('malformed', 'the archive has no CSV file');
    if (!this.isOver) throw new BrokenZip('its CSV file is cut off');
    const { offset, bytes } = directoryIn(this.tail);
    const from = offset - (this.bytes - this.tail.length);
    const entry = readEntries(this.tail.subarray(from, from + bytes)).find(({ name }) =>
      CSV_MEMBER.test(name),
    );
    if (entry?.crc !== this.crc) throw new RefusedReply('malformed', 'its CSV file has another checksum');
  }
}

class Stored implements UnzipDecoder {
  static readonly compression = 0;
  ondata: UnzipDecoder['ondata'] = () => undefined;
  push(chunk: Uint8Array<ArrayBuffer>, final: boolean): void {
    this.ondata(null, chunk, final);
  }
}

/** A web page, as hosts send for an error with status 200, or text without compression. */
function plain(take: Take, name: string, first: Uint8Array): Format {
  const text = new TextDecoder().decode(first.subarray(0, 256)).trimStart().toLowerCase();
  if (text.startsWith('<!doctype html') || text.startsWith('<html'))
    throw new RefusedReply('html', `${name} is a web page`);
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
  if (startsWith(first, 0x1f, 0x8b)) return new GzipMembers(take);
  return plain(take, name, first);
}

/** Enough to recognise a format or a web page. */
const FIRST_BYTES = 256;

/** Counts bytes. Throws `RefusedReply` above `most`. */
function counter(most: number, what: string): Take {
  let bytes = 0;
  return (chunk) => {
    bytes += chunk.length;
    if (bytes > most) throw new RefusedReply('too-large', `${what} ${most} bytes`);
  };
}

/** The decoders expect good data: a fault may surface as any error. */
function refusal(error: unknown, name: string, isAtEnd: boolean): RefusedReply {
  if (error instanceof RefusedReply) return error;
  return new RefusedReply(isAtEnd ? 'truncated' : 'malformed', `${name}: ${(error as Error).message}`);
}

/** Passes the content of a file on in chunks of any size; `name` is for messages. */
export function decompressor(name: string, take: Take, limits: SizeLimits): Decompressor {
  let first: Uint8Array = new Uint8Array(0);
  let format: Format | undefined;
  const countFile = counter(limits.compressedBytes, `${name} is more than`);
  const countContent = counter(limits.bytes, `${name} inflates to more than`);
  const counted: Take = (chunk) => {
    countContent(chunk);
    take(chunk);
  };
  const handOn = (chunk: Uint8Array, final: boolean): void => {
    try {
      format ??= detectFormat(chunk, counted, name);
      format.push(chunk, final);
    } catch (error) {
      throw refusal(error, name, final);
    }
  };
  return {
    push(chunk) {
      countFile(chunk);
      if (format !== undefined) return handOn(chunk, false);
      first = Uint8Array.from(Buffer.concat([first, chunk]));
      if (first.length >= FIRST_BYTES) handOn(first, false);
    },
    end() {
      if (format === undefined && first.length === 0) throw new RefusedReply('empty', `${name} is empty`);
      handOn(format === undefined ? first : new Uint8Array(0), true);
    },
  };
}
