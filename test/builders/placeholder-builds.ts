/** Folders in the place of the built handlers and the built portal, for synthesizing without a build. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATION_IDS } from '../../core/contracts/routes.ts';
import { folderOf } from '../../lambdas/endpoints/endpoint.ts';

const HANDLERS = [
  ...OPERATION_IDS.map(folderOf),
  'authorizer',
  'key-sync',
  'ingest',
  'watch',
  'release',
  'status',
  'version-check',
];

export function placeholderHandlers(names: readonly string[] = HANDLERS): string {
  const folder = mkdtempSync(join(tmpdir(), 'handlers-'));
  for (const name of names) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'index.cjs'), `exports.handler = async () => '${name}';\n`);
  }
  return folder;
}

export const PORTAL_FILES = ['index.html', 'docs/index.html', 'assets/main-1a2b.js', '404.html'];

export function placeholderPortal(): string {
  const folder = mkdtempSync(join(tmpdir(), 'portal-'));
  for (const path of PORTAL_FILES) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), path);
  }
  return folder;
}
