import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CallRecord, CallsObservation } from '../../../core/calls/observation.ts';
import { HS_CHAPTERS } from '../../../core/reference/codes.ts';
import { DAY_MS, HOUR_MS, type Instant, startOfDay } from '../../../core/reference/time.ts';
import { SAMPLE_DECLARATION } from '../../../core/sources/sample-simulator/declaration.ts';
import { UpstreamFailure } from '../../../core/upstream/http-client.ts';
import type { ParsedFetch } from '../../../core/upstream/source.ts';
import { extent } from '../../builders/extent.ts';
import { BEGAN_AT, FIRST_DAY, FIRST_NOW, fetchAt, parsedAt, sampleSource } from './sample.ts';

const batchesOf = ({ observations }: ParsedFetch): CallsObservation[] =>
  observations.filter((report): report is CallsObservation => report.kind === 'call-batch');

/** What a reader of all batches in order knows in the end: of each call the last record. */
function lastRecords(...fetches: readonly ParsedFetch[]): Map<string, CallRecord> {
  const known = new Map<string, CallRecord>();
  for (const record of fetches.flatMap(batchesOf).flatMap((batch) => batch.records))
    known.set(record.callId, record);
  return known;
}

const byId = (known: Map<string, CallRecord>): CallRecord[] =>
  [...known.values()].sort((a, b) => (a.callId < b.callId ? -1 : 1));

describe('the first fetch', () => {
  it('brings a batch for each of 45 days, today and port, in time order, covering without a gap', async () => {
    const parsed = await parsedAt(FIRST_NOW);
    const batches = batchesOf(parsed);
    expect(batches).toHaveLength(46 * 5);
    expect(parsed.refusals.count).toBe(0);
    expect(parsed.asOfAt).toBe(FIRST_NOW);
    expect(batches.map((batch) => batch.observedAt)).toEqual(
      batches.map((b) => b.observedAt).sort((a, b) => a - b),
    );
    for (const port of SAMPLE_DECLARATION.ports) {
      const own = batches.filter((batch) => batch.port === port);
      expect(own[0]?.coveredFromAt).toBe(BEGAN_AT);
      expect(own.slice(1).map((batch) => batch.coveredFromAt)).toEqual(
        own.slice(0, -1).map((b) => b.observedAt),
      );
      expect(own.at(-1)?.observedAt).toBe(FIRST_NOW);
    }
  });

  it('begins 139 days before now in an empty folder', async () => {
    const { files } = await fetchAt(startOfDay('2026-11-21') + HOUR_MS, undefined, sampleSource('none yet'));
    const days = [...files.keys()].filter((name) => name.startsWith('calls-USLAX')).sort();
    expect(days[0]).toBe('calls-USLAX-2026-07-05.json');
    expect(days.at(-1)).toBe('calls-USLAX-2026-11-21.json');
  });
});

describe('later fetches', () => {
  it('begin with the day of the fetch before them', async () => {
    const { files } = await fetchAt(FIRST_NOW + DAY_MS, FIRST_NOW);
    expect([...files.keys()].filter((name) => name.includes('HKHKG'))).toEqual([
      'calls-HKHKG-2026-04-16.json',
      'calls-HKHKG-2026-04-17.json',
    ]);
  });

  it('go on with the same world: passes at any times end where one fetch of all would', async () => {
    const hours = fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1, maxLength: extent(2, 4) });
    await fc.assert(
      fc.asyncProperty(hours, async (steps) => {
        const passes = [await parsedAt(FIRST_NOW)];
        let lastAt: Instant = FIRST_NOW;
        for (const step of steps) {
          const now = lastAt + step * HOUR_MS;
          passes.push(await parsedAt(now, lastAt));
          lastAt = now;
        }
        const atOnce = byId(lastRecords(await parsedAt(lastAt)));
        expect(JSON.stringify(byId(lastRecords(...passes)))).toBe(JSON.stringify(atOnce));
      }),
      { numRuns: extent(1, 5), seed: 1 },
    );
  });

  it('bring today again when the clock was set back, and fail before the world began', async () => {
    const { files } = await fetchAt(FIRST_NOW, FIRST_NOW + 9 * DAY_MS);
    expect(files.has('calls-USLAX-2026-04-16.json')).toBe(true);
    expect(files.size).toBe(5);
    await expect(fetchAt(startOfDay(FIRST_DAY) - 1000)).rejects.toThrow(UpstreamFailure);
  });
});

describe('import values', () => {
  const tradeOf = ({ observations }: ParsedFetch) => observations.filter((report) => report.kind === 'trade');

  it('come with the first fetch: all chapters and some finer codes, 52 months, 35 days late', async () => {
    const [report, ...more] = tradeOf(await parsedAt(FIRST_NOW));
    expect(more).toEqual([]);
    expect(report?.measure).toBe('GEN_VAL_MO');
    const codes = new Set(report?.values.map((value) => value.code));
    expect(HS_CHAPTERS.every((chapter) => codes.has(chapter))).toBe(true);
    expect([4, 6].every((digits) => [...codes].filter((code) => code.length === digits).length >= 10)).toBe(
      true,
    );
    const months = [...new Set(report?.values.map((value) => value.month))].sort();
    // On 16 April the end of February lies 47 days back, that of March 16.
    expect([months[0], months.at(-1), months.length]).toEqual(['2021-11', '2026-02', 52]);
    expect(report?.values.every(({ value }) => Number.isInteger(value) && value > 1000)).toBe(true);
  });
});
