/** Parts of a start: its progress, its log, its JSON files, and which schedule a source follows. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { DAY_MS, MINUTE_MS } from '../../../core/reference/time.ts';
import { openBoundedLog } from '../../../local/gateway.ts';
import { schedulesOf } from '../../../local/ingest.ts';
import { readJsonFile, writeJsonFile } from '../../../local/json-file.ts';
import { createProgress } from '../../../local/ready-lines.ts';
import { smallDisks } from '../../builders/small-disk.ts';

const folder = (): string => mkdtempSync(join(tmpdir(), 'start-'));

it('progress is at most one line for each tenth of a task', () => {
  let text = '';
  const progress = createProgress({
    write: (chunk: string | Uint8Array) => {
      text += chunk;
      return true;
    },
  });
  progress.begin('replaying', 100);
  for (let done = 0; done <= 100; done += 1) progress.step(done, `fetch ${done}`);
  progress.line('over');
  const lines = text.trimEnd().split('\n');
  expect(lines).toHaveLength(12);
  expect([lines[0], lines[1], lines[10], lines[11]]).toEqual([
    'replaying: 0 of 100, fetch 0',
    'replaying: 10 of 100, fetch 10',
    'replaying: 100 of 100, fetch 100',
    'over',
  ]);
});

const FULL = smallDisks();
afterAll(() => FULL.unmount());

describe('the log', () => {
  (FULL.why === undefined ? it : it.skip)('loses lines on a full disk, and no service', async () => {
    const { path: home, fill, free } = FULL.mount();
    const log = openBoundedLog(join(home, 'functions.log'), 1000);
    fill();
    const faults: unknown[] = [];
    log.on('error', (fault) => faults.push(fault));
    for (let line = 0; line < 20; line += 1)
      await new Promise((done) => log.write(`${line}`.padEnd(8000, '.').concat('\n'), done));
    free();
    await new Promise((done) => log.write('after\n', done));
    expect(faults).toEqual([]);
    expect(readFileSync(join(home, 'functions.log'), 'utf8')).toContain('after');
    log.end();
    await finished(log);
  });

  it('never grows beyond two files of its bound', async () => {
    const path = join(folder(), 'functions.log');
    const log = openBoundedLog(path, 1000);
    for (let line = 0; line < 100; line += 1) log.write(`${line}`.padEnd(99, '.').concat('\n'));
    log.end();
    await finished(log);
    const [current, before] = [readFileSync(path, 'utf8'), readFileSync(`${path}.1`, 'utf8')];
    expect(current.trimEnd().split('\n').at(-1)).toMatch(/^99\./);
    expect(readdirSync(join(path, '..')).sort()).toEqual(['functions.log', 'functions.log.1']);
    // What was written in one go stays together.
    expect(Math.min(current.length, before.length)).toBeGreaterThan(0);
  });

  it('starts a new file with every start, and keeps the previous one', async () => {
    const path = join(folder(), 'functions.log');
    for (const text of ['first', 'second']) {
      const log = openBoundedLog(path);
      log.end(text);
      await finished(log);
    }
    expect([readFileSync(path, 'utf8'), readFileSync(`${path}.1`, 'utf8')]).toEqual(['second', 'first']);
  });
});

describe('a JSON file', () => {
  const shape = z.object({ a: z.number() });

  it('comes back as it was, for the owner’s eyes only, with nothing left beside it', () => {
    const path = join(folder(), 'inner', 'state.json');
    expect(readJsonFile(path, shape, 'remove it')).toBeUndefined();
    writeJsonFile(path, { a: 1 });
    writeJsonFile(path, { a: 2 });
    expect(readJsonFile(path, shape, 'remove it')).toEqual({ a: 2 });
    expect(existsSync(`${path}.new`)).toBe(false);
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it.each(['', '{', '[]', 'null', '{"a":"1"}'])(
    'with %j in it is refused in one line that says why',
    (text) => {
      const path = join(folder(), 'state.json');
      writeFileSync(path, text);
      expect(() => readJsonFile(path, shape, 'put a copy back')).toThrow(
        /^[^\n]*state\.json is damaged \([^\n)]{8,}\): put a copy back$/,
      );
    },
  );

  it('that cannot be read is not called damaged', () => {
    const path = folder();
    expect(() => readJsonFile(path, shape, 'put a copy back')).toThrow(
      /^[^\n]* cannot be read: EISDIR[^\n]*$/,
    );
  });

  (FULL.why === undefined ? it : it.skip)('is kept as it was when the disk is full', () => {
    const { path: home, fill, free } = FULL.mount();
    const path = join(home, 'state.json');
    writeJsonFile(path, { a: 1 });
    fill();
    expect(() => writeJsonFile(path, { a: 2, text: 'x'.repeat(100_000) })).toThrow(
      `${path} cannot be written: the disk is full`,
    );
    expect(readJsonFile(path, shape, '')).toEqual({ a: 1 });
    expect(readdirSync(home)).not.toContain('state.json.new');
    free();
  });
});

it('a source is scheduled as declared, one that is not declared as the most frequent', () => {
  const schedules = schedulesOf({
    sources: ['us-census-trade', 'harbour'],
    eventOf: (source) => ({ source, ask: false }),
  });
  expect(schedules).toEqual([
    { source: 'us-census-trade', periodMs: DAY_MS, event: { source: 'us-census-trade', ask: false } },
    { source: 'harbour', periodMs: 5 * MINUTE_MS, event: { source: 'harbour', ask: false } },
  ]);
});
