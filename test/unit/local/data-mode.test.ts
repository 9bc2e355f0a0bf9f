/** Where the data of a start lie, and what becomes of those of an earlier one. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chooseMode, otherStarts, readBeginning } from '../../../local/data-mode.ts';
import { readServeOptions } from '../../../local/start-options.ts';

const NOW = ['--sample', '--now', '2026-11-20T12:00:00Z'];

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'serve-mode-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

/** Whether what an earlier start left is there after another one with these options. */
function isKept(...options: string[]): boolean {
  const all = readServeOptions(['--data-dir', dataDir, ...options]);
  const { dataDirectory: directory } = chooseMode(all);
  const left = join(directory, 'left');
  mkdirSync(directory, { recursive: true });
  writeFileSync(left, '');
  chooseMode(all);
  return existsSync(left);
}

it('a start at a set time starts a new sample, unless it serves existing data', () => {
  expect([isKept(...NOW), isKept(...NOW, '--no-ingest'), isKept('--sample')]).toEqual([false, true, true]);
});

describe('a start on the real upstreams', () => {
  const live = (environment: NodeJS.ProcessEnv) => {
    const options = readServeOptions(['--data-dir', dataDir, '--live']);
    return chooseMode(options, environment);
  };

  it.each([{}, { CENSUS_API_KEY: '' }])(
    'leaves out a source whose key is missing and says so: %j',
    (unset) => {
      const { ingest, banner } = live(unset);
      expect(ingest.sources).toContain('hk-marine-department');
      expect(ingest.sources).not.toContain('us-census-trade');
      expect(banner).toContain(
        'us-census-trade is off: it needs a key in the environment variable CENSUS_API_KEY',
      );
    },
  );

  it('hands a key of the environment to the ingest, and nothing else of the environment', () => {
    const { ingest, banner } = live({ CENSUS_API_KEY: 'given', HOME: '/home' });
    expect(ingest).toEqual({
      sources: expect.arrayContaining(['hk-marine-department', 'us-census-trade']),
      environment: { CENSUS_API_KEY: 'given' },
    });
    expect(banner.join('\n')).not.toContain('given');
  });

  it('passes the contact to the ingest, and shows what publishers receive', () => {
    const { ingest, banner } = live({ CONTACT: 'ops@example.org' });
    expect(ingest.environment).toEqual({ CONTACT: 'ops@example.org' });
    expect(live({ EXCLUDED_FEEDS: 'aishub' }).ingest.environment).toEqual({ EXCLUDED_FEEDS: 'aishub' });
    expect(() => live({ EXCLUDED_FEEDS: 'aishubb' })).toThrow(
      'EXCLUDED_FEEDS: aishubb: the feeds are aishub, ',
    );
    expect(banner.at(-1)).toBe('requests to publishers name the contact ops@example.org');
    expect(live({ CONTACT: '' }).banner.at(-1)).toMatch(
      /^requests to publishers name no contact: set CONTACT/,
    );
  });

  it('stops at a contact that a header cannot contain', () => {
    expect(() => live({ CONTACT: 'me (at home)' })).toThrow(
      'CONTACT=me (at home) cannot be used: a contact is an e-mail address or an https address',
    );
  });
});

describe('a start on the recordings', () => {
  const recorded = (...options: string[]) =>
    chooseMode(readServeOptions(['--data-dir', dataDir, '--recorded', ...options]));

  it('begins with the release, unless the clock stands before its last reply', () => {
    expect(recorded().ownRelease).toMatch(/recordings.release$/);
    expect(recorded('--now', '2021-08-05T12:01:00Z').ownRelease).toBeUndefined();
  });

  it('removes data that began otherwise, unless it serves what is there', () => {
    expect([isKept(), isKept('--no-ingest')]).toEqual([false, true]);
    const { dataDirectory: directory, ownRelease = '' } = recorded();
    const { digest } = readBeginning(ownRelease);
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'began-with'), digest);
    expect(isKept()).toBe(true);
  });

  it('stands a minute after the newest poll of Hong Kong, and asks no upstream', () => {
    const { nowAt, recordedUntil, firstPass, ingest, dataDirectory, banner } = recorded();
    expect(nowAt).toBe(Date.UTC(2025, 9, 4, 14, 20, 27));
    expect(recordedUntil).toBe('2025-10-04T14:20:27Z');
    expect(ingest.sources).toEqual(['fintraffic-digitraffic', 'hk-marine-department', 'us-census-trade']);
    for (const { event } of firstPass) expect(event).toMatchObject({ ask: false });
    expect(dataDirectory).toBe(join(dataDir, 'recorded'));
    expect(banner).toContain('hk-marine-department: Marine Department, HKSAR Government; DATA.GOV.HK');
  });

  it('ends earlier with --now, in a folder of its own', () => {
    const { nowAt, dataDirectory } = recorded('--now', '2025-10-04T12:00:00Z');
    expect(nowAt).toBe(Date.UTC(2025, 9, 4, 12));
    expect(dataDirectory).not.toBe(join(dataDir, 'recorded'));
    expect(recorded('--now', '2021-08-05T12:01:00Z').ingest.sources).toEqual([
      'fintraffic-digitraffic',
      'us-census-trade',
    ]);
  });
});

it('each start knows the ports of the others', () => {
  const others = (...options: string[]) =>
    JSON.parse(otherStarts(readServeOptions(options))) as Record<string, string[]>;
  expect(Object.keys(others())).toEqual(['npm start -- --live', 'npm start -- --sample']);
  for (const port of ['USLAX', 'SGSIN', 'NLRTM'])
    for (const ports of Object.values(others())) expect(ports).toContain(port);
  expect(Object.keys(others('--sample'))).toEqual(['npm start', 'npm start -- --live']);
  expect(others('--sample')['npm start']).toEqual(expect.arrayContaining(['TWKHH', 'HKHKG', 'FIRAU']));
  expect(Object.keys(others('--live'))).toEqual(['npm start', 'npm start -- --sample']);
  expect(Object.keys(others('--replay', 'x'))).toHaveLength(3);
});
