/** Bundles scripts and styles, and names every file after its content, so that it can be cached without expiry. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { WINDOWS } from '../../core/contracts/parameters.ts';
import { ALERT_RULES } from '../../core/metrics/alert-rules.ts';
import { routeValues } from '../../tools/route-values.ts';
import { HASHED_FILES } from '../served-headers.ts';
import type { AssetAddresses } from './layout.ts';
import { worldPaths } from './world.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const HASH_LENGTH = 10;

/** Writes `bytes` under `name` with their hash in it; returns the address. */
function written(name: string, bytes: Buffer, outDir: string): string {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, HASH_LENGTH);
  const extension = extname(name);
  const address = `${HASHED_FILES}${basename(name, extension)}-${hash}${extension}`;
  mkdirSync(join(outDir, HASHED_FILES), { recursive: true });
  writeFileSync(join(outDir, address), bytes);
  return address;
}

/** Pages need the windows of a request, not their schemas. */
const windows: Plugin = {
  name: 'windows',
  setup({ onLoad }) {
    onLoad({ filter: /contracts\/parameters\.ts$/ }, () => ({
      contents: `export const WINDOWS = ${JSON.stringify(WINDOWS)};`,
    }));
  },
};

interface Bundling {
  readonly outDir: string;
  readonly format: 'esm' | 'iife';
  readonly define: Readonly<Record<string, unknown>>;
}

/**
 * What a script imports later is a bundle of its own: a chunk that it shared with the script would be one more request before
 * anything is drawn.
 */
const laterImports = (bundling: Bundling): Plugin => ({
  name: 'later-imports',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /./ }, async ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const found = await resolve(path, { kind: 'import-statement', resolveDir });
      return { path: (await bundled(found.path, bundling)).script, external: true };
    });
  },
});

/** The bundle of a script and of the styles that it imports. */
async function bundled(file: string, bundling: Bundling): Promise<Omit<AssetAddresses, 'theme'>> {
  const { outDir, format, define } = bundling;
  // Entries of pages are called `main`: their folders tell them apart.
  const name = basename(file, '.ts') === 'main' ? basename(dirname(file)) : basename(file, extname(file));
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [{ in: file, out: name }],
    outdir: join(outDir, HASHED_FILES),
    bundle: true,
    minify: true,
    write: false,
    target: 'es2022',
    format,
    define: Object.fromEntries(Object.entries(define).map(([key, value]) => [key, JSON.stringify(value)])),
    legalComments: 'none',
    plugins: [routeValues, windows, laterImports(bundling)],
    logLevel: 'warning',
  });
  const addressOf = (extension: string): string => {
    const found = outputFiles.find(({ path }) => path.endsWith(extension));
    return found === undefined ? '' : written(`${name}${extension}`, Buffer.from(found.contents), outDir);
  };
  return { script: addressOf('.js'), style: addressOf('.css') };
}

export async function buildAssets(outDir: string) {
  const copied = (file: string): string =>
    written(file, readFileSync(`${root}node_modules/swagger-ui-dist/${file}`), outDir);
  const define = {
    WORLD_FILE: written('world.json', Buffer.from(JSON.stringify(worldPaths(1))), outDir),
    CONSOLE_FILES: {
      script: copied('swagger-ui-bundle.js'),
      style: copied('swagger-ui.css'),
    },
    /** The colours of the map change at the lines of the alerts. */
    SCORE_LINES: ALERT_RULES.congestion_score.threshold.lines,
  };
  const theme = (await bundled('portal/view/theme.ts', { outDir, format: 'iife', define: {} })).script;
  const page = async (file: string): Promise<AssetAddresses> => ({
    ...(await bundled(file, { outDir, format: 'esm', define })),
    theme,
  });
  return {
    explorer: await page('portal/explorer/main.ts'),
    docs: await page('portal/docs/main.ts'),
    tryIt: await page('portal/try-it/main.ts'),
  };
}
