/** Rules for all sources: names, ports, licences, and that no source knows another. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { isLocode } from '../../core/reference/codes.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { loadSource, loadSources } from '../../core/sources/load-sources.ts';

const ROOM = fileURLToPath(new URL('../../core/sources/', import.meta.url));
const folders = readdirSync(ROOM, { withFileTypes: true }).filter(
  (entry) => entry.isDirectory() && existsSync(`${ROOM}${entry.name}/declaration.ts`),
);
const folderNames = folders.map((folder) => folder.name);
const imports = (text: string): string[] =>
  [...text.matchAll(/from '([^']+)'/g)].map(([, path]) => path ?? '');

describe('the list', () => {
  it('is in order of id, and the folder of each has its source', async () => {
    const ids = SOURCE_DECLARATIONS.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort());
    expect((await loadSources()).map(({ declaration }) => declaration)).toEqual(SOURCE_DECLARATIONS);
  });

  it('gives each port to one source', () => {
    const ports = SOURCE_DECLARATIONS.flatMap((declaration) => declaration.ports);
    expect(ports.length).toBeGreaterThan(0);
    expect(ports.filter((port, index) => ports.indexOf(port) !== index)).toEqual([]);
    expect(ports.every(isLocode)).toBe(true);
  });

  it('has no source of another id', async () => {
    expect((await loadSource('us-census-trade'))?.declaration.kind).toBe('trade');
    expect(await loadSource('no-such-source')).toBeUndefined();
  });
});

describe.each(SOURCE_DECLARATIONS.map((declaration) => [declaration.id, declaration] as const))(
  '%s',
  (id, declared) => {
    it('lives in the folder of its name, with a README that shows licence and attribution', () => {
      expect(folderNames).toContain(id);
      const readme = readFileSync(`${ROOM}${id}/README.md`, 'utf8');
      expect(readme).toContain(declared.attribution);
      expect(declared.licence).not.toBe('');
    });

    it('declares a pace, a budget longer than it, a size and hosts', () => {
      expect(declared.everyMinutes).toBeGreaterThan(0);
      expect(declared.freshnessBudgetMinutes).toBeGreaterThan(declared.everyMinutes);
      expect(declared.maxReplyBytes).toBeGreaterThan(0);
      expect(declared.hosts.length).toBeGreaterThan(0);
      expect(declared.hosts.every((host) => /^[a-z0-9.-]+$/.test(host))).toBe(true);
      expect(declared.kind === 'trade').toBe(declared.ports.length === 0);
    });

    it('can be declared without its parser', () => {
      const text = readFileSync(`${ROOM}${id}/declaration.ts`, 'utf8');
      const data =
        /^(\.\.\/\.\.\/upstream\/(?:source|fields)\.ts|\.\/[a-z-]+\.json|\.\.\/\.\.\/reference\/[a-z-]+\.ts|\.\.\/\.\.\/positions\/port-areas\.ts)$/;
      expect(imports(text).filter((path) => !data.test(path))).toEqual([]);
    });
  },
);

it('every folder but the sample and the tables of calls is deployed', () => {
  const deployed = SOURCE_DECLARATIONS.map(({ id }) => id);
  expect(folderNames.filter((name) => !deployed.includes(name))).toEqual(['call-tables', 'sample-simulator']);
});
