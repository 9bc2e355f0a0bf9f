/** The README's session, run as it stands: what it shows is what comes back. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exchange } from './exchange.ts';
import { type PreparedService, startPreparedService } from './prepared-service.ts';
import { SAMPLE_INGEST } from './sample-service.ts';
import { isDeployed } from './service.ts';

const README = fileURLToPath(new URL('../../README.md', import.meta.url));
const SHOWN_AT = Date.UTC(2026, 10, 20, 12);
const COMMAND = /^\$ curl -s -H 'X-API-Key: (\S+)' 'http:\/\/127\.0\.0\.1:3000(\S+)'\n/;

const session = (text: string): string[] =>
  [...text.matchAll(/```console\n([\s\S]*?)```/g)].map(([, block = '']) => block);
/** Ids differ from request to request. */
const withoutId = (text: string): string => text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID');

const local = isDeployed ? describe.skip : describe;

local('the session of the README', () => {
  let prepared: PreparedService;
  beforeAll(async () => {
    prepared = await startPreparedService({
      at: SHOWN_AT,
      ingest: { sources: ['sample-simulator'], bundle: SAMPLE_INGEST },
    });
    await prepared.service.ingest?.({ source: 'sample-simulator' });
  }, 60_000);
  afterAll(() => prepared?.close());

  async function answerTo(block: string): Promise<{ command: string; output: string }> {
    const [command = '', key, path = ''] = COMMAND.exec(block) ?? [];
    const { text } = await exchange(prepared.url, path, { key });
    return { command, output: text.endsWith('\n') ? text : `${text}\n` };
  }

  it('shows what comes back (UPDATE_README=1 writes it anew)', async () => {
    const text = readFileSync(README, 'utf8');
    const blocks = session(text);
    expect(blocks.length).toBeGreaterThanOrEqual(3);
    const answers = await Promise.all(blocks.map(answerTo));
    if (process.env.UPDATE_README !== undefined) {
      const updated = blocks.reduce(
        (whole, block, i) => whole.replace(block, () => `${answers[i]?.command}${answers[i]?.output}`),
        text,
      );
      writeFileSync(README, updated);
      return;
    }
    for (const [i, block] of blocks.entries())
      expect(withoutId(block)).toBe(withoutId(`${answers[i]?.command}${answers[i]?.output}`));
  });
});
