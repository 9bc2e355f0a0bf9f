/** Text of any length costs the row that has it, and a fetch whose rows the tables would not take changes nothing. */
import { describe, expect, it } from '@jest/globals';
import type { CallRecord, VesselInPort } from '../../../core/calls/observation.ts';
import { HOUR_MS, type Instant } from '../../../core/reference/time.ts';
import { StoreFailure } from '../../../core/store/table.ts';
import { MAX_ID_BYTES, MAX_TEXT } from '../../../core/upstream/fields.ts';
import { RefusedReply, type Source } from '../../../core/upstream/source.ts';
import { startMemoryIngest } from '../../builders/memory-ingest.ts';
import { batchAt, replyFiles, SCRIPTED_PORT, scriptedSource } from '../../builders/scripted-source.ts';
import { valuesOf } from '../../builders/table-dump.ts';

const T0 = Date.UTC(2026, 2, 2);
const hour = (hours: number): Instant => T0 + hours * HOUR_MS;
const SOURCE = scriptedSource();

const record = (callId: string, at: Instant, more: Partial<CallRecord> = {}): CallRecord => ({
  callId,
  vesselId: `vessel of ${callId.slice(0, 20)}`,
  traffic: 'cargo',
  recordedAt: at,
  ataAt: hour(-2),
  stops: [{ zone: 'berth', place: 'one', ataAt: hour(-1) }],
  ...more,
});
const batchOf = (at: Instant, records: readonly CallRecord[]) => ({
  asOfAt: at,
  observations: [batchAt(at, records)],
});

async function applied(replies: readonly Parameters<typeof replyFiles>[0][], source: Source = SOURCE) {
  const ingest = startMemoryIngest({ nowAt: hour(replies.length) });
  for (const [index, reply] of replies.entries())
    await ingest.archive.write('scripted', hour(index), replyFiles(reply));
  const outcome = await ingest.restarted()(source, { ask: false });
  const calls = await ingest.stores.portCalls.since(SCRIPTED_PORT, 0);
  return { ...outcome, ingest, ids: calls.map(({ callId }) => callId).sort() };
}

describe('a row with a long text', () => {
  it.each<[string, Partial<CallRecord>, Partial<CallRecord>]>([
    ['call id', { callId: 'c'.repeat(MAX_ID_BYTES) }, { callId: 'c'.repeat(MAX_ID_BYTES + 1) }],
    ['vessel id, in bytes', { vesselId: '船'.repeat(42) }, { vesselId: '船'.repeat(43) }],
    [
      'place',
      { stops: [{ zone: 'berth', place: 'p'.repeat(MAX_TEXT), ataAt: hour(-1) }] },
      { stops: [{ zone: 'berth', place: 'p'.repeat(MAX_TEXT + 1), ataAt: hour(-1) }] },
    ],
  ])('is accepted up to the limit of a %s, and refused alone beyond it', async (_, fits, exceeds) => {
    const good = record('good', T0);
    expect((await applied([batchOf(T0, [good, record('long', T0, fits)])])).ids).toHaveLength(2);
    const { ids, refusals } = await applied([batchOf(T0, [good, record('long', T0, exceeds)])]);
    expect(ids).toEqual(['good']);
    expect(refusals.byReason).toEqual({ 'long-text': 1 });
  });

  it('leaves the vessel in port, whose place is not known then', async () => {
    const row = (place: string, vesselId = 'ONE'): VesselInPort => ({
      vesselId,
      ataAt: hour(-2),
      zone: 'berth',
      place,
    });
    const poll = (at: Instant, inPort: readonly VesselInPort[]) => ({
      asOfAt: at,
      observations: [{ kind: 'poll' as const, port: SCRIPTED_PORT, observedAt: at, inPort }],
    });
    const { status, ingest } = await applied([
      poll(hour(0), [row('A'), row('A', 'TWO')]),
      poll(hour(1), [row('x'.repeat(450_000)), row('A', 'TWO')]),
    ]);
    expect(status?.lastFetchAt).toBe(hour(1));
    const [first] = await ingest.stores.portCalls.since(SCRIPTED_PORT, 0);
    expect(first?.legs).toEqual([{ zone: 'berth', place: 'A', startAt: hour(-2) }]);
  });

  it('refuses the reply where every row has one', async () => {
    const long = Array.from({ length: 30 }, (_, at) => record(`${at} ${'c'.repeat(MAX_ID_BYTES)}`, T0));
    expect((await applied([batchOf(T0, long)])).status?.doubt).toMatchObject({ reason: 'refused-rows' });
  });
});

it('a message of a parser is cut to 500 characters in the row of the source', async () => {
  const ingest = startMemoryIngest({ nowAt: T0 });
  const broken: Source = {
    ...SOURCE,
    parse: () => {
      throw new RefusedReply('malformed', `tag ${'t'.repeat(450_000)}`);
    },
  };
  await ingest.archive.write('scripted', T0, replyFiles(batchOf(T0, [])));
  const { status } = await ingest.restarted()(broken, { ask: false });
  expect(status?.doubt?.detail).toHaveLength(500);
});

describe('a fetch whose rows the tables would not take', () => {
  /** Calls that each ended a stay on one day: about 190 bytes of the row of that day. */
  const busyDay = (at: Instant, calls: number) =>
    batchOf(
      at,
      Array.from({ length: calls }, (_, index) =>
        record(`call-${index}-`.padEnd(MAX_ID_BYTES, 'c'), at, {
          vesselId: `vessel-${index}`,
          stops: [{ zone: 'berth', place: 'one', ataAt: hour(-1), atdAt: hour(0) }],
          atdAt: hour(0),
        }),
      ),
    );

  it('is refused whole, changes nothing, and does not stop the next one', async () => {
    const good = batchOf(hour(0), [record('good', hour(0))]);
    const next = batchOf(hour(2), [record('good', hour(2)), record('next', hour(2))]);
    const { status, ids, ingest } = await applied([good, busyDay(hour(1), 2_300), next]);
    expect(ids).toEqual(['good', 'next']);
    expect(status?.lastFetchAt).toBe(hour(2));
    const without = await applied([good, batchOf(hour(1), []), next]);
    const { sourceStatus: _, ...found } = await valuesOf(ingest.tables);
    const { sourceStatus: __, ...expected } = await valuesOf(without.ingest.tables);
    expect(found).toEqual(expected);
    const refused = await applied([good, busyDay(hour(1), 2_300)]);
    expect(refused.status?.doubt).toMatchObject({
      outcome: 'refused',
      reason: 'oversized',
      detail: expect.stringContaining('stayDays would get a row of'),
    });
    expect((await applied([good, busyDay(hour(1), 1_500)])).status?.doubt).toBeUndefined();
  });

  it('of positions is refused whole and changes nothing', async () => {
    const positions = { ...SOURCE, declaration: { ...SOURCE.declaration, boxes: [] } };
    const good = batchOf(hour(0), [record('good', hour(0))]);
    const found = await applied([good, busyDay(hour(1), 2_300)], positions);
    expect(found.status?.doubt).toMatchObject({ outcome: 'refused', reason: 'oversized' });
    expect(found.ids).toEqual(['good']);
    expect((await applied([good, busyDay(hour(1), 1_500)], positions)).status?.doubt).toBeUndefined();
  });

  it('of imports is refused whole and changes nothing', async () => {
    const trade = { ...SOURCE, declaration: { ...SOURCE.declaration, kind: 'trade' as const, ports: [] } };
    /** Two series, the second with about 19 bytes a month. */
    const published = (months: number) => ({
      asOfAt: hour(0),
      observations: [
        {
          kind: 'trade' as const,
          observedAt: hour(0),
          measure: 'GEN_VAL_MO',
          values: [
            { code: '01', month: '2025-12', value: 1 },
            ...Array.from({ length: months }, (_, at) => ({
              code: '85',
              month: `${String(Math.floor(at / 12)).padStart(4, '0')}-${String((at % 12) + 1).padStart(2, '0')}`,
              value: 100_000_000 + at,
            })),
          ],
        },
      ],
    });
    const found = await applied([published(22_000)], trade);
    expect(found.status?.doubt).toMatchObject({
      outcome: 'refused',
      reason: 'oversized',
      detail: expect.stringContaining('85: importValues would get a row of'),
    });
    expect(await found.ingest.stores.importValues.vintages('01', 'GEN_VAL_MO')).toEqual([]);
    const fits = await applied([published(10_000)], trade);
    expect(fits.status?.doubt).toBeUndefined();
    expect(await fits.ingest.stores.importValues.vintages('85', 'GEN_VAL_MO')).toHaveLength(1);
  });

  it('fails its pass where the store refuses all the same, and is not called refused', async () => {
    const ingest = startMemoryIngest({ nowAt: hour(1) });
    await ingest.archive.write('scripted', T0, replyFiles(batchOf(T0, [record('good', T0)])));
    ingest.tables.portCalls.writeMany = async () => {
      throw new StoreFailure('portCalls failed: ValidationException');
    };
    await expect(ingest.restarted()(SOURCE, { ask: false })).rejects.toThrow('ValidationException');
    const [status] = await ingest.stores.statuses.all();
    expect(status?.doubt).toBeUndefined();
  });
});

describe('a row of a table', () => {
  const table = startMemoryIngest({ nowAt: T0 }).tables.importValues;
  const sized = (bytes: number) => {
    const row = { series: 'a', fetchedAt: 'b', text: '' };
    return { ...row, text: 't'.repeat(bytes - JSON.stringify(row).length) };
  };

  it.each<[string, (bytes: number) => Record<string, unknown>, number]>([
    ['400 kB', sized, 400 * 1024],
    ['a partition key of 2,048 bytes', (bytes) => ({ series: 's'.repeat(bytes), fetchedAt: 'b' }), 2_048],
    ['a sort key of 1,024 bytes', (bytes) => ({ series: 'a', fetchedAt: 'f'.repeat(bytes) }), 1_024],
    ['a sort key of 512 signs of two bytes', (bytes) => ({ series: 'a', fetchedAt: 'é'.repeat(bytes) }), 512],
  ])('fits up to %s', (_name, row, limit) => {
    const fits = [limit - 1, limit, limit + 1].map((size) => table.faultOf(row(size)) === undefined);
    expect(fits).toEqual([true, true, false]);
  });
});
