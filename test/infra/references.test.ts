/** What the stacks of a stage read from one another. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PARTS, sharedStacks } from '../builders/stacks.ts';

interface TemplateFile {
  readonly Outputs?: Readonly<Record<string, { readonly Export?: { readonly Name: string } }>>;
}

/** Its outputs, those that it exports, the exports that it imports, and the outputs that it reads, as `stack.output`. */
function referencesOf(stack: string, template: TemplateFile) {
  const imports: string[] = [];
  const reads: string[] = [];
  /** Functions that a read stands inside of. */
  const around = new Set<string>();
  const visit = (value: unknown, functions: readonly string[]): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'Fn::ImportValue') imports.push(String(inner));
      if (name === 'Fn::GetStackOutput') {
        reads.push(`${inner.StackName}.${inner.OutputName}`);
        for (const intrinsic of functions) around.add(intrinsic);
      }
      visit(inner, name.startsWith('Fn::') ? [...functions, name] : functions);
    }
  };
  visit(template, []);
  const outputs = Object.entries(template.Outputs ?? {});
  const exports = outputs.flatMap(([, { Export }]) => (Export === undefined ? [] : [Export.Name]));
  return { stack, outputs: outputs.map(([id]) => id), exports, imports, reads, around: [...around] };
}

const { outdir } = sharedStacks('prod');
const stacks = PARTS.filter((part) => part !== 'deployer').map((part) => {
  const stack = `pcd-prod-${part}`;
  return referencesOf(stack, JSON.parse(readFileSync(join(outdir, `${stack}.template.json`), 'utf8')));
});

describe('the stacks', () => {
  it('read one another in one direction only: data to ingest, both to API, all to portal', () => {
    const read = stacks.map(({ stack, reads }) => [
      stack,
      [...new Set(reads.map((read) => read.split('.')[0]))],
    ]);
    expect(Object.fromEntries(read)).toEqual({
      'pcd-prod-data': [],
      'pcd-prod-ingest': ['pcd-prod-data'],
      'pcd-prod-api': ['pcd-prod-data', 'pcd-prod-ingest'],
      'pcd-prod-portal': ['pcd-prod-api', 'pcd-prod-ingest', 'pcd-prod-data'],
    });
  });

  it('export nothing: an export that another stack imports can be neither changed nor removed', () => {
    expect(stacks.flatMap(({ exports, imports }) => [...exports, ...imports])).toEqual([]);
  });

  it('read whole outputs, and only join them to longer texts', () => {
    expect([...new Set(stacks.flatMap(({ around }) => around))]).toEqual(['Fn::Join']);
    expect(stacks.find(({ stack }) => stack === 'pcd-prod-portal')).toMatchObject({
      reads: expect.arrayContaining(['pcd-prod-api.ApiHost', 'pcd-prod-api.PortalMark']),
      around: [],
    });
  });

  it('read nothing but outputs that there are', () => {
    const outputs = stacks.flatMap(({ stack, outputs }) => outputs.map((output) => `${stack}.${output}`));
    expect(stacks.flatMap(({ reads }) => reads).filter((read) => !outputs.includes(read))).toEqual([]);
  });
});
