/** What the stacks of a stage read from one another, and that a stage which still has exports can move to that. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createApp } from '../../lib/application.ts';
import { placeholderHandlers, placeholderPortal } from '../builders/placeholder-builds.ts';
import { placeOf } from '../builders/synthesis.ts';

/** In the order of their deployment. */
const PARTS = ['data', 'ingest', 'api', 'portal'] as const;
const FLAG = '@aws-cdk/core:defaultCrossStackReferences';

interface StackReferences {
  readonly stack: string;
  /** Logical ids of its outputs. */
  readonly outputs: readonly string[];
  /** Names under which it exports outputs. */
  readonly exports: readonly string[];
  /** Exports of other stacks that it imports. */
  readonly imports: readonly string[];
  /** Outputs of other stacks that it reads, as `stack.output`. */
  readonly reads: readonly string[];
  /** Functions that a read stands inside of. */
  readonly around: readonly string[];
}

interface TemplateFile {
  readonly Outputs?: Readonly<Record<string, { readonly Export?: { readonly Name: string } }>>;
}

function referencesOf(stack: string, template: TemplateFile): StackReferences {
  const imports: string[] = [];
  const reads: string[] = [];
  const around = new Set<string>();
  const visit = (value: unknown, functions: readonly string[]): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'Fn::ImportValue') imports.push(String(inner));
      if (name === 'Fn::GetStackOutput') {
        reads.push(`${inner.StackName}.${inner.OutputName}`);
        for (const one of functions) around.add(one);
      }
      visit(inner, name.startsWith('Fn::') ? [...functions, name] : functions);
    }
  };
  visit(template, []);
  const outputs = Object.entries(template.Outputs ?? {});
  const exports = outputs.flatMap(([, { Export }]) => (Export === undefined ? [] : [Export.Name]));
  return { stack, outputs: outputs.map(([id]) => id), exports, imports, reads, around: [...around] };
}

/** The stacks of prod under a strength of references: `weak` as they are deployed, `strong` with exports and imports. */
function referencesUnder(strength: 'weak' | 'both' | 'strong'): readonly StackReferences[] {
  const outdir = mkdtempSync(join(tmpdir(), 'references-'));
  const context = { ...placeOf('prod'), [FLAG]: strength };
  const { app } = createApp({
    outdir,
    stage: 'prod',
    handlersDir: placeholderHandlers(),
    portalDir: placeholderPortal(),
    context,
  });
  app.synth();
  return PARTS.map((part) => {
    const stack = `pcd-prod-${part}`;
    return referencesOf(stack, JSON.parse(readFileSync(join(outdir, `${stack}.template.json`), 'utf8')));
  });
}

const weak = referencesUnder('weak');

/** What CloudFormation refuses when `next` is deployed over `deployed`, one stack after another. */
function refusals(deployed: readonly StackReferences[], next: readonly StackReferences[]): string[] {
  const now = new Map(deployed.map((one) => [one.stack, one]));
  return next.flatMap((one) => {
    const before = now.get(one.stack);
    now.set(one.stack, one);
    const all = [...now.values()];
    const imported = all.flatMap(({ imports }) => imports);
    const offered = all.flatMap(({ stack, outputs }) => outputs.map((output) => `${stack}.${output}`));
    return [
      ...(before?.exports ?? [])
        .filter((name) => !one.exports.includes(name) && imported.includes(name))
        .map((name) => `${one.stack} cannot remove the export ${name}, which is in use`),
      ...one.reads
        .filter((read) => !offered.includes(read))
        .map((read) => `${one.stack} reads ${read}, which does not exist`),
    ];
  });
}

describe('the stacks', () => {
  it('read one another in one direction only: data to ingest, both to API, all to portal', () => {
    const read = weak.map(({ stack, reads }) => [stack, [...new Set(reads.map((one) => one.split('.')[0]))]]);
    expect(Object.fromEntries(read)).toEqual({
      'pcd-prod-data': [],
      'pcd-prod-ingest': ['pcd-prod-data'],
      'pcd-prod-api': ['pcd-prod-data', 'pcd-prod-ingest'],
      'pcd-prod-portal': ['pcd-prod-api', 'pcd-prod-ingest', 'pcd-prod-data'],
    });
  });

  it('export nothing: an export that another stack imports can be neither changed nor removed', () => {
    expect(weak.flatMap(({ exports, imports }) => [...exports, ...imports])).toEqual([]);
  });

  it('read whole outputs, and only join them to longer texts', () => {
    expect([...new Set(weak.flatMap(({ around }) => around))]).toEqual(['Fn::Join']);
    expect(weak.find(({ stack }) => stack === 'pcd-prod-portal')).toMatchObject({
      reads: expect.arrayContaining(['pcd-prod-api.ApiHost', 'pcd-prod-api.PortalMark']),
      around: [],
    });
  });

  it('are created in their order from nothing', () => {
    expect(refusals([], weak)).toEqual([]);
  });
});
