/** Where the data of a start lie, and what becomes of those of an earlier one. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type BuiltService, chooseMode } from '../../../../bin/serve/serve-mode.ts';
import { readServeOptions } from '../../../../bin/serve/serve-options.ts';

const BUILT: BuiltService = { assembly: '', sampleIngest: '', portal: '' };
const NOW = ['--now', '2026-11-20T12:00:00Z'];

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'serve-mode-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

/** Whether what an earlier start left is there after another one with these options. */
function isKept(...options: string[]): boolean {
  const all = readServeOptions(['--data-dir', dataDir, ...options]);
  const { directory } = chooseMode(all, BUILT);
  const left = join(directory, 'left');
  mkdirSync(directory, { recursive: true });
  writeFileSync(left, '');
  chooseMode(all, BUILT);
  return existsSync(left);
}

it('a start at a set time begins the sample anew, unless it is to serve what is there', () => {
  expect([isKept(...NOW), isKept(...NOW, '--no-ingest'), isKept()]).toEqual([false, true, true]);
});
