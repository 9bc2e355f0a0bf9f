/** Folders of recorded replies: what is replayed, up to when, and what is skipped. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readReplay } from '../../../local/ingest.ts';

const isKnown = (source: string): boolean => ['harbour', 'anchorage'].includes(source);
function recorded(...fetches: string[]): string {
  const directory = mkdtempSync(join(tmpdir(), 'replay-'));
  for (const fetch of fetches) mkdirSync(join(directory, fetch), { recursive: true });
  return directory;
}

describe('a folder of recorded replies', () => {
  it('is replayed in the order of time, over all sources, to a minute after the newest', () => {
    const directory = recorded(
      'harbour/20250817T053000Z',
      'harbour/20250818T122500Z',
      'anchorage/20250817T120000Z',
      'unknown-source/20250819T000000Z',
      'harbour/notes',
    );
    writeFileSync(join(directory, 'README.md'), '');
    const replay = readReplay(directory, isKnown);
    expect(replay).toMatchObject({
      sources: ['anchorage', 'harbour'],
      skipped: ['unknown-source'],
      nowAt: Date.UTC(2025, 7, 18, 12, 26),
    });
    expect(replay.steps).toEqual([
      { event: { source: 'harbour', ask: false, until: '2025-08-17T05:30:00Z' }, fetches: 1 },
      { event: { source: 'anchorage', ask: false, until: '2025-08-17T12:00:00Z' }, fetches: 1 },
      { event: { source: 'harbour', ask: false, until: '2025-08-18T12:25:00Z' }, fetches: 1 },
    ]);
  });

  it('names and skips files that are not fetches', () => {
    const directory = recorded('harbour/20250817T053000Z', 'harbour/20250817T060000Z.zip', 'harbour/notes');
    for (const name of ['20250817T070000Z', 'README.md', '20250817T080000Z.zip'])
      writeFileSync(join(directory, 'harbour', name), '');
    const replay = readReplay(directory, isKnown);
    expect(replay.steps.map(({ event, fetches }) => [event.until, fetches])).toEqual([
      ['2025-08-17T08:00:00Z', 2],
    ]);
    expect(replay.strays).toEqual([
      'harbour/20250817T060000Z.zip',
      'harbour/20250817T070000Z',
      'harbour/notes',
    ]);
  });

  it('ends at the time that is asked for', () => {
    const directory = recorded('harbour/20250817T053000Z', 'harbour/20250818T122500Z');
    const nowAt = Date.UTC(2025, 7, 17, 5, 30);
    const replay = readReplay(directory, isKnown, nowAt);
    expect([replay.nowAt, replay.steps.length]).toEqual([nowAt, 1]);
    expect(() => readReplay(directory, isKnown, nowAt - 1)).toThrow(
      'has no recorded reply of a known source',
    );
  });

  it('is walked several fetches at a time, every one of them once', () => {
    const fetches = Array.from(
      { length: 20 },
      (_, index) => `harbour/20250817T${String(index).padStart(2, '0')}0000Z`,
    );
    const { steps } = readReplay(recorded(...fetches), isKnown);
    expect(steps.map(({ fetches }) => fetches)).toEqual([8, 8, 4]);
  });

  it('must exist, and contain a known source', () => {
    expect(() => readReplay('/no/such/folder', isKnown)).toThrow('/no/such/folder: no such folder');
    expect(() => readReplay(recorded('unknown-source/20250819T000000Z'), isKnown)).toThrow(
      'has no recorded reply',
    );
  });
});
