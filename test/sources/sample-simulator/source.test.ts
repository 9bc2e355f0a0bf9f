import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CallBatch, CallRecord } from '../../../core/calls/observation.ts';
import { importMomentum } from '../../../core/metrics/import-momentum.ts';
import { HS_CHAPTERS } from '../../../core/reference/hs-code.ts';
import { DAY_MS, HOUR_MS, type Instant, startOfDay } from '../../../core/reference/time.ts';
import { UpstreamFailure } from '../../../core/sources/http-client.ts';
import { SAMPLE_DECLARATION } from '../../../core/sources/sample-simulator/declaration.ts';
import type { ParsedFetch } from '../../../core/sources/source.ts';
import { BEGAN_AT, FIRST_DAY, FIRST_NOW, fetchAt, parsedAt, sampleSource } from './sample.ts';

const batchesOf = ({ reports }: ParsedFetch): CallBatch[] =>
  reports.filter((report): report is CallBatch => report.kind === 'call-batch');

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
    expect(parsed.refusals).toEqual([]);
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

  it('begins 45 days before now in an empty folder', async () => {
    const { files } = await fetchAt(startOfDay('2026-11-21') + HOUR_MS, undefined, sampleSource('none yet'));
    const days = [...files.keys()].filter((name) => name.startsWith('calls-USLAX')).sort();
    expect(days[0]).toBe('calls-USLAX-2026-10-07.json');
    expect(days.at(-1)).toBe('calls-USLAX-2026-11-21.json');
  });

  it('is modest in size, and the same again', async () => {
    const { files } = await fetchAt(FIRST_NOW);
    const again = await fetchAt(FIRST_NOW);
    const texts = (fetched: ReadonlyMap<string, Uint8Array>): [string, string][] =>
      Array.from(fetched, ([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]);
    expect(texts(again.files)).toEqual(texts(files));
    const bytes = [...files.values()].reduce((sum, file) => sum + file.length, 0);
    expect(bytes).toBeLessThan(4_000_000);
    expect(lastRecords(sampleSource().parse(again)).size).toBeGreaterThan(2000);
  });

  it('reports nothing that has not happened by the end of its batch', async () => {
    const early = batchesOf(await parsedAt(FIRST_NOW)).flatMap(({ observedAt, records }) =>
      records.filter(
        ({ ataAt = 0, atdAt = 0, recordedAt, stops }) =>
          Math.max(ataAt, atdAt, recordedAt, ...stops.flatMap((s) => [s.ataAt ?? 0, s.atdAt ?? 0])) >
          observedAt,
      ),
    );
    expect(early).toEqual([]);
  });

  it('has open calls, and vessels that were in port when the simulation began', async () => {
    const records = [...lastRecords(await parsedAt(FIRST_NOW)).values()];
    expect(records.filter((record) => record.atdAt === undefined).length).toBeGreaterThan(20);
    expect(records.filter((record) => (record.ataAt ?? 0) < BEGAN_AT).length).toBeGreaterThan(20);
    expect(new Set(records.map((record) => record.traffic))).toEqual(new Set(['cargo', 'ferry']));
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
    const hours = fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1, maxLength: 4 });
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
      { numRuns: 5, seed: 1 },
    );
  });

  it('catch up after weeks without leaving a day out', async () => {
    const batches = batchesOf(await parsedAt(FIRST_NOW + 40 * DAY_MS, FIRST_NOW));
    expect(batches).toHaveLength(41 * 5);
  });

  it('bring today again when the clock was set back, and fail before the world began', async () => {
    const { files } = await fetchAt(FIRST_NOW, FIRST_NOW + 9 * DAY_MS);
    expect(files.has('calls-USLAX-2026-04-16.json')).toBe(true);
    expect(files.size).toBe(5);
    await expect(fetchAt(startOfDay(FIRST_DAY) - 1000)).rejects.toThrow(UpstreamFailure);
  });
});

describe('import values', () => {
  const tradeOf = ({ reports }: ParsedFetch) => reports.filter((report) => report.kind === 'trade');

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

  it('keep a finer code below the code that contains it', async () => {
    const [report] = tradeOf(await parsedAt(FIRST_NOW));
    const value = new Map(report?.values.map((entry) => [`${entry.code} ${entry.month}`, entry.value]));
    const above = [...value].filter(([key, own]) => {
      const [code = '', month] = key.split(' ');
      return code.length > 2 && own >= (value.get(`${code.slice(0, -2)} ${month}`) ?? 0);
    });
    expect(above).toEqual([]);
  });

  it('give three years of momentum around 100, and a step for some', async () => {
    const [report] = tradeOf(await parsedAt(FIRST_NOW));
    const byCode = new Map<string, Map<string, number>>();
    for (const { code, month, value } of report?.values ?? [])
      byCode.set(code, (byCode.get(code) ?? new Map()).set(month, value));
    const indices = [...byCode.values()].map((values) => importMomentum(values).map((point) => point.index));
    expect(Math.min(...indices.map((points) => points.length))).toBeGreaterThanOrEqual(36);
    const all = indices.flat().sort((a, b) => a - b);
    expect(all[Math.floor(all.length / 2)]).toBeGreaterThan(95);
    expect(all[Math.floor(all.length / 2)]).toBeLessThan(110);
    expect([(all[0] ?? 0) > 50, (all.at(-1) ?? 0) < 200]).toEqual([true, true]);
    const stepped = indices.filter((points) => Math.max(...points) > 125 || Math.min(...points) < 82).length;
    expect(stepped / indices.length).toBeGreaterThan(0.4);
  });

  it('come again only when a month is published, that month alone', async () => {
    const publishedAt = startOfDay('2026-04-01') + 35 * DAY_MS;
    expect(tradeOf(await parsedAt(publishedAt - 1000, FIRST_NOW))).toEqual([]);
    const [report] = tradeOf(await parsedAt(publishedAt, publishedAt - 1000));
    expect(new Set(report?.values.map((value) => value.month))).toEqual(new Set(['2026-03']));
  });
});
