/** Bundles scripts and styles, and names every file after its content, so that it can be cached without expiry. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { WINDOWS } from '../../core/contracts/parameters.ts';
import { ALERT_RULES } from '../../core/metrics/alert-rules.ts';
import { routeValues } from '../../tools/route-values.ts';
import { HASHED_FILES } from '../served-headers.ts';
import type { AssetAddresses } from './layout.ts';
import { worldPaths } from './world-paths.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const HASH_LENGTH = 10;

export interface PortalAssets {
  readonly explorer: AssetAddresses;
  readonly docs: AssetAddresses;
  readonly tryIt: AssetAddresses;
}

/** Writes `bytes` under `name` with their hash in it; returns the address. */
function written(name: string, bytes: Buffer, outDir: string): string {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, HASH_LENGTH);
  const extension = extname(name);
  const address = `${HASHED_FILES}${basename(name, extension)}-${hash}${extension}`;
  mkdirSync(join(outDir, HASHED_FILES), { recursive: true });
  writeFileSync(join(outDir, address), bytes);
  return address;
}

/** The same of a file of a package. */
const copied = (file: string, outDir: string): string =>
  written(file, readFileSync(`${root}node_modules/${file}`), outDir);

/**
 * Parts of the explorer that it loads when they are needed. Each is a bundle of its own: a chunk shared with the explorer would be
 * one more request before anything is drawn.
 */
const LATER = {
  map: 'portal/map/world-map.ts',
  port: 'portal/explorer/port-details.ts',
  imports: 'portal/explorer/imports-view.ts',
  compare: 'portal/explorer/compare-view.ts',
} as const;
const ENTRIES = {
  explorer: 'portal/explorer/main.ts',
  tryIt: 'portal/try-it/main.ts',
} as const;
/** Apart from the others: what a page does not use at once is in files of its own, and shared with no other entry. */
const DOCS = { docs: 'portal/docs/main.ts' } as const;
/** Pages need the windows of a request, not their schemas. */
const windows: Plugin = {
  name: 'windows',
  setup({ onLoad }) {
    onLoad({ filter: /contracts\/parameters\.ts$/ }, () => ({
      contents: `export const WINDOWS = ${JSON.stringify(WINDOWS)};`,
    }));
  },
};
/** Loaded before the page is drawn. */
const THEME = 'portal/view/theme.ts';

const fileAddress = (path: string): string => `${HASHED_FILES}${basename(path)}`;

type Bundle = Pick<AssetAddresses, 'script' | 'style'>;

interface BundleOptions {
  readonly outDir: string;
  readonly format: 'esm' | 'iife';
  /** Constants of the scripts, by name. */
  readonly define?: Readonly<Record<string, unknown>>;
  /** Parts that are imported later are files of their own. */
  readonly splitting?: true;
}

/** A bundle of each file, by its name. */
async function bundled<N extends string>(
  files: Readonly<Record<N, string>>,
  { outDir, format, define = {}, splitting }: BundleOptions,
): Promise<(name: N) => Bundle> {
  const { metafile } = await build({
    absWorkingDir: root,
    outdir: join(outDir, HASHED_FILES),
    outbase: root,
    entryPoints: Object.entries<string>(files).map(([out, file]) => ({ in: file, out })),
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    target: 'es2022',
    format,
    splitting: splitting ?? false,
    define: Object.fromEntries(Object.entries(define).map(([name, value]) => [name, JSON.stringify(value)])),
    legalComments: 'none',
    metafile: true,
    plugins: [routeValues, windows],
    // Addresses of parts that are loaded later.
    external: [`${HASHED_FILES}*`],
    logLevel: 'warning',
  });
  const outputs = Object.entries(metafile.outputs);
  return (name) => {
    const [path, output] = outputs.find(([, { entryPoint }]) => entryPoint === files[name]) ?? [];
    if (path === undefined || output === undefined) throw new Error(`${files[name]} was not built`);
    const style = output.cssBundle === undefined ? '' : fileAddress(output.cssBundle);
    return { script: fileAddress(path), style };
  };
}

export async function buildAssets(outDir: string): Promise<PortalAssets> {
  const lines = ALERT_RULES.congestion_score.threshold?.lines;
  if (!lines) throw new Error('the congestion score has no lines for the colours of the map');
  const world = written('world.json', Buffer.from(JSON.stringify(worldPaths(1))), outDir);
  const esm = { outDir, format: 'esm' } as const;
  const later = await bundled(LATER, { ...esm, define: { WORLD_FILE: world } });
  const pages = await bundled(ENTRIES, {
    ...esm,
    define: {
      MAP_SCRIPT: later('map').script,
      PORT_SCRIPT: later('port').script,
      IMPORTS_SCRIPT: later('imports').script,
      COMPARE_SCRIPT: later('compare').script,
      CONSOLE_FILES: {
        script: copied('swagger-ui-dist/swagger-ui-bundle.js', outDir),
        style: copied('swagger-ui-dist/swagger-ui.css', outDir),
      },
      SCORE_LINES: lines,
    },
  });
  const documentation = await bundled(DOCS, { ...esm, splitting: true });
  const theme = (await bundled({ theme: THEME }, { outDir, format: 'iife' }))('theme').script;
  return {
    explorer: { ...pages('explorer'), theme },
    docs: { ...documentation('docs'), theme },
    tryIt: { ...pages('tryIt'), theme },
  };
}
