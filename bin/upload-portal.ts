/** `npm run upload:portal -- BUCKET`: uploads dist/portal to the bucket in the stack's outputs. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { S3Client } from '@aws-sdk/client-s3';
import { uploadPortal } from '../site/upload.ts';

const PORTAL_DIR = fileURLToPath(new URL('../dist/portal', import.meta.url));

const [, , bucket, ...rest] = process.argv;
if (bucket === undefined || rest.length > 0 || bucket.startsWith('-')) {
  console.error('usage: npm run upload:portal -- BUCKET   (the output PortalBucketName of the portal stack)');
  process.exit(2);
}
if (!existsSync(PORTAL_DIR)) {
  console.error('the portal is not built: npm run build:portal');
  process.exit(1);
}
const files = await uploadPortal(new S3Client({}), bucket, PORTAL_DIR);
console.log(`${files.length} files in ${bucket}`);
