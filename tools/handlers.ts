/** Builds every function into one self-contained file. */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Metafile, type Plugin } from 'esbuild';
import { OPERATION_IDS, ROUTES } from '../core/contracts/routes.ts';
import { folderOf } from '../lambdas/endpoints/endpoint.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The entry of each endpoint's function: it loads that endpoint and no other. */
const endpointEntries: Plugin = {
  name: 'endpoint-entries',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^endpoint:/ }, ({ path }) => ({
      path: path.slice('endpoint:'.length),
      namespace: 'endpoint',
    }));
    onLoad({ filter: /.*/, namespace: 'endpoint' }, ({ path: operation }) => {
      const isKeyed = ROUTES[operation as keyof typeof ROUTES].authenticated;
      const [handler, place, wiring] = isKeyed
        ? ['keyed-handler', 'function-tables', 'storeWiring']
        : ['open-handler', 'wiring', 'functionWiring'];
      return {
        contents: `import { ${operation} } from './lambdas/endpoints/${folderOf(operation)}.ts';
import { endpointHandler } from './lambdas/endpoints/${handler}.ts';
import { ${wiring} } from './lambdas/${place}.ts';
export const handler = endpointHandler('${operation}', ${operation}, ${wiring}(process.env));`,
        resolveDir: root,
      };
    });
  },
};

function entryPoints(): Record<string, string> {
  const endpoints = OPERATION_IDS.map((id) => [`lambdas/${folderOf(id)}/index`, `endpoint:${id}`]);
  const handlers = readdirSync(`${root}lambdas`)
    .filter((name) => existsSync(`${root}lambdas/${name}/index.ts`))
    .map((name) => [`lambdas/${name}/index`, `lambdas/${name}/index.ts`]);
  return Object.fromEntries([...endpoints, ...handlers]);
}

/** Removes builds whose folders no longer exist. */
function removeStale(outdir: string, entries: ReadonlySet<string>): void {
  const built = existsSync(`${outdir}/lambdas`) ? readdirSync(`${outdir}/lambdas`) : [];
  for (const name of built.filter((folder) => !entries.has(`lambdas/${folder}/index`)))
    rmSync(`${outdir}/lambdas/${name}`, { recursive: true });
}

/**
 * CommonJS loads faster than ESM, and `module` before `main` takes the small form of the AWS SDK. The target is the local Node, which is
 * older than Lambda's.
 */
export async function buildHandlers(outdir = `${root}dist`): Promise<Metafile> {
  const entries = entryPoints();
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    plugins: [endpointEntries],
    mainFields: ['module', 'main'],
    // Functions get their credentials from the environment, so the SDK's other providers are left out of the bundle.
    alias: { '@aws-sdk/credential-provider-node': './lambdas/function-credentials.ts' },
    // Beside the function and not in its asset: `npm run trace` reads them, and no start of a function does.
    sourcemap: 'external',
    sourcesContent: false,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  removeStale(outdir, new Set(Object.keys(entries)));
  writeFileSync(`${outdir}/meta.json`, JSON.stringify(metafile));
  return metafile;
}
