/** Parts of a start: its progress, its log, its JSON files, and which schedule a source follows. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { openBoundedLog } from '../../../local/functions/bounded-log.ts';
import { readJsonFile, writeJsonFile } from '../../../local/json-file.ts';
import { housekeepingOf, planIngest, scheduledSources } from '../../../local/service/ingest-schedule.ts';
import { createProgress } from '../../../local/service/progress.ts';

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

describe('the log', () => {
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
    expect(readJsonFile(path, shape)).toBeUndefined();
    writeJsonFile(path, { a: 1 });
    writeJsonFile(path, { a: 2 });
    expect(readJsonFile(path, shape)).toEqual({ a: 2 });
    expect(existsSync(`${path}.new`)).toBe(false);
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it.each(['', '{', '[]', '{"a":"1"}'])('with %j in it is refused in one line', (text) => {
    const path = join(folder(), 'state.json');
    writeFileSync(path, text);
    expect(() => readJsonFile(path, shape)).toThrow(/^[^\n]*state\.json is corrupt[^\n]*$/);
  });
});

describe('sources and schedules', () => {
  const schedule = (name: string, expression: string, functionArn: string, input: unknown) => ({
    name,
    expression,
    functionArn,
    input,
  });
  const declared = [
    schedule('keys', 'rate(5 minutes)', 'arn:keys', {}),
    schedule('slow', 'rate(1 day)', 'arn:ingest', { source: 'slow' }),
    schedule('fast', 'rate(30 minutes)', 'arn:ingest', { source: 'fast' }),
  ];

  it('are distinguished from housekeeping', () => {
    expect(housekeepingOf(declared).map(({ name }) => name)).toEqual(['keys']);
    expect(scheduledSources(declared)).toEqual(['slow', 'fast']);
  });

  it('fit together: a source’s own, else the most frequent', () => {
    const plan = planIngest(declared, {
      sources: ['slow', 'sample'],
      eventOf: (source) => ({ source, ask: false }),
    });
    expect(plan).toEqual({
      functionArn: 'arn:ingest',
      schedules: [
        schedule('ingest of slow', 'rate(1 day)', 'arn:ingest', { source: 'slow', ask: false }),
        schedule('ingest of sample', 'rate(30 minutes)', 'arn:ingest', { source: 'sample', ask: false }),
      ],
    });
  });

  it('must agree on one ingest function', () => {
    const two = [...declared, schedule('other', 'rate(1 day)', 'arn:other', { source: 'other' })];
    expect(() => planIngest(two, { sources: [] })).toThrow('call more than one function');
    expect(() => planIngest(declared.slice(0, 1), { sources: [] })).toThrow(
      'no schedule whose input names a source',
    );
  });
});
