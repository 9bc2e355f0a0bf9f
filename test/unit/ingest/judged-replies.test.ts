/** A reply is judged between the archive and the tables: what is not accepted changes nothing but the source's status. */
import { describe, expect, it } from '@jest/globals';
import type { CallRecord } from '../../../core/calls/observation.ts';
import { acceptFetch } from '../../../core/ingest/acceptance.ts';
import { DAY_MS, HOUR_MS, type Instant } from '../../../core/reference/time.ts';
import { verdictName } from '../../../core/store/raw-archive.ts';
import { StoreFailure } from '../../../core/store/table.ts';
import { startMemoryIngest } from '../../builders/memory-ingest.ts';
import { batchAt, replyFiles, SCRIPTED_PORT, scriptedSource } from '../../builders/scripted-source.ts';
import { valuesOf } from '../../builders/table-dump.ts';

const T0 = Date.UTC(2026, 2, 2);
const SOURCE = scriptedSource();

const record = (index: number, at: Instant): CallRecord => ({
  callId: `call-${index}`,
  vesselId: `vessel-${index}`,
  traffic: 'cargo',
  recordedAt: at,
  listedAt: T0 - index * HOUR_MS,
  ataAt: T0 - index * HOUR_MS,
  stops: [{ zone: 'berth', place: 'one', ataAt: T0 - (index - 1) * HOUR_MS }],
});

/** A complete list of calls 1 to `calls`, all still in port. */
function reply(at: Instant, calls: number) {
  const records = Array.from({ length: calls }, (_, index) => record(index + 2, at));
  const complete = { fromAt: T0 - 10 * DAY_MS, toAt: T0 + 10 * DAY_MS, recordedAt: at };
  return { asOfAt: at, observations: [batchAt(at, records, { complete })] };
}

const hour = (hours: number): Instant => T0 + hours * HOUR_MS;

/** Replies by hour: the calls that each lists, or what stands in its place. */
async function archive(replies: Readonly<Record<number, number | string>>) {
  const ingest = startMemoryIngest({ nowAt: hour(100) });
  for (const [text, calls] of Object.entries(replies)) {
    const hours = Number(text);
    const content = typeof calls === 'string' ? calls : reply(hour(hours), calls);
    await ingest.archive.write('scripted', hour(hours), replyFiles(content));
  }
  return ingest;
}

/** The values of all tables but that of the sources. */
async function figures({ tables }: Awaited<ReturnType<typeof archive>>) {
  const { sourceStatus: _, ...figures } = await valuesOf(tables);
  return figures;
}

const replay = (ingest: Awaited<ReturnType<typeof archive>>) => ingest.restarted()(SOURCE, { ask: false });

describe('a list that has lost its calls', () => {
  it('is held with its reason, and the later good reply goes on from the last accepted one', async () => {
    const lied = await archive({ 1: 40, 2: 0 });
    const { status } = await replay(lied);
    const judged = {
      outcome: 'held',
      reason: 'few-rows',
      detail:
        'HKHKG calls: 40 of 40 usual rows are missing; the last reply had 40; HKHKG: 40 of 40 known calls would be withdrawn, or are missing',
    };
    expect(status).toMatchObject({
      lastFetchAt: hour(1),
      asOfAt: hour(1),
      checkpointAt: hour(2),
      doubt: { sinceAt: hour(2), fetchedAt: hour(2), ...judged },
    });
    expect(await lied.archive.readNote('scripted', verdictName(hour(2)))).toEqual({
      by: 'judgement',
      ...judged,
    });
    const truthful = await archive({ 1: 40 });
    await replay(truthful);
    expect(await figures(lied)).toEqual(await figures(truthful));

    for (const ingest of [lied, truthful]) {
      await ingest.archive.write('scripted', hour(3), replyFiles(reply(hour(3), 41)));
      const { status: then } = await replay(ingest);
      expect(then).toMatchObject({ asOfAt: hour(3), lastFetchAt: hour(3) });
      expect(then?.doubt).toBeUndefined();
    }
    expect(await figures(lied)).toEqual(await figures(truthful));
  });

  it('is held where its calls are expected at another time than before', async () => {
    const ingest = await archive({ 1: 40 });
    const [batch] = reply(hour(2), 40).observations;
    const records = batch?.records.map((record) => ({
      ...record,
      listedAt: (record.listedAt ?? 0) - HOUR_MS / 2,
    }));
    const moved = { asOfAt: hour(2), observations: [{ ...batch, records }] };
    await ingest.archive.write('scripted', hour(2), replyFiles(moved as ReturnType<typeof reply>));
    expect((await replay(ingest)).status?.doubt).toMatchObject({
      reason: 'moved-forecasts',
      detail: 'HKHKG: 40 of 40 known calls were expected at another time',
    });
  });

  it('is held in a live pass, which says so and does not pause the source', async () => {
    const ingest = startMemoryIngest({ nowAt: hour(1) });
    const source = scriptedSource();
    source.turns.push(reply(hour(1), 40), reply(hour(2), 10));
    await ingest.pass(source);
    ingest.clock.nowAt = hour(2);
    const { state, reason, detail, status } = await ingest.pass(source);
    expect({ state, reason, failures: status?.failures }).toEqual({
      state: 'held',
      reason: 'few-rows',
      failures: 0,
    });
    expect(detail).toContain('30 of 40 known calls would be withdrawn, or are missing');
  });

  it('stays held in a replay that begins with it, because its verdict is archived', async () => {
    const lied = await archive({ 1: 40, 2: 3 });
    await replay(lied);
    const fresh = await archive({ 2: 3 });
    await fresh.archive.writeNote(
      'scripted',
      verdictName(hour(2)),
      (await lied.archive.readNote('scripted', verdictName(hour(2)))) as object,
    );
    expect((await replay(fresh)).status).toMatchObject({ doubt: { outcome: 'held' } });
    expect(await fresh.stores.portCalls.since(SCRIPTED_PORT, 0)).toEqual([]);
  });

  it('is judged alike by a pass that follows one that died before the verdict', async () => {
    const ingest = await archive({ 1: 40, 2: 0 });
    const notes = ingest.archive.writeNote.bind(ingest.archive);
    ingest.archive.writeNote = async (source, name, content) => {
      if (name === verdictName(hour(2))) throw new StoreFailure('the archive is away');
      await notes(source, name, content);
    };
    await expect(replay(ingest)).rejects.toThrow('away');
    ingest.archive.writeNote = notes;
    expect((await replay(ingest)).status).toMatchObject({ doubt: { reason: 'few-rows' } });
  });
});

describe('a feed of changes', () => {
  /** Calls 1 to `calls` as they changed before the first reply, of the six hours before it. */
  const changes = (at: Instant, calls: number) => {
    const records = Array.from({ length: calls }, (_, index) => record(index + 2, hour(1)));
    const span = { coveredFromAt: hour(-5), changesFromAt: hour(-5) };
    return { asOfAt: at, observations: [batchAt(at, records, span)] };
  };
  const statusAfter = async (calls: number) => {
    const ingest = await archive({});
    await ingest.archive.write('scripted', hour(1), replyFiles(changes(hour(1), 40)));
    await ingest.archive.write('scripted', hour(2), replyFiles(changes(hour(2), calls)));
    return (await replay(ingest)).status;
  };

  it('states again what changed in its span, or is held', async () => {
    expect((await statusAfter(40))?.lastFetchAt).toBe(hour(2));
    expect(await statusAfter(20)).toMatchObject({
      lastFetchAt: hour(1),
      doubt: {
        reason: 'unsaid-changes',
        detail: 'HKHKG: 20 of 40 changes that were stated before are missing',
      },
    });
  });

  it('may be empty', async () => {
    expect((await statusAfter(0))?.lastFetchAt).toBe(hour(2));
  });
});

describe('a reply that cannot be read', () => {
  it('is refused, and read again in a replay by a parser that can', async () => {
    const ingest = await archive({ 1: 'garbage' });
    expect((await replay(ingest)).status).toMatchObject({
      failures: 1,
      doubt: { outcome: 'refused', reason: 'not-json', sinceAt: hour(1) },
    });
    const verdict = await ingest.archive.readNote('scripted', verdictName(hour(1)));
    const repaired = await archive({ 1: 40 });
    await repaired.archive.writeNote('scripted', verdictName(hour(1)), verdict as object);
    expect((await replay(repaired)).status).toMatchObject({ asOfAt: hour(1) });
  });

  it('is quarantined once reading it has ended the process twice', async () => {
    const ingest = await archive({ 1: 40, 2: 40 });
    await ingest.archive.writeNote('scripted', 'reading.json', { fetchedAt: hour(1), times: 2 });
    const { status } = await replay(ingest);
    expect(await ingest.archive.readNote('scripted', verdictName(hour(1)))).toMatchObject({
      outcome: 'refused',
      reason: 'quarantined',
    });
    expect(status).toMatchObject({ asOfAt: hour(2) });
  });
});

describe('an operator', () => {
  const accept = async (ingest: Awaited<ReturnType<typeof archive>>, hours: number) => {
    const lines: string[] = [];
    const onPlan = (plan: readonly string[]) => lines.push(...plan);
    const changed = await acceptFetch(ingest.dependencies(), SOURCE, hour(hours), onPlan);
    return { lines, changed };
  };

  it('accepts a held reply, which a replay then applies too', async () => {
    const ingest = await archive({ 1: 40, 2: 5 });
    await replay(ingest);
    expect(await accept(ingest, 2)).toEqual({
      lines: ['HKHKG: 0 port calls written, 35 withdrawn'],
      changed: 35,
    });
    const [status] = await ingest.stores.statuses.all();
    expect(status).toMatchObject({ lastFetchAt: hour(2), checkpointAt: hour(2) });
    expect(status).not.toHaveProperty('doubt');
    const fresh = await archive({ 1: 40, 2: 5 });
    const verdict = await ingest.archive.readNote('scripted', verdictName(hour(2)));
    expect(verdict).toMatchObject({ outcome: 'accepted', by: 'operator' });
    await fresh.archive.writeNote('scripted', verdictName(hour(2)), verdict as object);
    await replay(fresh);
    expect(await figures(fresh)).toEqual(await figures(ingest));
  });

  it('accepts none before an accepted one, and none that is not judged', async () => {
    const ingest = await archive({ 1: 40, 2: 5, 3: 40 });
    await expect(accept(ingest, 2)).rejects.toThrow('has no verdict');
    await replay(ingest);
    await expect(accept(ingest, 2)).rejects.toThrow(
      'a later fetch of scripted, of 2026-03-02T03:00:00Z, was accepted',
    );
    await expect(accept(ingest, 3)).rejects.toThrow('is accepted already');
  });
});
