/** The output and the errors of the detect command. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { detectInFiles } from '../../../../tools/detect/series-file.ts';

let folder = '';
const file = async (name: string, content: unknown): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'series-'));
});
afterAll(() => rm(folder, { recursive: true }));

const step = (length: number, at: number) => Array.from({ length }, (_, i) => (i < at ? 1 : 5));

describe('detect', () => {
  it('names the first observation of each new level, by series, in the order of the files', async () => {
    const flat = await file('b.json', { name: 'flat', values: step(40, 40) });
    const rise = await file('a.json', {
      name: 'rise',
      length: 61,
      values: [null, ...step(60, 30)],
      annotations: {},
    });
    expect(JSON.stringify(await detectInFiles([rise, flat]))).toBe('{"rise":[31],"flat":[]}');
  });

  it('refuses a second series of the same name', async () => {
    const first = await file('one.json', { name: 'same', values: [1, 2] });
    const second = await file('two.json', { name: 'same', values: [1, 2] });
    await expect(detectInFiles([first, second])).rejects.toThrow(/two\.json: a second series is named same/);
  });

  it('says which file cannot be read', async () => {
    await expect(detectInFiles([join(folder, 'none.json')])).rejects.toThrow(
      /none\.json: cannot be read \(ENOENT\)/,
    );
  });

  it.each([
    ['not JSON', 'x{', /x: not JSON/],
    ['a list', '[1,2]', /x: the file: /],
    ['no name', '{"values":[1]}', /x: name: /],
    ['no values', '{"name":"a"}', /x: values: /],
    ['text among the values', '{"name":"a","values":[1,"2"]}', /x: values\.1: /],
    ['an empty series', '{"name":"a","values":[]}', /x: values: /],
    [
      'another length',
      '{"name":"a","length":3,"values":[1,2]}',
      /x: length: differs from the number of values/,
    ],
    ['marks outside', '{"name":"a","values":[1,2],"annotations":{"p":[2]}}', /x: annotations: point beyond/],
  ])('says what is wrong with %s', async (_what, text, complaint) => {
    await expect(detectInFiles([await file('x', text)])).rejects.toThrow(complaint);
  });
});

it('as a command prints one JSON object, or its usage', async () => {
  const cwd = fileURLToPath(new URL('../../../..', import.meta.url));
  const run = (...args: string[]) => {
    const options = { cwd, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', 'bin/detect.ts', ...args],
      options,
    );
    return { status, stdout, stderr };
  };
  const rise = await file('rise.json', { name: 'rise', values: step(60, 30) });
  expect(run(rise)).toEqual({ status: 0, stdout: '{"rise":[30]}\n', stderr: '' });
  const usage = expect.stringContaining('npm run --silent detect -- [options] <file...>');
  expect(run('--help')).toEqual({ status: 0, stdout: usage, stderr: '' });
});
