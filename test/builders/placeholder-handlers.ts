/** A folder with a tiny handler in the place of each built one, for synthesizing without a build. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATION_IDS } from '../../core/contracts/routes.ts';
import { folderOf } from '../../core/endpoints/endpoint.ts';

const HANDLERS = [...OPERATION_IDS.map(folderOf), 'authorizer', 'key-sync', 'ingest'];

export function placeholderHandlers(names: readonly string[] = HANDLERS): string {
  const folder = mkdtempSync(join(tmpdir(), 'handlers-'));
  for (const name of names) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'index.cjs'), `exports.handler = async () => '${name}';\n`);
  }
  return folder;
}
