/** The forms of a zip archive that a day file may have: sizes before or after the data, and the 64-bit form of a small archive. */
import { crc32, deflateRawSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { decompressor } from '../../../core/upstream/files/compression.ts';

interface Member {
  readonly name: string;
  readonly text: string;
}
interface Form {
  /** Sizes and checksum follow the data, as Java writes them. */
  readonly sizesLater?: boolean;
  readonly isStored?: boolean;
  /** Sizes, offsets and the end of the directory in the 64-bit form. */
  readonly is64?: boolean;
}

const HIDDEN = 0xffffffff;

function little(...values: readonly (readonly [bytes: 2 | 4 | 8, value: number])[]): Buffer {
  return Buffer.concat(
    values.map(([bytes, value]) => {
      const buffer = Buffer.alloc(bytes);
      if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value));
      else buffer.writeUIntLE(value, 0, bytes);
      return buffer;
    }),
  );
}

function archiveOf(
  members: readonly Member[],
  { sizesLater = false, isStored = false, is64 = false }: Form,
): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  const sizeOf = (some: readonly Buffer[]): number => some.reduce((sum, part) => sum + part.length, 0);
  for (const { name, text } of members) {
    const content = Buffer.from(text);
    // Uncompressed blocks keep the signatures within the text as they are.
    const data = isStored ? content : deflateRawSync(content, { level: 0 });
    const at = sizeOf(parts);
    const sizes = [content.length, data.length] as const;
    const extra = is64 ? little([2, 1], [2, 16], [8, sizes[0]], [8, sizes[1]]) : Buffer.alloc(0);
    const [bytes, compressed] = is64 ? [HIDDEN, HIDDEN] : sizes;
    const method = isStored ? 0 : 8;
    const check = crc32(content);
    const head = [
      [2, 45],
      [2, sizesLater ? 8 : 0],
      [2, method],
      [4, 0],
    ] as const;
    const stated = sizesLater ? [0, 0, 0] : [check, compressed, bytes];
    parts.push(
      little([4, 0x04034b50], ...head, ...stated.map((value) => [4, value] as const), [2, name.length]),
      little([2, sizesLater ? 0 : extra.length]),
      Buffer.from(name),
      sizesLater ? Buffer.alloc(0) : extra,
      data,
    );
    if (sizesLater) parts.push(little([4, 0x08074b50], [4, check], [4, sizes[1]], [4, sizes[0]]));
    directory.push(
      little([4, 0x02014b50], [2, 45], ...head, [4, check], [4, compressed], [4, bytes], [2, name.length]),
      little([2, extra.length], [2, 0], [2, 0], [2, 0], [4, 0], [4, at]),
      Buffer.from(name),
      extra,
    );
  }
  const [from, length, count] = [sizeOf(parts), sizeOf(directory), members.length];
  const end64 = [
    little(
      [4, 0x06064b50],
      [8, 44],
      [2, 45],
      [2, 45],
      [4, 0],
      [4, 0],
      [8, count],
      [8, count],
      [8, length],
      [8, from],
    ),
    little([4, 0x07064b50], [4, 0], [8, from + length], [4, 1]),
  ];
  const [statedLength, statedFrom] = is64 ? [HIDDEN, HIDDEN] : [length, from];
  const end = little(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, statedLength],
    [4, statedFrom],
    [2, 0],
  );
  return Buffer.concat([...parts, ...directory, ...(is64 ? end64 : []), end]);
}

function contentOf(archive: Uint8Array, chunk: number): string {
  const pieces: Uint8Array[] = [];
  const limits = { compressedBytes: 1_000_000, bytes: 1_000_000 };
  const reader = decompressor('day.zip', (piece) => pieces.push(Uint8Array.from(piece)), limits);
  for (let at = 0; at < archive.length; at += chunk) reader.push(archive.subarray(at, at + chunk));
  reader.end();
  return Buffer.concat(pieces).toString();
}

const TEXT = `mmsi,name\n${'219000001,PK\u0007\u0008 PK\u0003\u0004 PK\u0001\u0002 PK\u0005\u0006\n'.repeat(900)}`;
const CSV = { name: 'aisdk-2026-01-05.csv', text: TEXT };
const NOTE = { name: 'readme.txt', text: 'Positions of one day' };

it.each<[string, readonly Member[], Form]>([
  ['sizes before the data', [CSV], {}],
  ['sizes after the data, and signatures within', [CSV], { sizesLater: true }],
  ['a member that is not compressed', [CSV], { isStored: true }],
  ['the 64-bit form', [CSV], { is64: true }],
  ['another member before it', [NOTE, CSV], {}],
  ['another member after it', [CSV, NOTE], { sizesLater: true }],
])('a zip archive with %s is read in chunks of any size', (_, members, form) => {
  const archive = archiveOf(members, form);
  for (const chunk of [997, archive.length]) expect(contentOf(archive, chunk)).toBe(TEXT);
});

it.each<[string, Buffer, string]>([
  ['two CSV files', archiveOf([CSV, { ...CSV, name: 'b.csv' }], {}), 'malformed'],
  ['no CSV file', archiveOf([NOTE, { ...NOTE, name: 'b.txt', text: TEXT }], {}), 'malformed'],
  ['its end cut off', archiveOf([CSV], { sizesLater: true }).subarray(0, 20_000), 'truncated'],
  ['an earlier member without a size', archiveOf([NOTE, CSV], { sizesLater: true }), 'malformed'],
])('a zip archive with %s is refused', (_, archive, reason) => {
  expect(() => contentOf(archive, 1000)).toThrow(expect.objectContaining({ reason }));
});
