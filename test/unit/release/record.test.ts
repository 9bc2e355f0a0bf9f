/** The record in a release: days, forecasts and raised alerts are the rows of the store, and what the API served. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Forecast } from '../../../core/contracts/forecast.ts';
import type { PortRecordFile, ServiceRecord } from '../../../core/contracts/published-files.ts';
import { FORECAST_METRICS } from '../../../core/metrics/forecast.ts';
import { addDays, DAY_MS, dayOf, formatInstant, startOfDay } from '../../../core/reference/time.ts';
import { duckdbRows, withInstants } from '../../builders/duckdb.ts';
import { DAYS, day, history, ingestOf, observation, startProcess, T0 } from '../../builders/long-history.ts';
import type { MemoryIngest } from '../../builders/memory-ingest.ts';
import { readHandlers } from '../../builders/read-handlers.ts';
import { SCRIPTED_PORT, scriptedSource } from '../../builders/scripted-source.ts';
import { releaseInto } from '../../builders/written-release.ts';

const folder = mkdtempSync(join(tmpdir(), 'record-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Three days with a report, after the history. */
const LATER_DAYS = 3;
const RELEASE = dayOf(T0 + (DAYS + LATER_DAYS) * DAY_MS);
let ingest: MemoryIngest;

const read = (table: string, order: string) =>
  duckdbRows(`SELECT * FROM '${folder}/release=${RELEASE}/table=${table}/**/*.parquet' ORDER BY ${order}`);

beforeAll(async () => {
  ({ ingest } = await ingestOf(history()));
  const process = await startProcess(ingest);
  for (let later = 0; later < LATER_DAYS; later += 1) await process.write(observation(24 * later + 1));
  const declarations = [scriptedSource().declaration];
  await releaseInto(folder, { tables: ingest.tables, day: RELEASE, declarations });
});

it('a day has what alerts and forecasts read of it', async () => {
  const stored = await ingest.stores.dailyMetrics.between(SCRIPTED_PORT, { to: addDays(RELEASE, -1) });
  const rows = await read('days', 'date');
  expect(rows).toHaveLength(stored.length);
  const last = stored.findLast(({ dayScore }) => dayScore !== undefined);
  expect(rows.find(({ date }) => date === last?.day)).toMatchObject({
    coverage: last?.coverage,
    congestion_score: last?.congestionScore,
    avg_wait_hours: last?.avgWaitHours,
    at_anchor: last?.dayAtAnchor,
    berthings: last?.dayBerthings,
    day_score: last?.dayScore,
    hour_berthings: last?.hourBerthings,
    end_waiting_hours: last?.endWaitingHours,
    known_from: last?.knownOn,
    backfilled: false,
  });
});

it('forecasts are what the API served at the end of each day', async () => {
  const api = readHandlers(ingest.tables, () => startOfDay(RELEASE));
  for (const metric of FORECAST_METRICS) {
    const rows = (await read('forecasts', 'issued, day')).filter((row) => row.metric === metric);
    expect([...new Set(rows.map(({ issued }) => issued))]).toEqual([300, 301, 302].map(day));
    for (const issued of [300, 301, 302].map(day)) {
      const query = { metric: [metric], as_of: [issued] };
      const served = JSON.parse(
        (await api.forecast({ path: { UNLOCODE: SCRIPTED_PORT }, query })).body,
      ) as Forecast;
      const found: Record<string, unknown>[] = withInstants(rows.filter((row) => row.issued === issued));
      expect(found.map(({ day: date, p10, p50, p90, method }) => ({ date, p10, p50, p90, method }))).toEqual(
        served.rows,
      );
      const what = (await read('forecasts_issued', 'issued')).filter((row) => row.issued === issued);
      expect(withInstants(what.filter((row) => row.metric === metric))).toMatchObject([
        {
          as_of: served.as_of,
          history_days: served.history_days,
          skill_basis: served.skill?.basis,
          skill_origins: served.skill?.origins,
          error: served.skill?.horizons.map(({ error }) => error),
          band_coverage: served.skill?.horizons.map(({ coverage }) => coverage),
          replayed: served.replayed,
        },
      ]);
    }
  }
});

it('alerts are those that were raised, with their steps', async () => {
  const stored = await ingest.stores.raisedAlerts.between(SCRIPTED_PORT, '2000-01-01');
  const rows = await duckdbRows(
    `SELECT * REPLACE (epoch_ms(as_of) AS as_of, epoch_ms(raised) AS raised, epoch_ms(ended) AS ended)
     FROM '${folder}/release=${RELEASE}/table=alerts_raised/**/*.parquet'`,
  );
  expect(stored.length).toBeGreaterThan(2);
  expect(rows).toHaveLength(stored.length);
  for (const { type, metric, steps, explain, overAt = null } of stored)
    expect(
      rows.filter((row) => row.type === type && row.metric === metric && row.as_of === steps[0].asOfAt),
    ).toMatchObject([
      {
        raised: steps[0].knownAt,
        explain,
        steps_severity: steps.map(({ severity }) => severity),
        steps_as_of: steps.map(({ asOfAt }) => formatInstant(asOfAt)),
        ended: overAt,
      },
    ]);
});

describe('the files of the page of the record', () => {
  const file = <T>(path: string): T => JSON.parse(readFileSync(join(folder, path), 'utf8')) as T;

  it('have forecasts beside what came, and their scores', async () => {
    const service = file<ServiceRecord>('record.json');
    expect(service.ports.map(({ port }) => port)).toEqual([SCRIPTED_PORT]);
    const record = file<PortRecordFile>(service.ports[0]?.path ?? '');
    const waitForecasts = record.forecasts.find(
      ({ metric, horizon }) => metric === 'avg_wait_hours' && horizon === 1,
    );
    // Only an hour of day 302 is observed.
    expect(waitForecasts?.rows.map(([date]) => date)).toEqual([300, 301].map(day));
    const issued = await ingest.stores.forecasts.between(SCRIPTED_PORT, 'avg_wait_hours', day(299), day(300));
    const days = await ingest.stores.dailyMetrics.between(SCRIPTED_PORT, { from: day(300), to: day(301) });
    const errors = issued.map(({ days: ahead }, at) =>
      Math.abs((ahead?.[0]?.p50 ?? 0) - (days[at]?.avgWaitHours ?? 0)),
    );
    const score = record.scores.find(({ metric, horizon }) => metric === 'avg_wait_hours' && horizon === 1);
    expect(score).toMatchObject({ made: waitForecasts?.made, forecasts: 2 });
    expect(score?.error).toBeCloseTo(errors.reduce((sum, error) => sum + error, 0) / 2, 3);
    expect(service.scores).toEqual(record.scores);
    expect(service.next_day).toEqual([]);
    const { misses } = service;
    const all = record.forecasts.flatMap(({ rows }) => rows);
    expect(misses.map(({ row }) => row[0])).toHaveLength(Math.min(10, all.length));
    expect(misses.map(({ times }) => times)).toEqual(misses.map(({ times }) => times).sort((a, b) => b - a));
    for (const { metric, horizon, made, row, times, port } of misses) {
      const mean = service.scores.find(
        (one) => one.metric === metric && one.horizon === horizon && one.made === made,
      );
      expect(times).toBeCloseTo(Math.abs(row[4] - row[2]) / (mean?.error ?? 0), 3);
      expect(port).toBe(SCRIPTED_PORT);
    }
  });

  it('have the alerts as they were raised, newest first', async () => {
    const stored = await ingest.stores.raisedAlerts.between(SCRIPTED_PORT, addDays(RELEASE, -366));
    const { alerts } = file<PortRecordFile>(`release=${RELEASE}/record/${SCRIPTED_PORT}.json`);
    expect(alerts.map(({ explain }) => explain)).toEqual(stored.map(({ explain }) => explain).reverse());
  });

  it('have the revisions of the port, as the vintages of the release give them', async () => {
    const { revisions = [] } = file<PortRecordFile>(`release=${RELEASE}/record/${SCRIPTED_PORT}.json`);
    const [counted] = await duckdbRows(
      `SELECT count(*)::INT AS days, count(*) FILTER (now.berthed IS DISTINCT FROM was.berthed)::INT AS changed
       FROM '${folder}/release=${RELEASE}/table=vintages_waits/**/*.parquet' was
       LEFT JOIN (FROM '${folder}/release=${RELEASE}/table=vintages_waits/**/*.parquet' WHERE known_to IS NULL) now USING (date, class)
       WHERE class = 'all' AND was.berthed IS NOT NULL AND was.known_from <= date + 1 AND coalesce(was.known_to > date + 1, true)
         AND date + 1 <= DATE '${day(DAYS + LATER_DAYS - 1)}'`,
    );
    const { days = 0, changed = 0 } = (counted ?? {}) as { days?: number; changed?: number };
    expect(days).toBeGreaterThan(0);
    expect(revisions.find(({ metric, age }) => metric === 'berthed' && age === 1)).toMatchObject({
      days,
      changed: Number((changed / days).toFixed(4)),
    });
  });

  it('end with the last day of a port that is no longer observed, years later', async () => {
    const before = file<PortRecordFile>(`release=${RELEASE}/record/${SCRIPTED_PORT}.json`);
    const later = addDays(RELEASE, 800);
    const declarations = [scriptedSource().declaration];
    await releaseInto(folder, { tables: ingest.tables, day: later, declarations });
    expect(file(`release=${later}/record/${SCRIPTED_PORT}.json`)).toEqual(before);
    expect(file('known-days.json')).toMatchObject({ stops: [], worst_weeks: [{ port: SCRIPTED_PORT }] });
  });
});
