/** Every deployed source, given a good reply and then a bad one: refused with its reason, and the good data stay. */
import { describe, expect, it } from '@jest/globals';
import { formatInstant, HOUR_MS, MINUTE_MS } from '../../core/reference/time.ts';
import { antaqBerthing } from '../../core/sources/antaq-berthing/source.ts';
import { fintrafficDigitraffic } from '../../core/sources/fintraffic-digitraffic/source.ts';
import { hkMarineDepartment } from '../../core/sources/hk-marine-department/source.ts';
import type { FetchedFiles, Source } from '../../core/sources/source.ts';
import { usCensusTrade } from '../../core/sources/us-census-trade/source.ts';
import { hkFetchAt, hkVisits } from '../builders/hk-polls.ts';
import { startMemoryIngest } from '../builders/memory-ingest.ts';
import { everyResponse, readHandlers } from '../builders/read-handlers.ts';
import { LATEST, yearFiles } from '../sources/antaq-berthing/yearly-tables.ts';
import { area, call, envelope, filesOf } from '../sources/fintraffic-digitraffic/port-calls.ts';
import { bytesOf, HEADER, row } from '../sources/us-census-trade/tables.ts';

const T0 = Date.parse('2026-03-10T12:01:00Z');
const finnish = (asOfAt: number): FetchedFiles => {
  const calls = envelope(call({ portAreaDetails: [area({ ata: '2026-03-10T04:10:00Z' })] }));
  return filesOf({
    'request.json': { from: '2026-03-09T05:00:00Z' },
    'port-calls-000.json': { ...calls, dataUpdatedTime: formatInstant(asOfAt) },
  });
};
const months = Array.from({ length: 14 }, (_, n) => new Date(Date.UTC(2025, n, 1)).toISOString().slice(0, 7));

const GOOD: readonly (readonly [Source, FetchedFiles])[] = [
  [hkMarineDepartment, hkFetchAt(hkVisits({ seed: 5, startAt: T0 - HOUR_MS, days: 1 }), T0).files],
  [fintrafficDigitraffic, finnish(T0)],
  [antaqBerthing, new Map([...yearFiles(2026, LATEST)])],
  [
    usCensusTrade,
    new Map([['imports-hs2.json', bytesOf([HEADER, ...months.map((month) => row('85', month))])]]),
  ],
];

const text = (words: string): Uint8Array => new TextEncoder().encode(words);
/** The bad version of each file, and the possible reasons of its refusal. */
const FAULTS: readonly (readonly [string, (file: Uint8Array, source: Source) => Uint8Array, RegExp])[] = [
  ['a web page', () => text('<!doctype html><title>Maintenance</title>'), /^html$/],
  ['empty', () => new Uint8Array(), /^empty$/],
  [
    'cut off',
    (file) => file.slice(0, Math.floor(file.length * 0.6)),
    /^(malformed|truncated|incomplete|cut-off)$/,
  ],
  [
    'ten times too large',
    (_, { declaration }) => new Uint8Array(declaration.largestReplyBytes * 10),
    /^too-large$/,
  ],
  [
    'of another encoding',
    (file) => new Uint8Array(Buffer.from(`\ufeff${Buffer.from(file)}`, 'utf16le')),
    /^(encoding|malformed)$/,
  ],
];

const ports = ['HKHKG', 'FIRAU', 'BRPNG'];

/** An ingest after a good pass, and the responses of then; made once for each source. */
async function goodPass(source: Source, good: FetchedFiles) {
  const ingest = startMemoryIngest({ nowAt: T0 });
  const responses = () =>
    everyResponse(
      readHandlers(ingest.tables, () => T0 + HOUR_MS),
      source.declaration.ports.filter((port) => ports.includes(port)),
      ['85'],
    );
  expect(await ingest.pass(given(source, good))).toMatchObject({ state: 'ok', refusals: [] });
  return { ingest, responses, before: await responses(), restore: ingest.save() };
}
const goodPasses = new Map<Source, ReturnType<typeof goodPass>>();

const given = (source: Source, files: FetchedFiles): Source => ({
  ...source,
  declaration: withoutSecret(source),
  fetch: async () => files,
});

/** A good pass, then one with `bad`: the result of the second. The responses are the same after each. */
async function afterBoth(source: Source, good: FetchedFiles, bad: FetchedFiles) {
  const made = goodPasses.get(source) ?? goodPass(source, good);
  goodPasses.set(source, made);
  const { ingest, responses, before, restore } = await made;
  restore();
  const { id } = source.declaration;
  ingest.clock.nowAt = T0 + 20 * MINUTE_MS;
  const outcome = await ingest.pass(given(source, bad));
  const [status] = await ingest.stores.statuses.all();
  expect(status).toMatchObject({ source: id, lastFetchAt: T0, failures: 1 });
  expect(await responses()).toEqual(before);
  // Archived nevertheless, so that it can be inspected.
  expect(await ingest.archive.fetches(id, undefined, Infinity)).toHaveLength(2);
  return outcome;
}

const withoutSecret = ({ declaration: { secret: _, ...declaration } }: Source) => declaration;

describe.each(GOOD.map(([source, good]) => [source.declaration.id, source, good] as const))(
  'a bad reply of %s',
  (_id, source, good) => {
    it.each(FAULTS)('that is %s', async (_name, spoil, reason) => {
      const bad = new Map(
        [...good].map(([name, file]) => [name, name === 'request.json' ? file : spoil(file, source)]),
      );
      expect(await afterBoth(source, good, bad)).toMatchObject({
        state: 'failed',
        reason: expect.stringMatching(reason),
      });
    });
  },
);

it.each([
  ['in the future', T0 + 5 * HOUR_MS, 'in-the-future'],
  ['older than the last', T0 - HOUR_MS, 'stale-reply'],
])('a reply that is %s is refused, where the source states its time', async (_name, asOfAt, reason) => {
  const outcome = await afterBoth(fintrafficDigitraffic, finnish(T0), finnish(asOfAt));
  expect(outcome).toMatchObject({ state: 'failed', reason });
});
