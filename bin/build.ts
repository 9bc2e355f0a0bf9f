/** `npm run build -- [PART...]`: the functions as they are deployed and served, a stage's portal, and the packages that are published. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { S3Client } from '@aws-sdk/client-s3';
import { Argument } from 'commander';
import { build } from 'esbuild';
import { readStageConfig } from '../lib/stage-config.ts';
import { command, parse, run } from '../local/command-line.ts';
import { buildClient } from '../packages/client/build/bundle.ts';
import { buildPortal } from '../portal/site/build.ts';
import { uploadPortal } from '../portal/site/upload.ts';
import { buildHandlers } from '../tools/handlers.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Options {
  readonly stage?: string;
  readonly contact?: string;
  readonly api?: string;
  readonly upload?: string;
}

async function functions(): Promise<void> {
  const { outputs } = await buildHandlers();
  for (const [path, { bytes }] of Object.entries(outputs).filter(([path]) => path.endsWith('.cjs')))
    console.log(`${path} ${Math.ceil(bytes / 1024)} KB`);
}

/** With the contact and the demo key of the stage's settings. Without an address of the API it is that of the portal. */
async function portal({ upload, api = '/', ...given }: Options): Promise<void> {
  const { context } = JSON.parse(readFileSync(`${root}cdk.json`, 'utf8')) as { context: object };
  const { contact, demoKey } = readStageConfig({ ...context, ...given });
  await buildPortal(`${root}dist/portal`, { contact, demoKey, apiAddress: api.replace(/(?<=.)\/$/, '') });
  if (upload === undefined) return;
  const files = await uploadPortal(new S3Client({}), upload, `${root}dist/portal`);
  console.log(`${files.length} files in ${upload}`);
}

async function client(): Promise<void> {
  console.log(`packages/client/dist/index.js ${await buildClient()} bytes gzipped`);
}

async function mcp(): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: ['packages/mcp/main.ts'],
    outfile: 'packages/mcp/dist/main.mjs',
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    minifySyntax: true,
    logLevel: 'warning',
  });
}

const PARTS: Readonly<Record<string, (options: Options) => Promise<void>>> = {
  functions,
  portal,
  client,
  mcp,
};

await run(async () => {
  const definition = command(
    'npm run build --',
    'Builds every function into dist/lambdas, or the named parts.',
  )
    .addArgument(new Argument('[part...]').choices(Object.keys(PARTS)))
    .option('--stage <name>', 'of the portal: dev or prod')
    .option('--contact <address>', "of the portal: in place of that of the stage's settings")
    .option(
      '--api <address>',
      'of the portal: where the API is reached, for the OpenAPI document and Postman',
    )
    .option(
      '--upload <bucket>',
      'of the portal: uploads it to the output PortalBucketName of the portal stack',
    );
  const options = parse<Options>(definition);
  const parts = definition.args.length > 0 ? definition.args : ['functions'];
  for (const part of parts) await PARTS[part]?.(options);
});
