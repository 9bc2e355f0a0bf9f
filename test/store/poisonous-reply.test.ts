/** A reply whose reading kills the process is read twice and then no more; the replies after it are read. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from '@jest/globals';
import { HOUR_MS } from '../../core/reference/time.ts';
import { createFolderArchive, timeStamp } from '../../core/store/raw-archive.ts';
import { passOver } from '../builders/dying-pass.ts';
import { replyFiles } from '../builders/scripted-source.ts';

const T0 = Date.UTC(2026, 2, 2);
const NOW_AT = T0 + 10 * HOUR_MS;
const PASS = fileURLToPath(new URL('../builders/dying-pass.ts', import.meta.url));
const good = (asOfAt: number) => replyFiles({ asOfAt, observations: [] });

const folder = mkdtempSync(join(tmpdir(), 'poison-'));
afterEach(() => rmSync(folder, { recursive: true }));

const start = () =>
  spawnSync(
    process.execPath,
    ['--no-warnings', '--import', 'tsx', PASS, folder, new Date(NOW_AT).toISOString()],
    { encoding: 'utf8' },
  );

it('is quarantined by name at the third start', async () => {
  const archive = createFolderArchive(folder);
  const [first, poisoned, next] = [T0, T0 + HOUR_MS, T0 + 2 * HOUR_MS];
  await archive.write('scripted', first, good(first));
  await archive.write('scripted', poisoned, replyFiles('poison'));
  await archive.write('scripted', next, good(next));

  expect([start(), start()].map(({ signal, stdout }) => [signal, stdout])).toEqual([
    ['SIGKILL', ''],
    ['SIGKILL', ''],
  ]);
  const unread = () => {
    throw new Error('the poisonous reply is read');
  };
  const status = await passOver(folder, NOW_AT, unread);
  expect(status).toMatchObject({ lastFetchAt: next, checkpointAt: next });
  const verdict = JSON.parse(
    readFileSync(join(folder, 'scripted', `${timeStamp(poisoned)}.verdict.json`), 'utf8'),
  );
  expect(verdict).toMatchObject({ outcome: 'refused', reason: 'quarantined' });
});
