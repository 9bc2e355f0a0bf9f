/** Real replies that may not be in the repository: recordings/replies.json lists them, REAL_REPLIES names the folder that has them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { FetchedFiles } from '../../core/upstream/source.ts';
import { readReplyList } from '../../tools/coverage/evidence.ts';
import { RECORDINGS } from './recordings.ts';

const folder = process.env.REAL_REPLIES;

export const ELSEWHERE = readReplyList(RECORDINGS).elsewhere.map((reply) => {
  const paths = Object.values(reply.files).map((path) => join(folder ?? '', path));
  const missing = paths.find((path) => !existsSync(path));
  return {
    ...reply,
    /** Why it cannot be read; undefined when it can. */
    absent: folder === undefined ? 'REAL_REPLIES names no folder' : missing && `there is no ${missing}`,
    read: (): FetchedFiles =>
      new Map(Object.keys(reply.files).map((name, index) => [name, bytesOf(paths[index] ?? '')])),
  };
});

function bytesOf(path: string): Uint8Array {
  const bytes = readFileSync(path);
  return path.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}
