/** After a wrong reply was accepted, good ones are accepted again within three passes. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { revokeFetch } from '../../../core/ingest/acceptance.ts';
import { formatInstant, HOUR_MS, type Instant, MINUTE_MS } from '../../../core/reference/time.ts';
import { source as hongKong } from '../../../core/sources/hk-marine-department/source.ts';
import { verdictName } from '../../../core/store/raw-archive.ts';
import { StoreFailure } from '../../../core/store/table.ts';
import { ACCEPTED, type Verdict } from '../../../core/upstream/judgement.ts';
import type { ArchivedFetch, FetchedFiles } from '../../../core/upstream/source.ts';
import { extent } from '../../builders/extent.ts';
import { type MemoryIngest, startMemoryIngest } from '../../builders/memory-ingest.ts';
import { recordedFetches } from '../../builders/recordings.ts';
import { valuesOf } from '../../builders/table-dump.ts';

const ID = 'hk-marine-department';
const POLLS = recordedFetches(ID, '202510');
const GOOD = POLLS.slice(7, 13);
/** Each has an arrival that the lie, made of the poll before, does not have. */
const LATER = POLLS.slice(14, 20);
const lieAt = (GOOD.at(-1)?.fetchedAt ?? 0) + MINUTE_MS;

type Alter = (files: FetchedFiles) => FetchedFiles;
const edited =
  (change: (text: string, name: string) => string): Alter =>
  (files) =>
    new Map(
      [...files].map(([name, bytes]) => [
        name,
        new TextEncoder().encode(change(new TextDecoder().decode(bytes), name)),
      ]),
    );

/** Every vessel at one berth. */
const oneBerth = edited((text) =>
  text.replaceAll(/<CURRENT_LOCATION>[^<]*/g, '<CURRENT_LOCATION>KWAI CHUNG CONTAINER TERMINAL'),
);

async function take(ingest: MemoryIngest, { fetchedAt, files }: ArchivedFetch) {
  await ingest.archive.write(ID, fetchedAt, files);
  ingest.clock.nowAt = fetchedAt + MINUTE_MS / 2;
  return ingest.restarted()(hongKong, { ask: false });
}

const deceivedIngest = startMemoryIngest({ nowAt: 0 });
/** Restore it as it was after the first lie, and after the second. */
const restores: (() => void)[] = [];
beforeAll(async () => {
  for (const poll of GOOD) await take(deceivedIngest, poll);
  const [next] = POLLS.slice(13);
  for (const index of [0, 1]) {
    const fetchedAt = lieAt + index * 1000;
    await deceivedIngest.archive.writeNote(ID, verdictName(fetchedAt), ACCEPTED);
    await take(deceivedIngest, { fetchedAt, files: oneBerth(next?.files ?? new Map()) });
    restores.push(deceivedIngest.save());
  }
});

/** The ingest that has accepted the good polls, and the lies after them as if no limit had seen them. */
function deceived(lies = 1): MemoryIngest {
  restores[lies - 1]?.();
  return deceivedIngest;
}

const verdictOf = async (ingest: MemoryIngest, at: Instant): Promise<Verdict> =>
  (await ingest.archive.readNote(ID, verdictName(at))) as Verdict;

/** Calls, stays and figures; what was served meanwhile stays in the others. */
async function figures({ tables }: MemoryIngest) {
  const { portCalls, stayDays, dailyMetrics, waitDays, alerts, ports, portClocks } = await valuesOf(tables);
  return { portCalls, stayDays, dailyMetrics, waitDays, alerts, ports, portClocks };
}

describe('after a lie was accepted', () => {
  it.each(extent([2], [1, 2]))(
    '%s times, the third good reply revokes it, and the tables are those without it',
    async (lies) => {
      const ingest = deceived(lies);
      const states: string[] = [];
      let count = 0;
      for (const poll of LATER) {
        count += 1;
        const { status, notices } = await take(ingest, poll);
        states.push(status?.lastFetchAt === poll.fetchedAt ? 'accepted' : (status?.doubt?.reason ?? '?'));
        if (status?.lastFetchAt !== poll.fetchedAt) continue;
        expect(status.recovery).toMatchObject({ by: 'recovery', at: poll.fetchedAt });
        expect(notices.map(({ reason }) => reason)).toContain('revoked');
        break;
      }
      expect(states).toEqual(['relocated-vessels', 'relocated-vessels', 'accepted']);
      expect(await verdictOf(ingest, lieAt)).toMatchObject({ outcome: 'revoked', by: 'recovery' });
      for (const { fetchedAt } of LATER.slice(0, count))
        expect(await verdictOf(ingest, fetchedAt)).toMatchObject({ outcome: 'accepted', by: 'recovery' });

      const truthful = startMemoryIngest({ nowAt: 0 });
      for (const poll of [...GOOD, ...LATER.slice(0, count)]) await take(truthful, poll);
      expect(await figures(ingest)).toEqual(await figures(truthful));

      // A rebuild from the archive and its verdicts.
      const rebuilt = startMemoryIngest({ nowAt: ingest.clock.nowAt });
      for (const at of await ingest.archive.fetches(ID, undefined, Number.POSITIVE_INFINITY)) {
        await rebuilt.archive.write(ID, at, (await ingest.archive.read(ID, at)) ?? new Map());
        await rebuilt.archive.writeNote(ID, verdictName(at), await verdictOf(ingest, at));
      }
      await rebuilt.restarted()(hongKong, { ask: false });
      expect(await figures(rebuilt)).toEqual(await figures(ingest));
      expect((await take(ingest, POLLS[30] ?? (LATER[0] as ArchivedFetch))).status?.doubt).toBeUndefined();
    },
  );

  it('a recovery that dies at any write ends in the same tables', async () => {
    const start = deceived();
    for (const poll of LATER.slice(0, 2)) await take(start, poll);
    const restore = start.save();
    const [third] = LATER.slice(2);
    await take(start, third as ArchivedFetch);
    const expected = await figures(start);
    let died = 0;
    for (let write = 1; write < 400; write += extent(31, 3)) {
      restore();
      let writes = 0;
      const isAlive = (): void => {
        writes += 1;
        if (writes === write) throw new StoreFailure('the process died');
      };
      const originals = Object.values(start.tables).map((table) => {
        const { put, writeMany, update } = table;
        table.put = async (row) => {
          isAlive();
          await put.call(table, row);
        };
        table.writeMany = async (...rows) => {
          isAlive();
          await writeMany.apply(table, rows);
        };
        table.update = async (...change) => {
          isAlive();
          return update.apply(table, change);
        };
        return () => Object.assign(table, { put, writeMany, update });
      });
      const isDead = await take(start, third as ArchivedFetch).then(
        () => false,
        () => true,
      );
      for (const undo of originals) undo();
      if (!isDead) break;
      died += 1;
      start.clock.nowAt += HOUR_MS;
      await start.restarted()(hongKong, { ask: false });
      expect(await figures(start)).toEqual(expected);
    }
    expect(died).toBeGreaterThan(extent(1, 9));
  });

  it('deletes what the revoked fetch had replaced, although the process died before', async () => {
    const ingest = deceived();
    for (const poll of LATER.slice(0, 2)) await take(ingest, poll);
    const { portCalls } = ingest.tables;
    const { writeMany } = portCalls;
    const stampsOf = async () =>
      [...(await portCalls.query(ID, {}, true))].map(({ callKey }) => String(callKey).slice(0, 20));
    portCalls.writeMany = async (rows, keys = []) => {
      if (rows.length === 0 && keys.some(({ port }) => port === ID))
        throw new StoreFailure('the process died');
      await writeMany.call(portCalls, rows, keys);
    };
    await expect(take(ingest, LATER[2] as ArchivedFetch)).rejects.toThrow('died');
    const stamp = formatInstant(lieAt);
    expect(await stampsOf()).toContain(stamp);
    portCalls.writeMany = writeMany;
    ingest.clock.nowAt += HOUR_MS;
    const { status } = await ingest.restarted()(hongKong, { ask: false });
    expect(status?.recovery).not.toHaveProperty('unfinished');
    expect(status?.lastFetchAt).toBe(LATER[2]?.fetchedAt);
    expect(await stampsOf()).not.toContain(stamp);
  });

  it('an operator revokes it at once, and its good followers go on', async () => {
    const ingest = deceived();
    expect(await revokeFetch(ingest.dependencies(), hongKong, lieAt)).toBe(true);
    const truthful = startMemoryIngest({ nowAt: 0 });
    for (const poll of GOOD) await take(truthful, poll);
    expect(await figures(ingest)).toEqual(await figures(truthful));
    const [next] = LATER;
    expect((await take(ingest, next as ArchivedFetch)).status?.lastFetchAt).toBe(next?.fetchedAt);
    await expect(revokeFetch(ingest.dependencies(), hongKong, lieAt)).rejects.toThrow('is not accepted');
  });
});
