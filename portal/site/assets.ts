/** Bundles scripts and styles, and names every file after its content, so that it can be cached without expiry. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { ALERT_RULES } from '../../core/metrics/alert-rules.ts';
import { HASHED_FILES } from '../served-headers.ts';
import type { AssetAddresses } from './layout.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const HASH_LENGTH = 10;

export interface PortalAssets {
  readonly explorer: AssetAddresses;
  readonly docs: AssetAddresses;
  readonly tryIt: AssetAddresses;
}

/** Copies a file of a package under a name with its hash; returns its address. */
function copied(file: string, outDir: string): string {
  const bytes = readFileSync(`${root}node_modules/${file}`);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, HASH_LENGTH);
  const extension = extname(file);
  const address = `${HASHED_FILES}${basename(file, extension)}-${hash}${extension}`;
  mkdirSync(join(outDir, HASHED_FILES), { recursive: true });
  writeFileSync(join(outDir, address), bytes);
  return address;
}

const ENTRIES = {
  explorer: 'portal/explorer/main.ts',
  tryIt: 'portal/try-it/main.ts',
} as const;
/** Apart from the others: what a page does not use at once is in files of its own, and shared with no other entry. */
const DOCS = 'portal/docs/main.ts';
const THEME = 'portal/view/theme.ts';

export async function buildAssets(outDir: string): Promise<PortalAssets> {
  const world = copied('world-atlas/countries-110m.json', outDir);
  const consoleFiles = {
    script: copied('swagger-ui-dist/swagger-ui-bundle.js', outDir),
    style: copied('swagger-ui-dist/swagger-ui.css', outDir),
  };
  const lines = ALERT_RULES.congestion_score.threshold?.lines;
  if (!lines) throw new Error('the congestion score has no lines for the colours of the map');
  const shared = {
    absWorkingDir: root,
    outdir: join(outDir, HASHED_FILES),
    outbase: root,
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    target: 'es2022',
    sourcemap: false,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  } as const;
  const { metafile } = await build({
    ...shared,
    entryPoints: Object.entries(ENTRIES).map(([out, file]) => ({ in: file, out })),
    format: 'esm',
    define: {
      WORLD_FILE: JSON.stringify(world),
      SCORE_LINES: JSON.stringify(lines),
      CONSOLE_FILES: JSON.stringify(consoleFiles),
    },
  });
  const documentation = await build({
    ...shared,
    entryPoints: [{ in: DOCS, out: 'docs' }],
    format: 'esm',
    splitting: true,
  });
  const early = await build({ ...shared, entryPoints: [{ in: THEME, out: 'theme' }], format: 'iife' });
  const outputs = Object.entries({
    ...metafile.outputs,
    ...documentation.metafile.outputs,
    ...early.metafile.outputs,
  });
  const addressOf = (path: string): string => `${HASHED_FILES}${basename(path)}`;
  const found = (file: string): Pick<AssetAddresses, 'script' | 'style'> => {
    const [path, output] = outputs.find(([, { entryPoint }]) => entryPoint === file) ?? [];
    if (path === undefined || output === undefined) throw new Error(`${file} was not built`);
    return {
      script: addressOf(path),
      style: output.cssBundle === undefined ? '' : addressOf(output.cssBundle),
    };
  };
  const theme = found(THEME).script;
  return {
    explorer: { ...found(ENTRIES.explorer), theme },
    docs: { ...found(DOCS), theme },
    tryIt: { ...found(ENTRIES.tryIt), theme },
  };
}
