// Allowed imports. Every folder is listed with the folders that it may import; everything else is forbidden.
// `node --import tsx bin/check.ts` and the architecture tests read this; a new folder without a line is an error there.

/** What the ingest imports, and the release, which reads what it wrote. */
const PIPELINE = [
  'core/reference',
  'core/calls',
  'core/metrics',
  'core/upstream',
  'core/positions',
  'core/sources',
  'core/store',
  'core/contracts',
];

const ROOMS = {
  'core/reference': [],
  'core/calls': ['core/reference'],
  'core/metrics': ['core/reference', 'core/calls'],
  'core/upstream': ['core/reference', 'core/calls'],
  'core/positions': ['core/reference', 'core/calls', 'core/upstream'],
  'core/sources': ['core/reference', 'core/calls', 'core/upstream', 'core/positions'],
  'core/contracts': ['core/reference', 'core/metrics/alert-rules.ts'],
  'core/store': [
    'core/reference',
    'core/calls',
    'core/metrics',
    'core/contracts',
    'core/upstream/files/zip.ts',
    'core/upstream/judgement.ts',
  ],
  'core/access': ['core/reference', 'core/contracts', 'core/store'],
  'core/ingest': PIPELINE,
  'core/http': ['core/contracts', 'core/access'],
  'core/release': PIPELINE,
  lambdas: ['core'],
  lib: [
    'core/contracts',
    'core/sources/declarations.ts',
    'lambdas/endpoints',
    'core/store/tables.ts',
    'core/store/release-place.ts',
    'core/release/columns.ts',
    'core/release/store-tables.ts',
    'core/access',
    'core/http/gateway-errors.ts',
    'portal/served-headers.ts',
  ],
  // The host of the functions on one machine.
  local: [
    ...['core/contracts', 'core/http', 'core/access', 'core/reference', 'core/upstream'],
    ...['core/sources', 'core/ingest', 'core/release', 'core/store'],
    'lambdas',
    'packages/mcp/http.ts',
    'portal/served-headers.ts',
    'portal/settings-block.ts',
  ],
  'packages/client/build': ['tools/openapi'],
  'packages/client': [],
  'packages/mcp': ['packages/client', 'core/contracts', 'core/reference', 'core/upstream', 'core/sources'],
  portal: ['core/contracts', 'core/reference/statistics.ts', 'core/reference/time.ts'],
  'portal/site': [
    'core/contracts',
    'core/reference',
    'core/upstream',
    'core/positions',
    'core/sources',
    'core/metrics/alert-rules.ts',
    'core/http/gateway-errors.ts',
    'tools/route-values.ts',
    'portal',
  ],
};

const PURE = '^core/(reference|calls|positions|metrics|contracts|access)/';
const SDK = 'node_modules/@aws-sdk/';

const TOP = '^(core|lambdas|lib|local|packages|portal|studies|tools|bin|test)/';

/** Files of `folder`; those of a folder within it that has a line of its own are not. */
function filesOf(folder) {
  const inner = Object.keys(ROOMS).filter((other) => other.startsWith(`${folder}/`));
  const names = inner.map((other) => other.slice(folder.length + 1));
  return names.length === 0 ? `^${folder}/` : `^${folder}/(?!(?:${names.join('|')})/)`;
}

const forbidden = Object.entries(ROOMS).map(([room, allowed]) => ({
  name: `${room.replace('core/', '')}-imports`,
  comment: `${room} may import ${allowed.length === 0 ? 'no other folder' : allowed.join(', ')}`,
  severity: 'error',
  from: { path: filesOf(room) },
  to: {
    path: TOP,
    pathNot: [filesOf(room), ...allowed.map((path) => `^${path}${path.endsWith('.ts') ? '$' : '/'}`)],
  },
}));

export default {
  forbidden: [
    ...forbidden,
    {
      name: 'no-cycle',
      comment: 'files that import one another belong in one file, or share a third',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'source-imports-source',
      comment: 'one source never imports another; what several share stands in upstream and positions',
      severity: 'error',
      from: { path: '^core/sources/([^/]+)/' },
      to: { path: '^core/sources/[^/]+/', pathNot: '^core/sources/$1/' },
    },
    {
      name: 'lambda-imports-lambda',
      comment: 'code that two functions share stands beside them, not in one of them',
      severity: 'error',
      from: { path: '^lambdas/([^/]+)/' },
      to: { path: '^lambdas/[^/]+/', pathNot: '^lambdas/$1/' },
    },
    {
      name: 'endpoint-computes',
      comment:
        'all mathematics happens at ingest: endpoints know calls, metrics, sources and the ingest as types only',
      severity: 'error',
      from: { path: '^lambdas/endpoints/' },
      to: { path: '^core/(calls|metrics|sources|ingest)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'store-decides-nothing',
      comment: 'stores know contracts as types only',
      severity: 'error',
      from: { path: '^core/store/' },
      to: { path: '^core/contracts/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'sdk-in-stores-and-wiring',
      comment: 'the AWS SDK is for stores, the key administration and the wiring of functions',
      severity: 'error',
      from: {
        path: '^(core|lambdas|lib|local)/',
        pathNot: [
          '^core/store/',
          '^core/access/gateway-administration\\.ts$',
          '^lambdas/([^/]+/(index|dependencies)|ingest/aws|function-credentials)\\.ts$',
          '^local/tables\\.ts$',
        ],
      },
      to: { path: SDK },
    },
    {
      name: 'cdk-in-lib',
      comment: 'infrastructure is declared in lib and started by bin/cdk.ts',
      severity: 'error',
      from: {
        path: '^(core|lambdas|local|packages|portal|tools|bin)/',
        pathNot: '^bin/cdk\\.ts$',
      },
      to: { path: 'node_modules/(aws-cdk-lib|constructs|cdk-nag)/' },
    },
    {
      name: 'pure-room-does-io',
      comment:
        'pure folders take time, randomness and data as arguments; they need hashes and packing of Node',
      severity: 'error',
      from: { path: PURE },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|zlib)$' },
    },
    {
      name: 'handlers-carry-no-document',
      comment:
        'the OpenAPI document is for programs and builds, and its schemas for the columns of a release; in a handler it would only add size',
      severity: 'error',
      from: { path: '^(core/(?!contracts/openapi|release/columns)|lambdas|lib|local)' },
      to: { path: '^core/contracts/openapi' },
    },
    {
      name: 'handlers-carry-one-contract',
      comment:
        'a function loads its own endpoint; the lists of all are for types there, and for the check of new versions',
      severity: 'error',
      from: {
        path: '^(core/(http|access|store|ingest)|lambdas)/',
        pathNot: '^lambdas/version-check/version-check\\.ts$',
      },
      to: {
        path: '^(core/contracts/routes|lambdas/endpoints/endpoints)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'service-needs-development-package',
      comment: 'the image of the service is installed without the packages of development',
      severity: 'error',
      from: { path: '^(core|lambdas|local|packages/(client|mcp))/', pathNot: '^packages/client/build/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nothing-imports-tests',
      comment: 'the product does not depend on its tests and studies',
      severity: 'error',
      from: { path: '^(core|lambdas|lib|local|packages|portal|tools|bin)/' },
      to: { path: '^(test|studies)/' },
    },
    {
      name: 'tests-import-studies',
      comment: 'what tests and studies share, generated worlds and engines, stands below test',
      severity: 'error',
      from: { path: '^test/' },
      to: { path: '^studies/', pathNot: '^studies/places/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.mjs', '.js', '.json'] },
  },
};

export const rooms = Object.keys(ROOMS);
