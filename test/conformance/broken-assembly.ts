/** A copy of the synthesized service with a broken function for every endpoint. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TABLES } from '../../core/store/tables.ts';
import { ASSEMBLY } from './sample-service.ts';

interface Resource {
  readonly Type: string;
  readonly Properties: {
    readonly Environment?: { readonly Variables?: Record<string, unknown> };
    readonly Integration?: { TimeoutInMillis?: number };
  };
  readonly Metadata?: { readonly 'aws:asset:path'?: string };
}

/** `body` is what the functions do; the gateway waits `integrationMs` for them. Remove the folder afterwards. */
export function brokenAssembly(body: string, integrationMs: number): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'broken-'));
  cpSync(ASSEMBLY, folder, { recursive: true });
  const file = readdirSync(folder).find((name) => name.endsWith('-api.template.json')) ?? '';
  const template = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
    Resources: Record<string, Resource>;
  };
  for (const { Type, Properties, Metadata } of Object.values(template.Resources)) {
    const asset = Metadata?.['aws:asset:path'];
    // The authorizer, alone among the functions of the API, reads the key table; it stays whole.
    const authorizes = Properties.Environment?.Variables?.[TABLES.apiKeys.variable] !== undefined;
    if (Properties.Integration !== undefined) Properties.Integration.TimeoutInMillis = integrationMs;
    if (Type !== 'AWS::Lambda::Function' || asset === undefined || authorizes) continue;
    writeFileSync(join(folder, asset, 'index.cjs'), `exports.handler = async () => { ${body} };\n`);
  }
  writeFileSync(join(folder, file), JSON.stringify(template));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
