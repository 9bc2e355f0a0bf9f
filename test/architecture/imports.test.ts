/** The direction of imports, and proof that each rule detects a violation. */
import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';
import config, { rooms } from './dependency-rules.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

async function violationsIn(baseDir: string, folders: readonly string[]): Promise<string[]> {
  const { output } = await cruise([...folders], {
    ...config.options,
    baseDir,
    tsConfig: { fileName: join(ROOT, 'tsconfig.json') },
    ruleSet: { forbidden: config.forbidden },
    validate: true,
  } as unknown as ICruiseOptions);
  return (output as ICruiseResult).summary.violations.map(
    ({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`,
  );
}

describe('the tree', () => {
  it('keeps the direction of imports', async () => {
    expect(
      await violationsIn(ROOT, [
        'core',
        'lambdas',
        'lib',
        'local',
        'bin',
        'packages',
        'portal',
        'tools',
        'test',
      ]),
    ).toEqual([]);
  });
});

/** A file, what it imports (made as well, empty), and the rule that must name it. */
const PLANTED: readonly [rule: string, file: string, imported: string][] = [
  ['reference-imports', 'core/reference/a.ts', 'core/calls/b.ts'],
  ['calls-imports', 'core/calls/a.ts', 'core/metrics/b.ts'],
  ['upstream-imports', 'core/upstream/a.ts', 'core/metrics/b.ts'],
  ['positions-imports', 'core/positions/a.ts', 'core/metrics/b.ts'],
  ['metrics-imports', 'core/metrics/a.ts', 'core/store/b.ts'],
  ['sources-imports', 'core/sources/a.ts', 'core/store/b.ts'],
  ['contracts-imports', 'core/contracts/a.ts', 'core/access/b.ts'],
  ['access-imports', 'core/access/a.ts', 'core/http/b.ts'],
  ['store-imports', 'core/store/a.ts', 'core/access/b.ts'],
  ['ingest-imports', 'core/ingest/a.ts', 'core/http/b.ts'],
  ['http-imports', 'core/http/a.ts', 'core/store/b.ts'],
  ['release-imports', 'core/release/a.ts', 'core/http/b.ts'],
  ['lambdas-imports', 'lambdas/x/a.ts', 'local/b.ts'],
  ['lib-imports', 'lib/a.ts', 'core/sources/b.ts'],
  ['local-imports', 'local/a.ts', 'core/metrics/b.ts'],
  ['packages/client/build-imports', 'packages/client/build/a.ts', 'core/http/b.ts'],
  ['packages/client-imports', 'packages/client/a.ts', 'core/http/b.ts'],
  ['packages/mcp-imports', 'packages/mcp/a.ts', 'core/store/b.ts'],
  ['portal-imports', 'portal/a.ts', 'core/metrics/b.ts'],
  ['portal/site-imports', 'portal/site/a.ts', 'core/store/b.ts'],
  ['source-imports-source', 'core/sources/one/a.ts', 'core/sources/two/b.ts'],
  ['lambda-imports-lambda', 'lambdas/one/a.ts', 'lambdas/two/b.ts'],
  ['endpoint-computes', 'lambdas/endpoints/a.ts', 'core/metrics/b.ts'],
  ['store-decides-nothing', 'core/store/a.ts', 'core/contracts/b.ts'],
  ['sdk-in-stores-and-wiring', 'core/metrics/a.ts', 'node_modules/@aws-sdk/client-dynamodb/index.js'],
  ['cdk-in-lib', 'lambdas/x/a.ts', 'node_modules/aws-cdk-lib/index.js'],
  ['pure-room-does-io', 'core/metrics/a.ts', 'node:fs'],
  ['handlers-carry-no-document', 'lambdas/x/a.ts', 'core/contracts/openapi/b.ts'],
  ['handlers-carry-one-contract', 'lambdas/x/a.ts', 'core/contracts/routes.ts'],
  ['service-needs-development-package', 'local/a.ts', 'node_modules/esbuild/index.js'],
  ['nothing-imports-tests', 'core/store/a.ts', 'test/b.ts'],
  ['nothing-imports-tests', 'tools/a.ts', 'studies/b.ts'],
  ['tests-import-studies', 'test/unit/a.ts', 'studies/b.ts'],
];

describe('a planted violation', () => {
  /** Rules by the file that violates them, over one tree with all violations. */
  const found = new Map<string, string[]>();
  let dir = '';
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'imports-'));
    const rooms = new Set<string>(['core']);
    for (const [index, [, file, imported]] of PLANTED.entries()) {
      const planted = plantedFile(file, index);
      rooms.add(planted.split('/')[0] ?? '');
      await plant(planted, `import { b } from '${specifierFrom(file, imported)}';\nexport const a = b;\n`);
      if (imported.startsWith('node:')) continue;
      await plant(imported, 'export const b = 1;\n');
      if (imported.startsWith('node_modules/'))
        await plant(`${dirname(imported)}/package.json`, '{"main":"index.js","version":"1.0.0"}');
    }
    await plant('package.json', '{"devDependencies":{"esbuild":"1.0.0"}}');
    await plant('core/calls/one.ts', "import type { B } from './two.ts';\nexport type A = B | 1;\n");
    await plant('core/calls/two.ts', "import type { A } from './one.ts';\nexport type B = A | 2;\n");
    for (const line of await violationsIn(dir, [...rooms])) {
      const [, rule = '', from = ''] = /^(\S+): (\S+) ->/.exec(line) ?? [];
      found.set(from, [...(found.get(from) ?? []), rule]);
    }
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  async function plant(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }

  const plantedFile = (file: string, index: number): string => file.replace(/a\.ts$/, `a${index}.ts`);

  const specifierFrom = (file: string, imported: string): string => {
    if (imported.startsWith('node:')) return imported;
    if (imported.startsWith('node_modules/'))
      return imported
        .split('/')
        .slice(1, imported.includes('@') ? 3 : 2)
        .join('/');
    return `${'../'.repeat(file.split('/').length - 1)}${imported}`;
  };

  it.each(PLANTED.map(([rule, file], index) => [rule, plantedFile(file, index)] as const))(
    'of %s is named in %s',
    (rule, file) => {
      expect(found.get(file)).toContain(rule);
    },
  );

  it('of no-cycle is named, through types as well', () => {
    expect(found.get('core/calls/one.ts')).toContain('no-cycle');
  });

  it('exists for every rule, and every folder has a rule', () => {
    const planted = new Set([...PLANTED.map(([rule]) => rule), 'no-cycle']);
    expect(config.forbidden.map(({ name }) => name).filter((name) => !planted.has(name))).toEqual([]);
    const folders = readdirSync(join(ROOT, 'core'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    expect(rooms).toEqual(expect.arrayContaining(folders.map(({ name }) => `core/${name}`)));
  });
});
