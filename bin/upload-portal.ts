/** `npm run upload:portal -- BUCKET`: uploads dist/portal to the bucket in the stack's outputs. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { S3Client } from '@aws-sdk/client-s3';
import { command, parse, run } from '../local/command-line.ts';
import { StartError } from '../local/start-error.ts';
import { uploadPortal } from '../portal/site/upload.ts';

const PORTAL_DIR = fileURLToPath(new URL('../dist/portal', import.meta.url));

await run(async () => {
  const definition = command('npm run upload:portal --', 'Uploads dist/portal.').argument(
    '<bucket>',
    'the output PortalBucketName of the portal stack',
  );
  parse(definition);
  const [bucket = ''] = definition.args;
  if (!existsSync(PORTAL_DIR)) throw new StartError('the portal is not built: npm run build:portal');
  const files = await uploadPortal(new S3Client({}), bucket, PORTAL_DIR);
  console.log(`${files.length} files in ${bucket}`);
});
