/** The README's sessions, run unchanged: they show the real responses. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { chooseMode, type ServeMode } from '../../serve/data-mode.ts';
import { readServeOptions } from '../../serve/start-options.ts';
import { exchange } from './exchange.ts';
import { type PreparedService, startPreparedService } from './prepared-service.ts';
import { SAMPLE_INGEST } from './sample-service.ts';
import { isDeployed } from './service.ts';

const README = fileURLToPath(new URL('../../README.md', import.meta.url));
const COMMAND = /^\$ curl -s -H 'X-API-Key: (\S+)' 'http:\/\/127\.0\.0\.1:3000(\S+)'(?: \| tail -n (\d+))?\n/;

/** The text below a heading of the README, up to the next one. */
const sectionOf = (text: string, heading: string): string =>
  text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

const consoleBlocks = (section: string): string[] =>
  [...section.matchAll(/```console\n([\s\S]*?)```/g)].map(([, block = '']) => block);

/** Ids differ from request to request. */
const withoutId = (text: string): string => text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID');

const lastLines = (text: string, count: number): string =>
  `${text.trimEnd().split('\n').slice(-count).join('\n')}\n`;

const local = isDeployed ? describe.skip : describe;

local('the README', () => {
  let prepared: PreparedService | undefined;
  afterEach(() => prepared?.close());

  /** The expected block: its command, and the response of the running service. */
  async function run(url: string, block: string): Promise<string> {
    const [command = '', key, path = '', tail] = COMMAND.exec(block) ?? [];
    expect(command).not.toBe('');
    const { text } = await exchange(url, path, { key });
    return `${command}${lastLines(text, Number(tail ?? Number.POSITIVE_INFINITY))}`;
  }

  it.each([
    ['A session', ['--now', '2026-11-20T12:00:00Z', '--data-dir', 'nowhere']],
    ['Real data', ['--recorded']],
  ])('shows the real response under "%s" (UPDATE_README=1 rewrites it)', async (heading, options) => {
    const mode: ServeMode = chooseMode(readServeOptions(options), {
      assembly: '',
      sampleIngest: SAMPLE_INGEST,
      portal: '',
    });
    const { nowAt: at, ingest, rawArchive, firstPass } = mode;
    prepared = await startPreparedService({ at, ingest, rawArchive });
    for (const { event } of firstPass) await prepared.service.ingest?.(event);

    const readme = readFileSync(README, 'utf8');
    const section = sectionOf(readme, heading);
    const blocks = consoleBlocks(section);
    expect(blocks.length).toBeGreaterThanOrEqual(3);
    const { url } = prepared;
    const responses = await Promise.all(blocks.map((block) => run(url, block)));
    if (process.env.UPDATE_README === undefined)
      expect(blocks.map(withoutId)).toEqual(responses.map(withoutId));
    else {
      const updated = blocks.reduce(
        (text, block, i) => text.replace(block, () => responses[i] ?? ''),
        section,
      );
      writeFileSync(
        README,
        readme.replace(section, () => updated),
      );
    }
  });
});
