/** `npm start` as a person has it: the banner, `ready`, lines to paste, a clean end, and data that are there the next time. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isDeployed } from './service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PASTED = /^ {2}curl -s -H 'X-API-Key: (\S+)' '(\S+)'$/gm;

interface Started {
  readonly child: ChildProcess;
  /** All that was printed up to now. */
  output(): string;
  until(pattern: RegExp): Promise<RegExpMatchArray>;
}

function start(...options: string[]): Started {
  const child = spawn(process.execPath, ['--import', 'tsx', 'bin/serve.ts', '--port', '0', ...options], {
    cwd: ROOT,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  return {
    child,
    output: () => output,
    async until(pattern) {
      for (;;) {
        const match = output.match(pattern);
        if (match !== null) return match;
        if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${output}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
}

async function end({ child }: Started): Promise<number | null> {
  child.kill('SIGINT');
  if (child.exitCode === null) await once(child, 'exit');
  return child.exitCode;
}

const local = isDeployed ? describe.skip : describe;

local('npm start', () => {
  let dataDir = '';
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'start-'));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  it('says what it does, is ready after the first pass, and ends cleanly; the second start has the data', async () => {
    const first = start('--data-dir', dataDir);
    await first.until(/^ready http:\/\/127\.0\.0\.1:\d+$/m);
    await first.until(/\/v1\/hs\/85\/imports'\n/);
    expect(first.output()).toMatch(/SAMPLE DATA/);
    expect(first.output()).toMatch(/npm start -- --live/);
    const pasted = [...first.output().matchAll(PASTED)];
    expect(pasted).toHaveLength(3);
    const answers = await Promise.all(
      pasted.map(async ([, key = '', url = '']) => {
        const reply = await fetch(url, { headers: { 'X-API-Key': key } });
        return { status: reply.status, text: await reply.text() };
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await end(first)).toBe(0);

    const second = start('--data-dir', dataDir, '--no-ingest');
    const [, url = ''] = await second.until(/^ready (\S+)$/m);
    const [, key = '', wanted = ''] = pasted[0] ?? [];
    const again = await fetch(`${url}${new URL(wanted).pathname}`, { headers: { 'X-API-Key': key } });
    expect(await again.text()).toBe(answers[0]?.text);
    expect(await end(second)).toBe(0);
  }, 120_000);

  it.each([
    ['--bogus', /Unknown option '--bogus'/],
    ['--now=yesterday', /--now must be a date and time/],
    ['--replay=/nowhere-at-all', /nowhere-at-all/],
  ])(
    'refuses %s with one clear line',
    async (option, line) => {
      const refused = start('--data-dir', dataDir, option);
      const [code] = (await once(refused.child, 'close')) as [number];
      expect(code).toBe(1);
      const lines = refused.output().trim().split('\n');
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(line);
    },
    60_000,
  );
});
