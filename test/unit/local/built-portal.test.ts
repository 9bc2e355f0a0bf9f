/** What a start builds from: any change of an input, and nothing else, causes a new build. */
import { mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { digestOfInputs } from '../../../local/portal.ts';

describe('the digest of the inputs', () => {
  it('changes with names and contents, and with nothing beside them', () => {
    const home = `${mkdtempSync(join(tmpdir(), 'inputs-'))}/`;
    mkdirSync(join(home, 'core', 'inner'), { recursive: true });
    writeFileSync(join(home, 'core', 'inner', 'a.ts'), 'one');
    writeFileSync(join(home, 'lock.json'), '{}');
    const digest = (): string => digestOfInputs(home, ['core', 'lock.json', 'absent']);
    const seen = [digest()];
    writeFileSync(join(home, 'README.md'), 'beside');
    expect(digest()).toBe(seen[0]);
    writeFileSync(join(home, 'core', 'inner', 'a.ts'), 'two');
    seen.push(digest());
    renameSync(join(home, 'core', 'inner', 'a.ts'), join(home, 'core', 'a.ts'));
    seen.push(digest());
    writeFileSync(join(home, 'lock.json'), '{ }');
    seen.push(digest());
    expect(new Set(seen).size).toBe(4);
  });
});
