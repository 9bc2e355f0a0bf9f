/** Builds every function, and the local-only programs, each into one self-contained file. */
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
      const wiring = ROUTES[operation as keyof typeof ROUTES].authenticated ? 'keyed' : 'open';
      return {
        contents: `import { ${operation} } from './lambdas/endpoints/${folderOf(operation)}.ts';
import { endpointHandler } from './lambdas/endpoints/${wiring}-handler.ts';
export const handler = endpointHandler('${operation}', ${operation});`,
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
  // A program of `npm start` alone; never part of a deployment.
  const local = ['local/sample-ingest/index', 'local/service/sample-ingest.ts'];
  return Object.fromEntries([...endpoints, ...handlers, local]);
}

/** Removes builds whose folders no longer exist; a running service keeps its files. */
function removeStale(outdir: string, entries: ReadonlySet<string>): void {
  for (const kind of ['lambdas', 'local']) {
    const built = existsSync(`${outdir}/${kind}`) ? readdirSync(`${outdir}/${kind}`) : [];
    for (const name of built.filter((folder) => !entries.has(`${kind}/${folder}/index`))) {
      rmSync(`${outdir}/${kind}/${name}`, { recursive: true });
    }
  }
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
    // `import()` of Node's own modules becomes `require`: the local service loads each copy with a require of its own.
    supported: { 'dynamic-import': false },
    sourcemap: false,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  removeStale(outdir, new Set(Object.keys(entries)));
  writeFileSync(`${outdir}/meta.json`, JSON.stringify(metafile));
  return metafile;
}
