/** `npm start` as a person has it: the banner, `ready`, lines to paste, a clean end, and data that are there the next time. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { extent, longIt } from '../builders/extent.ts';
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

/** The only line of a start that is refused. */
async function refusalOf(status: number, ...options: string[]): Promise<string> {
  const refused = start(...options);
  const [code] = (await once(refused.child, 'close')) as [number];
  expect(code).toBe(status);
  const lines = refused.output().trim().split('\n');
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
}

/** On a data directory in use a start is refused, by name and pid, whatever data it would serve; on a port in use as well. */
async function expectRefused(dataDir: string, running: Started, url: string): Promise<void> {
  const announced = readFileSync(join(dataDir, 'service.json'), 'utf8');
  const line = await refusalOf(1, '--data-dir', dataDir, '--live');
  expect(line).toMatch(`the data directory ${dataDir} is in use by process ${running.child.pid}: stop it`);
  expect(readFileSync(join(dataDir, 'service.json'), 'utf8')).toBe(announced);
  expect((await fetch(`${url}/v1/health`)).status).toBe(200);

  const { port } = new URL(url);
  const other = start('--data-dir', join(dataDir, 'other'), '--no-ingest', '--port', port);
  await once(other.child, 'close');
  expect(other.child.exitCode).toBe(1);
  expect(other.output().trimEnd().split('\n').at(-1)).toMatch(
    `port ${port} is in use: stop what uses it, or choose another with --port`,
  );
}

const local = isDeployed ? describe.skip : describe;

local('npm start', () => {
  let dataDir = '';
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'start-'));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  let pasted: RegExpMatchArray[] = [];
  let texts: string[] = [];

  it('shows its progress, is ready after the first pass, and ends cleanly', async () => {
    const first = start('--data-dir', dataDir);
    await first.until(/^ready http:\/\/127\.0\.0\.1:\d+$/m);
    await first.until(/\/v1\/hs\/85\/imports'\n/);
    expect(first.output()).toMatch(/SAMPLE DATA/);
    expect(first.output()).toMatch(/npm start -- --live/);
    pasted = [...first.output().matchAll(PASTED)];
    expect(pasted).toHaveLength(3);
    const responses = await Promise.all(
      pasted.map(async ([, key = '', url = '']) => {
        const reply = await fetch(url, { headers: { 'X-API-Key': key } });
        return { status: reply.status, text: await reply.text() };
      }),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    texts = responses.map(({ text }) => text);
    expect(await end(first)).toBe(0);
  });

  // Data that stay, and a directory in use, are tested without processes in test/unit/serve and test/unit/local/store.
  longIt('has the data at the second start, which a third is refused', async () => {
    const second = start('--data-dir', dataDir, '--no-ingest');
    const [, url = ''] = await second.until(/^ready (\S+)$/m);
    const [, key = '', wanted = ''] = pasted[0] ?? [];
    const again = await fetch(`${url}${new URL(wanted).pathname}`, { headers: { 'X-API-Key': key } });
    expect(await again.text()).toBe(texts[0]);
    await expectRefused(dataDir, second, url);
    expect(await end(second)).toBe(0);
  });

  longIt('serves the recordings with --recorded, and suggests requests that return data', async () => {
    const recorded = start('--data-dir', dataDir, '--recorded');
    await recorded.until(/more ports of these sources/);
    expect(recorded.output()).toContain('Marine Department, HKSAR Government; DATA.GOV.HK');
    const pasted = [...recorded.output().matchAll(PASTED)];
    expect(pasted.map(([, , url = '']) => new URL(url).pathname)).toEqual([
      '/v1/ports/HKHKG/snapshot',
      '/v1/ports/HKHKG/waits',
      '/v1/ports/HKHKG/dwell',
      '/v1/ports/FIRAU/snapshot',
      '/v1/ports/FIRAU/waits',
      '/v1/ports/FIRAU/dwell',
      '/v1/ports/FIRAU/trend',
      '/v1/hs/85/imports',
      '/v1/hs/94/imports',
    ]);
    for (const [, key = '', url = ''] of pasted) {
      const reply = await fetch(url, { headers: { 'X-API-Key': key } });
      expect([reply.status, await reply.text()]).toEqual([200, expect.stringMatching(/\{.*\}/)]);
    }
    expect(await end(recorded)).toBe(0);
  });

  const MOMENTS: [string, RegExp][] = [
    ['the first pass runs', /ingesting/],
    ['the store opens', /starting the store/],
  ];
  it.each(MOMENTS.slice(0, extent(1, 2)))(
    'stops on a signal while %s, and releases the data directory',
    async (_, moment) => {
      const stopped = start('--data-dir', dataDir);
      await stopped.until(moment);
      expect(await end(stopped)).toBe(0);
      expect(stopped.output()).toMatch(/^stopping$/m);
      expect(stopped.output()).not.toMatch(/^ready/m);
      expect(existsSync(join(dataDir, 'service.json'))).toBe(false);
    },
  );

  // What is refused, and how, is tested without processes in test/unit/serve.
  const REFUSED: [string, RegExp, number][] = [
    ['--bogus', /unknown option '--bogus'/, 2],
    ['--now=yesterday', /--now must be a date and time/, 2],
    ['--replay=/nowhere-at-all', /nowhere-at-all/, 1],
    ['--data-dir=/proc/x', /the data directory \/proc\/x cannot be used/, 1],
    ['--data-dir=package.json', /the data directory \S+package\.json cannot be used/, 1],
  ];
  longIt.each(REFUSED)('refuses %s with one clear line', async (option, line, status) => {
    expect(await refusalOf(status, '--data-dir', dataDir, option)).toMatch(line);
  });
});
