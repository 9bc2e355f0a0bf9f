/** The documents state what the specification promises in words, and their links lead somewhere. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { PLANS } from '../../core/contracts/plans.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const contract = JSON.parse(read('docs/openapi.json')) as {
  paths: Record<
    string,
    { get: { summary: string; description?: string; responses: object; 'x-beta'?: boolean } }
  >;
  webhooks?: unknown;
};
const demoKey = (JSON.parse(read('local/demo-keys.json')) as { demo: string }).demo;

describe('the documents', () => {
  it('[S5.05] "A shared demo key exists for examples": the README uses it', () => {
    expect(read('README.md')).toContain(demoKey);
  });

  it('[S5.07] "not to be embedded in front-end or mobile applications", said where keys are introduced', () => {
    expect(read('docs/keys-and-limits.md')).toMatch(/front-end|browser/i);
    expect(read('docs/keys-and-limits.md')).toMatch(/mobile/i);
  });

  it('[S5.10] say whom to contact to have a key revoked', () => {
    expect(read('docs/keys-and-limits.md')).toMatch(/operator/i);
    expect(read('docs/keys-and-limits.md')).toMatch(/revo(ke|cation)/i);
  });

  it('[S6.01] the contract has no webhooks', () => {
    expect(contract.webhooks).toBeUndefined();
    expect(JSON.stringify(contract.paths)).not.toMatch(/"callbacks"/);
  });

  it('[S8.11] state the quotas of the plans', () => {
    for (const { title, monthlyQuota } of Object.values(PLANS)) {
      const text = read('docs/keys-and-limits.md');
      expect(text).toContain(title);
      expect(text.replaceAll(/[, ]/g, '')).toContain(String(monthlyQuota));
    }
  });

  it('list in the README every status that the API returns', () => {
    const [, table = ''] = /\nStatus \| Meaning \| .+\n([\s\S]+?)\n\n/.exec(read('README.md')) ?? [];
    const listed = table.split('\n').flatMap((row) => row.split(' | ')[0]?.match(/\d{3}/g) ?? []);
    const returned = Object.values(contract.paths).flatMap(({ get }) => Object.keys(get.responses));
    expect(listed.sort()).toEqual([...new Set(returned)].sort());
  });

  it('[S9.01] every path of the contract begins with /v1/', () => {
    for (const path of Object.keys(contract.paths)) expect(path).toMatch(/^\/v1\//);
  });

  it('[S9.03] "the latter is preferred": examples use /v1/meta/sources, and the alias says so', () => {
    expect(JSON.stringify(contract.paths['/v1/sources'])).toContain('/v1/meta/sources');
    expect(read('README.md')).not.toMatch(/\/v1\/sources/);
  });

  it('[S9.04] "The HS imports endpoint is labelled beta"', () => {
    expect(JSON.stringify(contract.paths['/v1/hs/{code}/imports'])).toMatch(/beta/i);
    expect(read('README.md')).toMatch(/beta/i);
  });

  it('say of every source how far its figures can be off', () => {
    const text = read('docs/accuracy.md');
    for (const { id } of SOURCE_DECLARATIONS) expect(text).toContain(`\`${id}\``);
  });

  it('[S9.05] say that limits and quotas can change per plan', () => {
    expect(read('CHANGELOG.md')).toMatch(/limits and quotas can change per plan/i);
  });

  it('[S9.06] "breaking changes are announced in a changelog": there is one, and the README leads to it', () => {
    expect(read('CHANGELOG.md')).toMatch(/^## \[/m);
    expect(read('README.md')).toContain('CHANGELOG.md');
  });

  const markdown = [
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join('docs', name)),
  ];

  it.each(markdown)('%s leads to files that exist', (path) => {
    const links = [...read(path).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(([, to = '']) => to);
    expect(links.filter((to) => !existsSync(join(ROOT, dirname(path), to)))).toEqual([]);
  });
});
