/**
 * Extracts the wanted members of a large zip archive on the web: by HTTP ranges where the host supports
 * them, else by one pass over the whole stream. Only the wanted members are in memory, and nothing is written to disk.
 */
import { Unzip, type UnzipDecoder } from 'fflate';
import {
  BrokenZip,
  directoryIn,
  HEADER_ALLOWANCE_BYTES,
  MAX_END_BYTES,
  memberIn,
  readContent,
  readEntries,
  toZip,
  type ZipEntry,
} from '../../upstream/files/zip.ts';
import { type HttpClient, type ReplyHead, UpstreamFailure } from '../../upstream/http/http-client.ts';

const OK = 200;
const PARTIAL = 206;

export interface WantedMembers {
  /** Names of the wanted members, without their folders. */
  readonly names: ReadonlySet<string>;
  /** Largest compressed and largest inflated size of one member, in bytes. */
  readonly maxCompressedBytes: number;
  readonly maxBytes: number;
}

const baseName = (path: string): string => path.split('/').at(-1) ?? path;

const broken = (url: string, why: string): UpstreamFailure =>
  new UpstreamFailure('malformed', `${url}: ${why}`);

/** Runs `read`; a broken archive is a failure of the upstream, so that its next address is tried. */
async function readZip<T>(url: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof BrokenZip ? broken(url, error.message) : error;
  }
}

/** Every wanted member that the archive has, by name, each as a zip archive of its own. Throws `UpstreamFailure`. */
export function downloadMembers(
  http: HttpClient,
  url: string,
  wanted: WantedMembers,
): Promise<Map<string, Uint8Array>> {
  return readZip(url, async () => {
    const collected = new Collected(wanted);
    let tail: Uint8Array | undefined;
    const headers = { 'accept-encoding': 'identity', range: `bytes=-${MAX_END_BYTES}` };
    const head = await http.get(url, headers, async (chunks, { status }) => {
      if (status === PARTIAL) tail = await bounded(url, chunks, MAX_END_BYTES);
      else if (status === OK) await readZip(url, () => readStream(url, chunks, collected));
    });
    if (head.status === OK) return collected.members;
    if (head.status !== PARTIAL || tail === undefined)
      throw new UpstreamFailure('refused', `${url}: status ${head.status}`);
    await readRanges(http, { url, head, tail }, collected);
    return collected.members;
  });
}

/** The wanted members that have been found, under the limits of their sizes. */
class Collected {
  readonly members = new Map<string, Uint8Array>();

  constructor(readonly wanted: WantedMembers) {}

  isWanted(path: string): boolean {
    return this.wanted.names.has(baseName(path)) && !this.members.has(baseName(path));
  }

  get isWhole(): boolean {
    return this.members.size === this.wanted.names.size;
  }

  add(member: { path: string; method: number; crc: number | undefined }, compressed: Uint8Array): void {
    const name = baseName(member.path);
    const content = readContent({ ...member, name }, compressed, this.wanted.maxBytes);
    this.members.set(name, toZip(name, member.method, compressed, content));
  }
}

async function bounded(url: string, chunks: AsyncIterable<Uint8Array>, largest: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > largest) throw new UpstreamFailure('too-large', `${url}: more than ${largest} bytes`);
    parts.push(chunk);
  }
  return Uint8Array.from(Buffer.concat(parts));
}

interface RangedArchive {
  readonly url: string;
  readonly head: ReplyHead;
  /** Its last bytes. */
  readonly tail: Uint8Array;
}

/** Reads the directory at the archive's end, and then each wanted member by a range of its own. */
async function readRanges(http: HttpClient, { url, head, tail }: RangedArchive, collected: Collected) {
  const total = Number(/^bytes \d+-\d+\/(\d+)$/.exec(head.headers['content-range'] ?? '')?.[1]);
  if (!Number.isSafeInteger(total)) throw broken(url, 'a range without its place in the archive');
  const { etag } = head.headers;
  // An archive that is replaced between two ranges is sent whole, with status 200.
  const unchanged: Record<string, string> = etag?.startsWith('"') ? { 'if-range': etag } : {};
  const range = async (from: number, to: number): Promise<Uint8Array> => {
    const tailFrom = total - tail.length;
    if (from >= tailFrom) return tail.subarray(from - tailFrom, to - tailFrom);
    const largest = to - from;
    let part: Uint8Array | undefined;
    const headers = { 'accept-encoding': 'identity', range: `bytes=${from}-${to - 1}`, ...unchanged };
    const { status } = await http.get(url, headers, async (chunks, reply) => {
      part = reply.status === PARTIAL ? await bounded(url, chunks, largest) : undefined;
    });
    if (part === undefined) throw new UpstreamFailure('refused', `${url}: status ${status} to a range`);
    return part;
  };

  const directory = directoryIn(tail);
  if (directory.offset + directory.bytes > total) throw broken(url, 'its zip directory lies outside of it');
  const entries = readEntries(await range(directory.offset, directory.offset + directory.bytes));
  for (const entry of entries) {
    if (!collected.isWanted(entry.name)) continue;
    checkSize(url, entry, collected.wanted);
    const longest = entry.offset + entry.compressedBytes + entry.name.length * 4 + HEADER_ALLOWANCE_BYTES;
    const part = await range(entry.offset, Math.min(longest, directory.offset));
    const { name: path, method, crc } = entry;
    collected.add({ path, method, crc }, memberIn(part, entry));
  }
}

function checkSize(url: string, entry: ZipEntry, wanted: WantedMembers): void {
  if (entry.compressedBytes > wanted.maxCompressedBytes || entry.bytes > wanted.maxBytes)
    throw new UpstreamFailure('too-large', `${url}: ${entry.name} has ${entry.bytes} bytes`);
}

/** Passes the bytes of a member on unchanged: wanted members are inflated later, the others never. */
class PassThrough implements UnzipDecoder {
  static readonly compression: number = 8;
  ondata: UnzipDecoder['ondata'] = () => undefined;
  push(chunk: Uint8Array<ArrayBuffer>, final: boolean): void {
    this.ondata(null, chunk, final);
  }
}

class Stored extends PassThrough {
  static override readonly compression = 0;
}

/** Reads the archive from its beginning until every wanted member is found, or to its end. */
async function readStream(url: string, chunks: AsyncIterable<Uint8Array>, collected: Collected) {
  const { maxCompressedBytes } = collected.wanted;
  // An earlier attempt that broke off may have left members of an archive that has been replaced since.
  collected.members.clear();
  let failure: unknown;
  const unzip = new Unzip((file) => {
    const isWanted = collected.isWanted(file.name);
    const parts: Uint8Array[] = [];
    let size = 0;
    file.ondata = (error, chunk, final) => {
      if (error) failure ??= broken(url, `${file.name}: ${error.message}`);
      if (!isWanted || failure !== undefined) return;
      size += chunk.byteLength;
      if (size > maxCompressedBytes) {
        failure = new UpstreamFailure('too-large', `${url}: ${file.name} is more than ${size} bytes`);
        return;
      }
      parts.push(chunk);
      if (!final) return;
      const member = { path: file.name, method: file.compression, crc: undefined };
      try {
        collected.add(member, Uint8Array.from(Buffer.concat(parts)));
      } catch (fault) {
        failure = fault;
      }
    };
    file.start();
  });
  unzip.register(PassThrough);
  unzip.register(Stored);
  let end: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    unzip.push(Uint8Array.from(chunk));
    if (failure !== undefined) throw failure;
    if (collected.isWhole) return;
    end = Buffer.concat([end, chunk]).subarray(-MAX_END_BYTES);
  }
  // Without its end the archive may have been cut off before a wanted member.
  directoryIn(end);
}
