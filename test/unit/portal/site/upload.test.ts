/** The upload of the portal: order, types and keeping times, on a mocked S3. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import { IMMUTABLE, REVALIDATED } from '../../../../portal/served-headers.ts';
import { uploadPortal } from '../../../../portal/site/upload.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'upload-'));
  for (const path of ['index.html', 'docs/errors.md', 'assets/main-1a2b.js']) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), path);
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('puts hashed files first, each under its type', async () => {
  const s3 = mockClient(S3Client);
  await uploadPortal(new S3Client({}), 'bucket', folder);
  const put = s3.commandCalls(PutObjectCommand).map(({ args }) => args[0].input);
  expect(put.map(({ Key, ContentType, CacheControl }) => [Key, ContentType, CacheControl])).toEqual([
    ['assets/main-1a2b.js', 'text/javascript; charset=utf-8', IMMUTABLE],
    ['docs/errors.md', 'text/markdown; charset=utf-8', REVALIDATED],
    ['index.html', 'text/html; charset=utf-8', REVALIDATED],
  ]);
  expect(put.every(({ Bucket }) => Bucket === 'bucket')).toBe(true);
});

it('uploads no file without a content type', async () => {
  const s3 = mockClient(S3Client);
  writeFileSync(join(folder, 'assets', 'notes.docx'), '');
  await expect(uploadPortal(new S3Client({}), 'bucket', folder)).rejects.toThrow('no content type');
  expect(
    s3.commandCalls(PutObjectCommand).every(({ args }) => args[0].input.Key?.startsWith('assets/')),
  ).toBe(true);
});
