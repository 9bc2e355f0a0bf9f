import { describe, expect, it } from '@jest/globals';
import { SOURCE_DECLARATIONS } from '../../../../core/sources/declarations.ts';
import { readIngestOptions } from '../../../../tools/ingest/ingest-place.ts';

const idsOf = async (args: string[]): Promise<string[]> =>
  (await readIngestOptions(args)).sources.map(({ declaration }) => declaration.id);

describe('the options of npm run ingest', () => {
  it('are a live pass over every source without any', async () => {
    expect(Object.keys(await readIngestOptions([]))).toEqual(['sources', 'workers']);
    const all = SOURCE_DECLARATIONS.map(({ id }) => id);
    expect(await idsOf([])).toEqual(all);
    expect(await idsOf(['--source', 'dma-ais'])).toEqual(['dma-ais']);
  });

  it('name a span of a replay', async () => {
    const args = ['--replay', 'r', '--from', '2025-08-17T00:00:00Z', '--to', '2025-08-18T08:00:00+08:00'];
    expect(await readIngestOptions(args)).toMatchObject({
      replay: 'r',
      from: Date.UTC(2025, 7, 17),
      to: Date.UTC(2025, 7, 18),
    });
  });

  it('name a release to begin with', async () => {
    const args = ['--import', 'data/release=2026-02-01', '--data-dir', 'd'];
    expect(await readIngestOptions(args)).toMatchObject({
      import: 'data/release=2026-02-01',
      dataDir: 'd',
    });
  });

  it('name days of history, of the sources that have one', async () => {
    expect((await readIngestOptions(['--history', '2025-08-01..2025-08-31'])).history).toEqual({
      fromDay: '2025-08-01',
      toDay: '2025-08-31',
    });
    expect(await idsOf(['--history', '2025-08-01..2025-08-31'])).toEqual([
      'dma-ais',
      'hk-marine-department',
      'kystdatahuset-ais',
      'noaa-marinecadastre-ais',
      'tipc-taiwan',
    ]);
  });

  it.each([
    [['--replay', ''], '--replay must name a folder'],
    [['--data-dir', ''], '--data-dir must name a folder'],
    [['--replay', 'r', '--from', '2025-08-17'], '--from must be a date and time'],
    [['--replay', 'r', '--to', 'yesterday'], '--to must be a date and time'],
    [['--from', '2025-08-17T00:00:00Z'], '--from and --to go with --replay'],
    [
      ['--replay', 'r', '--from', '2025-08-18T00:00:00Z', '--to', '2025-08-17T00:00:00Z'],
      '--from must not be after --to',
    ],
    [['--replay', 'r', '--history', '2025-08-01..2025-08-02'], 'exclude each other'],
    [['--history', '2025-08-01'], '--history must be two days'],
    [['--history', '2025-08-02..2025-08-01'], '--history must be two days'],
    [['--history', '2025-02-30..2025-03-01'], '--history must be two days'],
    [['--history', '2025-08-01..2025-08-02', '--source', 'us-census-trade'], 'serves no past fetches'],
    [['--source', 'no-such-source'], '--source must be one of dma-ais, '],
    [['--import', ''], '--import must name a folder'],
    [['--import', 'https://example.org/data/'], '--import must name a folder: download the release'],
    [['--import', 'd', '--source', 'dma-ais'], '--import goes with --data-dir alone'],
    [['--import', 'd', '--replay', 'r'], '--import goes with --data-dir alone'],
    [['--workers', '0'], '--workers must be a number from 1 to 16, not 0'],
    [['--workers', 'two'], '--workers must be a number'],
    [['--bogus'], "unknown option '--bogus'"],
    [['stray'], 'too many arguments'],
  ])('that are wrong give one line: %j', async (args, message) => {
    const { message: said } = (await readIngestOptions(args).catch((thrown) => thrown)) as Error;
    expect(said).toContain(message);
    expect(said).not.toContain('\n');
  });
});
