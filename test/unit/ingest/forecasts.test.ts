/** When forecasts are issued: with the day, at the end of a back-fill, and never again from the same day. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createBackFill } from '../../../core/ingest/back-fill.ts';
import { issueForecasts, issueFromTables } from '../../../core/ingest/port-writes.ts';
import { DAY_MS, dayOf, daysBetween } from '../../../core/reference/time.ts';
import type { RecordSource } from '../../../core/upstream/source.ts';
import { extent } from '../../builders/extent.ts';
import { DAYS, day, EARLIER_DAYS, history, T0 } from '../../builders/long-history.ts';
import { type MemoryIngest, startMemoryIngest } from '../../builders/memory-ingest.ts';
import { replyFiles, SCRIPTED_PORT, scriptedSource } from '../../builders/scripted-source.ts';

const scripted = scriptedSource();
const source: RecordSource = {
  ...scripted,
  declaration: { ...scripted.declaration, kind: 'events' },
};
/** Days of the history that are archived, and the last complete one. */
const ARCHIVED = extent(97, 110);
const LAST = day(ARCHIVED - EARLIER_DAYS - 1);

/** An archive with a reply a day. */
async function archived(): Promise<MemoryIngest> {
  const ingest = startMemoryIngest({ nowAt: T0 + DAYS * DAY_MS });
  for (const batch of history().slice(0, ARCHIVED)) {
    const files = replyFiles({ asOfAt: batch.observedAt, observations: [batch] });
    await ingest.archive.write(source.declaration.id, batch.observedAt, files);
  }
  return ingest;
}
const issuedOf = async (ingest: MemoryIngest) =>
  (await ingest.stores.forecasts.between(SCRIPTED_PORT, 'at_anchor', '0000-01-01', '9999-12-31')).filter(
    ({ reason }) => reason === undefined,
  );
const TELLING = { nowAt: T0 + DAYS * DAY_MS, replays: false };

async function backFilled(ingest: MemoryIngest): Promise<void> {
  const steps = createBackFill(ingest.dependencies());
  await steps.load(source, {});
  await steps.apply(source);
}

describe('the forecasts of a port', () => {
  let ingest: MemoryIngest;
  beforeEach(async () => {
    ingest = await archived();
  });

  it('are issued once at the end of a back-fill, which a repetition does not change', async () => {
    await backFilled(ingest);
    const rows = await ingest.tables.forecasts.scan();
    expect((await issuedOf(ingest)).map(({ originDay }) => originDay)).toEqual([LAST]);
    expect(await ingest.stores.portClocks.get(SCRIPTED_PORT)).toMatchObject({ forecastDay: LAST });
    await backFilled(ingest);
    expect(await ingest.tables.forecasts.scan()).toEqual(rows);
    const unwritten = () => Promise.reject(new Error('it writes'));
    await issueFromTables(ingest.stores, SCRIPTED_PORT, TELLING, unwritten);
  });

  it('are issued each day that a pass applies, and stay so while a rebuild makes them again', async () => {
    const { forecasts, sourceStatus, portClocks } = ingest.tables;
    await ingest.pass(source, { ask: false });
    const issued = await issuedOf(ingest);
    const first = issued[0];
    if (first?.days === undefined) throw new Error('none was issued');
    expect(issued.length).toBeGreaterThan(extent(3, 10));
    expect(issued.map(({ originDay }) => originDay)).toEqual(daysBetween(first.originDay, LAST));

    // As another version of the method would have issued it.
    const other = { ...first, days: first.days.map((row) => ({ ...row, p90: row.p90 + 1 })) };
    await ingest.stores.forecasts.write(SCRIPTED_PORT, [['at_anchor', other]]);
    const rows = await forecasts.scan();
    await portClocks.delete({ port: SCRIPTED_PORT });
    await sourceStatus.delete({ source: source.declaration.id });
    await ingest.pass(source, { ask: false });
    expect(await forecasts.scan()).toEqual(rows);
  });
});

it('a port without 90 days of figures gets the reason instead', async () => {
  const { forecasts } = startMemoryIngest({ nowAt: T0 }).stores;
  const fetch = { nowAt: T0, replays: false };
  const input = { port: SCRIPTED_PORT, days: [], asOfAt: T0, issuedDay: undefined, fetch };
  await issueForecasts(forecasts, input, async () => {});
  const newest = await forecasts.newest(SCRIPTED_PORT, 'at_anchor', dayOf(T0));
  expect(newest).toMatchObject({ reason: 'short_history' });
});
