/** Address and key of the stdio server, and what is printed when they are wrong. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { VERSION } from '../../../packages/mcp/server.ts';
import { readSettings } from '../../../packages/mcp/settings.ts';
import { longIt } from '../../builders/extent.ts';

const KEY = 'pcd_dev_000000000000000000000000';

describe('settings', () => {
  it.each<[string[], Record<string, string>, string]>([
    [[], {}, 'http://127.0.0.1:3000'],
    [[], { PCD_BASE_URL: 'https://api.example.com' }, 'https://api.example.com'],
    [[], { PCD_BASE_URL: '' }, 'http://127.0.0.1:3000'],
    [['--base-url', 'http://a.test'], { PCD_BASE_URL: 'http://b.test' }, 'http://a.test'],
  ])('%j with %j ask %s', (args, environment, baseUrl) => {
    expect(readSettings(args, { PCD_API_KEY: KEY, ...environment })).toEqual({ baseUrl, apiKey: KEY });
  });

  it.each<[string[], Record<string, string>, string]>([
    [[], {}, 'PCD_API_KEY is not set: set it to your API key'],
    [[], { PCD_API_KEY: '' }, 'PCD_API_KEY is not set'],
    [[], { PCD_API_KEY: KEY, PCD_BASE_URL: 'example.com' }, 'PCD_BASE_URL must be an http or https address'],
    [['--base-url', 'file:///x'], { PCD_API_KEY: KEY }, '--base-url must be an http or https address'],
    [['--api-key', KEY], { PCD_API_KEY: KEY }, "Unknown option '--api-key'"],
  ])('%j with %j are refused: %s', (args, environment, message) => {
    expect(() => readSettings(args, environment)).toThrow(message);
  });
});

describe('the program', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const run = (args: string[], environment: Record<string, string>) =>
    promisify(execFile)(process.execPath, ['--import', 'tsx', 'packages/mcp/main.ts', ...args], {
      cwd: root,
      env: { PATH: process.env.PATH, ...environment },
    });

  const { version } = JSON.parse(readFileSync(`${root}packages/mcp/package.json`, 'utf8'));
  it('has the version of its package', () => expect(VERSION).toBe(version));

  longIt('prints its version', async () => {
    expect((await run(['--version'], {})).stdout).toBe(`${version}\n`);
  });

  it('ends with one line on a key with a space, and never prints the key', async () => {
    const failure = await run([], { PCD_API_KEY: 'two words' }).catch((error) => error);
    expect(failure).toMatchObject({ code: 1, stdout: '' });
    expect(failure.stderr.trim().split('\n')).toHaveLength(1);
    expect(failure.stderr).toContain('PCD_API_KEY is empty or has characters');
    expect(failure.stderr).not.toContain('two words');
  });
});
