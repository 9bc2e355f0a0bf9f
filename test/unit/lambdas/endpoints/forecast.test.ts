/** The forecast as served: its rows and CSV, why there are none, and what is looked up. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import * as z from 'zod/mini';
import { type Forecast, forecastRoute } from '../../../../core/contracts/forecast.ts';
import { DAY_MS, dayOf, HOUR_MS, type Instant, MINUTE_MS } from '../../../../core/reference/time.ts';
import {
  DAYS,
  day,
  history,
  ingestOf,
  observation,
  startProcess,
  T0,
} from '../../../builders/long-history.ts';
import { type MemoryIngest, startMemoryIngest } from '../../../builders/memory-ingest.ts';
import { readHandlers } from '../../../builders/read-handlers.ts';
import { SCRIPTED_PORT } from '../../../builders/scripted-source.ts';

/** The history ends with an observation at midnight. */
const ISSUED_AT = T0 + DAYS * DAY_MS;
const OBSERVED_AT = T0 + DAYS * DAY_MS + 30 * MINUTE_MS;

let whole: MemoryIngest;
let ingest: MemoryIngest;
let restore: () => void;
beforeAll(async () => {
  ({ ingest: whole } = await ingestOf(history()));
  await (await startProcess(whole)).write(observation(0.5));
  restore = whole.save();
});
beforeEach(() => {
  restore();
  ingest = whole;
});

const ask = async (
  nowAt: Instant,
  query: Record<string, string> = {},
  tables: Partial<MemoryIngest['tables']> = ingest.tables,
) => readHandlers(tables, () => nowAt).forecast({ path: { UNLOCODE: SCRIPTED_PORT }, query });
const forecastAt = async (nowAt: Instant, query: Record<string, string> = {}): Promise<Forecast> =>
  JSON.parse((await ask(nowAt, query)).body);

const asOf = (at: Instant): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

describe('with a year of history and an observation of today', () => {
  it.each(['avg_wait_hours', 'at_anchor', 'congestion_score'])(
    '%s has seven days and a skill',
    async (metric) => {
      const body = await forecastAt(OBSERVED_AT, { metric });
      expect(z.safeParse(forecastRoute.response, body)).toMatchObject({ success: true });
      expect(body).toMatchObject({
        port: SCRIPTED_PORT,
        metric,
        reason: null,
        as_of: asOf(ISSUED_AT),
      });
      expect(body.rows.map(({ date }) => date)).toEqual([300, 301, 302, 303, 304, 305, 306].map(day));
      expect(body.skill).toMatchObject({ basis: 'rolling', origins: expect.any(Number) });
      expect(body.skill?.horizons.map(({ horizon }) => horizon)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    },
  );

  it('is of the average wait by default', async () => {
    expect(await ask(OBSERVED_AT)).toEqual(await ask(OBSERVED_AT, { metric: 'avg_wait_hours' }));
  });

  it('as CSV repeats the head, with the skill of each day’s horizon', async () => {
    const { skill, rows, ...head } = await forecastAt(OBSERVED_AT);
    const [header, ...lines] = (await ask(OBSERVED_AT, { format: 'csv' })).body.trimEnd().split('\n');
    expect(header).toBe(forecastRoute.csv.columns.join(','));
    expect(lines).toEqual(
      rows.map(({ date, p10, p50, p90, method }, at) => {
        const { error, ratio_to_persistence, ratio_to_median, coverage } = skill?.horizons[at] ?? {};
        const whole = [skill?.basis, skill?.origins, skill?.from, skill?.to];
        const own = [error, ratio_to_persistence, ratio_to_median, coverage, date, p10, p50, p90, method];
        return [head.port, head.metric, head.as_of, head.history_days, head.replayed, ...whole, ...own].join(
          ',',
        );
      }),
    );
  });

  it('looks up one row', async () => {
    const { forecasts } = ingest.tables;
    expect((await ask(OBSERVED_AT, {}, { forecasts })).status).toBe(200);
  });
});

describe('has no rows', () => {
  it('of a port whose newest observation is older than a day', async () => {
    expect((await forecastAt(OBSERVED_AT + DAY_MS)).rows).toHaveLength(7);
    const stale = await forecastAt(OBSERVED_AT + DAY_MS + MINUTE_MS);
    expect(stale).toMatchObject({ reason: 'stale', rows: [], as_of: asOf(OBSERVED_AT) });
    expect(stale.skill).toEqual((await forecastAt(OBSERVED_AT)).skill);
    // Observed later on the day on which the forecast was issued.
    await (await startProcess(ingest)).write(observation(22));
    const fresh = await forecastAt(OBSERVED_AT + DAY_MS + MINUTE_MS);
    expect(fresh).toMatchObject({ reason: null, as_of: asOf(ISSUED_AT) });
    expect((await forecastAt(OBSERVED_AT + 2 * DAY_MS)).as_of).toBe(asOf(OBSERVED_AT + 21.5 * HOUR_MS));
  });

  it('of a figure without a value on the newest complete day', async () => {
    // A report after fifty days of silence: nothing berthed in them.
    await (await startProcess(ingest)).write(observation(50 * 24));
    const at = OBSERVED_AT + 50 * DAY_MS;
    expect(await forecastAt(at)).toMatchObject({ reason: 'stale', rows: [], skill: null });
    expect(await forecastAt(at, { metric: 'at_anchor' })).toMatchObject({ reason: null });
  });

  it('of fewer than 90 days of history', async () => {
    const short = await ingestOf(history().slice(0, 60));
    const at = T0 - 90 * DAY_MS;
    ({ ingest } = short);
    expect(await forecastAt(at)).toMatchObject({ reason: 'short_history', rows: [], skill: null });
    expect((await forecastAt(at)).history_days).toBeGreaterThan(30);
    const csv = await ask(at, { format: 'csv' });
    expect(csv.body).toBe(`${forecastRoute.csv.columns.join(',')}\n`);
  });

  it('of a port that has never been observed', async () => {
    ingest = startMemoryIngest({ nowAt: T0 });
    await startProcess(ingest);
    expect(await forecastAt(T0)).toEqual({
      port: SCRIPTED_PORT,
      metric: 'avg_wait_hours',
      as_of: null,
      history_days: 0,
      skill: null,
      reason: 'short_history',
      replayed: false,
      rows: [],
    });
  });
});

describe('as_of', () => {
  /** What was served at the end of each day, by day. */
  async function servedByDay(hours: readonly number[]): Promise<Map<string, string>> {
    const served = new Map<string, string>();
    const process = await startProcess(ingest);
    for (const hour of hours) {
      await process.write(observation(hour));
      const at = T0 + DAYS * DAY_MS + Math.floor(hour / 24) * DAY_MS;
      served.set(dayOf(at), (await ask(at + DAY_MS - 1000)).body);
    }
    return served;
  }

  it('gives what was served at the end of that day, byte for byte, stale or not', async () => {
    // The day 302 has no report, so that its end shows a forecast that is stale.
    const served = await servedByDay([1, 25, 26, 73]);
    served.set(day(302), '');
    const then = T0 + (DAYS + 4) * DAY_MS;
    for (const [of, body] of served) {
      const response = await ask(then, { as_of: of });
      expect(response.status).toBe(200);
      if (body !== '') expect([of, response.body]).toEqual([of, body]);
      else expect(JSON.parse(response.body)).toMatchObject({ reason: 'stale', rows: [] });
    }
  });

  it('before the first forecast has none, and a later day is 422', async () => {
    const before = JSON.parse((await ask(OBSERVED_AT, { as_of: '2020-01-01' })).body);
    expect(before).toMatchObject({ reason: 'short_history', rows: [], skill: null });
    expect((await ask(OBSERVED_AT, { as_of: day(400) })).status).toBe(422);
  });

  it('marks one that was made afterwards', async () => {
    const made = JSON.parse((await ask(OBSERVED_AT, { as_of: day(300) })).body);
    expect(made.replayed).toBe(false);
    ingest.clock.nowAt = OBSERVED_AT + 9 * DAY_MS;
    await (await startProcess(ingest)).write(observation(25));
    expect(await forecastAt(ingest.clock.nowAt, { as_of: day(301) })).toMatchObject({ replayed: true });
  });
});

it('of a port that is not covered is 404, and an unknown metric is 422', async () => {
  const empty = startMemoryIngest({ nowAt: T0 });
  expect((await ask(T0, {}, empty.tables)).status).toBe(404);
  expect((await ask(OBSERVED_AT, { metric: 'vessels' })).status).toBe(422);
});
