/** What a process reads and writes for an observation of a port with a long history: what the observation changes and no more. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CallRecord, CallsObservation } from '../../../core/calls/observation.ts';
import { planObservations, readPortState } from '../../../core/ingest/port-state.ts';
import { applyPortPlan } from '../../../core/ingest/port-writes.ts';
import { DAY_MS, HOUR_MS } from '../../../core/reference/time.ts';
import { extent, longIt } from '../../builders/extent.ts';
import type { WriteMeter } from '../../builders/failing-table.ts';
import {
  DAYS,
  day,
  EARLIER_DAYS,
  history,
  ingestOf,
  LAID_UP,
  laidUp,
  observation,
  type Process,
  recordOf,
  rowsOf,
  startProcess,
  T0,
  waitOn,
} from '../../builders/long-history.ts';
import { type MemoryIngest, startMemoryIngest } from '../../builders/memory-ingest.ts';
import { SCRIPTED_PORT } from '../../builders/scripted-source.ts';

/** A correction of the call of one day, in the first hour after the history. */
const correctionOf = (arrivedOn: number, waitHours: number): CallsObservation =>
  observation(1, [recordOf(arrivedOn, waitHours, T0 + DAYS * DAY_MS + HOUR_MS)]);

const ISSUED = Array(3).fill(`forecasts ${day(300)}`);
const ROWS_READ = ['ports HKHKG', 'portClocks HKHKG'];
const ROWS_WRITTEN = ROWS_READ;
/** What the first observation of the day after the history writes. */
const FIRST_OF_A_DAY = [
  `vintages ${day(300)}#${day(300)}`,
  `dailyMetrics ${day(300)}`,
  `dailyMetrics ${day(301)}`,
  `vintages ${day(300)}#${day(300)}`,
  `waitDays ${day(300)}`,
  `waitDays ${day(301)}`,
  ...ISSUED,
  `vintages ${SCRIPTED_PORT}#${day(300)}`,
  ...ROWS_WRITTEN,
];
/** What the alerts of the quarter that begins on a day are compared with, and made from, where the process has not got it. */
const earlierQuarter = (first: number): string[] => [
  `dailyMetrics ${day(first - 381)}..${day(300 - 473 - 1)}`,
];
const alertsSince = (first: number): string[] => [
  `alerts ${day(first)}T00:00:00Z~..${day(300 - 92)}T00:00:00Z~`,
];
/** The forecasts that the first observation of a day reads: what was issued before it. */
const issuedBefore = (count: number): string[] =>
  Array(3).fill(`forecasts ${day(count - 401)}..${day(count - 1)}`);

describe('with a long history,', () => {
  let ingest: MemoryIngest;
  let restore: () => void;
  let started: Process;
  beforeAll(async () => {
    ({ ingest, restore } = await ingestOf(history()));
  });
  beforeEach(async () => {
    restore();
    started = await startProcess(ingest);
    await started.write(observation(0.5));
  });

  describe('a process that has written the port before', () => {
    it('reads its row and its clocks, and writes nothing, for an observation that it has written', async () => {
      expect(await started.write(observation(0.5))).toEqual({
        reads: ROWS_READ,
        writes: [],
        needless: [],
        changed: 0,
      });
    });

    it('writes the running day for an observation without calls', async () => {
      expect(await started.write(observation(2))).toEqual({
        reads: ROWS_READ,
        // Each hour of the running day is a part of its row.
        writes: [`dailyMetrics ${day(300)}`, `waitDays ${day(300)}`, ...ROWS_WRITTEN],
        needless: [],
        changed: 0,
      });
    });

    it('writes the days from the change on for a new call', async () => {
      expect(await started.write(observation(3, [recordOf(299, 4, T0 + DAYS * DAY_MS)]))).toEqual({
        reads: [...ROWS_READ, 'portCalls id#call 299'],
        writes: [
          'portCalls id#call 299',
          `portCalls ${day(299)}T12:00:00Z#call 299`,
          `stayDays ${day(299)}`,
          `dailyMetrics ${day(299)}`,
          `dailyMetrics ${day(300)}`,
          `waitDays ${day(299)}`,
          `waitDays ${day(300)}`,
          ...ROWS_WRITTEN,
        ],
        needless: [],
        changed: 1,
      });
    });

    it('writes no alert for a day that ends without one', async () => {
      const { writes, ...rest } = await started.write(observation(25));
      const reads = [...ROWS_READ, ...issuedBefore(301)];
      expect(rest).toEqual({ reads, needless: [], changed: 0 });
      expect(writes).toEqual(FIRST_OF_A_DAY);
    });

    it('issues forecasts with the first observation of a day alone, from the days before it', async () => {
      const issued = async () =>
        (await ingest.stores.forecasts.between(SCRIPTED_PORT, 'at_anchor', day(0), day(400))).map(
          ({ originDay }) => originDay,
        );
      expect(await issued()).toEqual([day(299)]);
      for (const hours of [23, 24.5, 25, 47]) await started.write(observation(hours));
      expect(await issued()).toEqual([day(299), day(300)]);
    });

    it('writes the stay of a vessel that leaves after longer than the ledger reaches back', async () => {
      const leftAt = T0 + (DAYS - 1) * DAY_MS;
      const { reads, writes, needless } = await started.write(observation(2, [laidUp(leftAt, leftAt)]));
      expect({ reads, needless }).toEqual({ reads: ROWS_READ, needless: [] });
      expect(writes).toEqual(
        expect.arrayContaining([`portCalls ${day(LAID_UP)}T00:00:00Z#laid up`, `stayDays ${day(299)}`]),
      );
    });

    it('keeps alerts in the table that leave the quarter which it computes', async () => {
      const { alerts: before } = await rowsOf(ingest);
      for (let hours = 25; hours < 5 * 24; hours += 24) {
        const { reads, needless, writes } = await started.write(observation(hours));
        const count = DAYS + Math.floor(hours / 24);
        expect({ reads, needless }).toEqual({ reads: [...ROWS_READ, ...issuedBefore(count)], needless: [] });
        expect(writes.filter((entry) => entry.startsWith('-alerts'))).toEqual([]);
      }
      expect((await rowsOf(ingest)).alerts).toEqual(expect.arrayContaining(before ?? []));
    });

    it('writes an alert of the running day at each observation, and no row of another day', async () => {
      const anchored = Array.from({ length: 9 }, (_, i): CallRecord => {
        const ataAt = T0 + DAYS * DAY_MS + HOUR_MS;
        const stops = [{ zone: 'anchorage', place: 'ANCH', ataAt } as const];
        return { callId: `queue ${i}`, vesselId: `queue ${i}`, traffic: 'cargo', recordedAt: ataAt, stops };
      });
      const first = await started.write(observation(2, anchored));
      const next = await started.write(observation(3));
      for (const { reads, needless } of [first, next]) {
        expect(reads.filter((entry) => !entry.startsWith('portCalls id#'))).toEqual(ROWS_READ);
        expect(needless).toEqual([]);
      }
      const alertWrites = ({ writes }: typeof next) => writes.filter((entry) => entry.includes('alerts'));
      expect(alertWrites(first)).toEqual([`alerts ${day(300)}T02:00:00Z#at_anchor#unusual`]);
      expect(alertWrites(next)).toEqual([
        `alerts ${day(300)}T03:00:00Z#at_anchor#unusual`,
        `-alerts ${day(300)}T02:00:00Z#at_anchor#unusual`,
      ]);
      expect(alertWrites(await started.write(observation(25)))).toEqual([
        `alerts ${day(301)}T00:00:00Z#at_anchor#unusual`,
        `-alerts ${day(300)}T03:00:00Z#at_anchor#unusual`,
      ]);
    });

    it('replaces the alerts that a correction changes, and no other', async () => {
      const records = Array.from({ length: 8 }, (_, i) => recordOf(280 + i, 4, T0 + DAYS * DAY_MS));
      const before = (await rowsOf(ingest)).alerts ?? [];
      const { reads, writes, needless } = await started.write(observation(1, records));
      expect(needless).toEqual([]);
      expect(reads.filter((entry) => entry.startsWith('alerts'))).toEqual([]);
      const changedAlerts = writes.filter((entry) => entry.includes('alerts'));
      expect(changedAlerts.sort()).toEqual([
        `-alerts ${day(287)}T00:00:00Z#avg_wait_hours#unusual`,
        `-alerts ${day(287)}T00:00:00Z#congestion_score#threshold`,
        `-alerts ${day(288)}T00:00:00Z#avg_wait_hours#threshold`,
      ]);
      expect((await rowsOf(ingest)).alerts).toHaveLength(before.length - 3);
    });
  });

  it('a state keeps 464 days of metrics and 7 of waits, none of a day after its last observation', async () => {
    const stores = ingest.dependencies();
    const row = await stores.ports.get(SCRIPTED_PORT);
    const reached = await stores.portClocks.get(SCRIPTED_PORT);
    const knownOn = day(303);
    if (row === undefined) throw new Error('the port has no row');
    const [newest] = await stores.dailyMetrics.between(SCRIPTED_PORT, { from: day(299), to: day(299) });
    // An interrupted pass wrote metrics of a day that no observation has reached.
    await ingest.tables.dailyMetrics.put({ ...newest, port: SCRIPTED_PORT, day: day(310) });
    const read = await readPortState(stores, SCRIPTED_PORT, reached?.clocks, T0 + 311 * DAY_MS);
    expect(read.series.has(day(310))).toBe(true);
    const observations = [correctionOf(280, 5), observation(48)];
    let checks = 0;
    const lease = async () => {
      checks += 1;
    };
    const at = T0 + 302 * DAY_MS;
    const fetch = { fetchedAt: at, nowAt: at, backfilled: false, replays: false };
    const stored = { row, reached: reached && { ...reached, knownOn }, state: read };
    const plan = await planObservations(stores, stored, observations);
    const { state } = await applyPortPlan(stores, plan, fetch, lease);
    expect((await stores.portClocks.get(SCRIPTED_PORT))?.knownOn).toBe(knownOn);
    expect(checks).toBe(16);
    const ends = [state.series, state.waits]
      .map((days) => [...days.keys()])
      .map((days) => [days[0], days.at(-1)]);
    expect(ends).toEqual([
      [day(-150), day(302)],
      [day(295), day(301)],
    ]);
  });

  describe('the row of a port', () => {
    it('has the first and the last day of the coverage', async () => {
      expect(await ingest.stores.ports.get(SCRIPTED_PORT)).toMatchObject({
        firstDay: day(-EARLIER_DAYS),
        lastDay: day(300),
      });
    });

    it('has neither while no list of the vessels in port was usable', async () => {
      const empty = startMemoryIngest({ nowAt: T0 });
      const process = await startProcess(empty);
      await process.write({ kind: 'poll', port: SCRIPTED_PORT, observedAt: T0 });
      const row = await empty.stores.ports.get(SCRIPTED_PORT);
      expect(row).toHaveProperty('snapshot');
      expect(row).not.toHaveProperty('firstDay');
      expect(row).not.toHaveProperty('lastDay');
    });
  });

  describe('a correction', () => {
    it.each([
      { of: 293, reads: [] },
      { of: 292, reads: [`portCalls ${day(203)}T00:00:00Z..:`, `waitDays ${day(292)}..${day(292)}`] },
      {
        of: 266,
        reads: [
          `portCalls ${day(177)}T00:00:00Z..:`,
          ...earlierQuarter(181),
          `waitDays ${day(266)}..${day(292)}`,
          ...alertsSince(181),
        ],
      },
      {
        of: 265,
        reads: [
          `stayDays ${day(265)}..${day(265)}`,
          `portCalls ${day(176)}T00:00:00Z..:`,
          ...earlierQuarter(181),
          `waitDays ${day(265)}..${day(292)}`,
          ...alertsSince(181),
        ],
      },
      {
        of: -76,
        reads: [
          'portCalls id#call -76',
          `portCalls ${day(-76)}T12:00:00Z#call -76`,
          `stayDays ${day(-76)}..${day(-76)}`,
          `portCalls ${day(-165)}T00:00:00Z..:`,
          ...earlierQuarter(-92),
          `waitDays ${day(-76)}..${day(292)}`,
          ...alertsSince(-92),
        ],
      },
      {
        of: -77,
        reads: [
          'portCalls id#call -77',
          `portCalls ${day(-77)}T12:00:00Z#call -77`,
          `stayDays ${day(-77)}..${day(-77)}`,
          `portCalls ${day(-166)}T00:00:00Z..:`,
          ...earlierQuarter(-92),
          `waitDays ${day(-77)}..${day(292)}`,
          ...alertsSince(-92),
        ],
      },
    ])('of day $of reads what the process does not have', async ({ of, reads }) => {
      const { reads: found, needless, changed } = await started.write(correctionOf(of, 5));
      expect(found).toEqual([...ROWS_READ, ...reads]);
      expect({ needless, changed }).toEqual({ needless: [], changed: 1 });
      expect((await started.write(observation(2))).reads).toEqual(ROWS_READ);
      // The three other processes are tried for one correction only.
      if (extent(of !== 266, false)) return;
      const inOne = await rowsOf(ingest);
      restore();
      for (const next of [observation(0.5), correctionOf(of, 5), observation(2)]) {
        const another = await startProcess(ingest);
        expect((await another.write(next)).needless).toEqual([]);
      }
      expect(await rowsOf(ingest)).toEqual(inOne);
    });

    longIt(
      'of a day before all metrics in memory gives the rows of a history that was right from the start',
      async () => {
        await started.write(correctionOf(-145, 40));
        const { portCalls: _, ...corrected } = await rowsOf(ingest);
        const right = await ingestOf(history((count) => (count === -145 ? 40 : waitOn(count))));
        const other = await startProcess(right.ingest);
        await other.write(observation(0.5));
        await other.write(observation(1));
        const { portCalls: __, ...wanted } = await rowsOf(right.ingest);
        expect(corrected).toEqual(wanted);
      },
    );

    it('that withdraws a berthing of a day without coverage deletes the waits of that day', async () => {
      const early = recordOf(-3, 4, T0 - DAY_MS);
      const small = startMemoryIngest({ nowAt: T0 });
      const process = await startProcess(small);
      const first = { ...observation(0, [early]), observedAt: T0 + DAY_MS, coveredFromAt: T0 };
      const second = { ...first, observedAt: T0 + DAY_MS + HOUR_MS };
      expect((await process.write(first)).writes).toContain(`waitDays ${day(-3)}`);
      const { writes, needless } = await process.write({
        ...second,
        records: [{ ...early, recordedAt: T0 + DAY_MS, cancelled: true }],
      });
      expect(needless).toEqual([]);
      expect(writes.filter((entry) => entry.startsWith('-'))).toEqual([
        `-stayDays ${day(-3)}`,
        `-waitDays ${day(-3)}`,
        `-portCalls ${day(-3)}T12:00:00Z#call -3`,
        '-portCalls id#call -3',
      ]);
      const third = {
        ...second,
        observedAt: second.observedAt + HOUR_MS,
        records: [recordOf(-4, 4, T0 + DAY_MS)],
      };
      const next = await process.write(third);
      expect(next.writes).toContain(`waitDays ${day(-4)}`);
      expect(next.writes.filter((entry) => entry.startsWith('-'))).toEqual([]);
    });
  });

  describe('another process', () => {
    it('reads the port once, as far as anything is computed from it', async () => {
      const another = await startProcess(ingest);
      const { reads, needless, writes } = await another.write(observation(30));
      expect(reads).toEqual([
        ...ROWS_READ,
        `portCalls ${day(265)}T00:30:00Z..:`,
        `portCalls ${day(LAID_UP)}T00:00:00Z#laid up`,
        `dailyMetrics ${day(301 - 473)}..${day(301)}`,
        `waitDays ${day(294)}..${day(301)}`,
        `alerts ${day(209)}T00:00:00Z~..${day(302)}T06:00:00Z~`,
        `raisedAlerts ${day(301 - 473)}..`,
        ...issuedBefore(301),
      ]);
      expect(needless).toEqual([]);
      expect(writes).toEqual(FIRST_OF_A_DAY);
      expect((await another.write(observation(31))).reads).toEqual(ROWS_READ);
    });

    it('reads the ledger as of the last observation after a long outage', async () => {
      const another = await startProcess(ingest);
      const { reads, needless } = await another.write(observation(50 * 24));
      expect(reads).toEqual([
        ...ROWS_READ,
        `portCalls ${day(265)}T00:30:00Z..:`,
        `portCalls ${day(LAID_UP)}T00:00:00Z#laid up`,
        `dailyMetrics ${day(350 - 473)}..${day(350)}`,
        `waitDays ${day(343)}..${day(350)}`,
        `alerts ${day(258)}T00:00:00Z~..${day(351)}T00:00:00Z~`,
        `raisedAlerts ${day(350 - 473)}..`,
        `portCalls ${day(211)}T00:00:00Z..:`,
        `waitDays ${day(300)}..${day(342)}`,
        ...issuedBefore(350),
      ]);
      expect(needless).toEqual([]);
    });

    it('reads a port without observations as of its first observation', async () => {
      const empty = startMemoryIngest({ nowAt: T0 });
      const { reads } = await (await startProcess(empty)).write(observation(0));
      expect(reads).toEqual([
        ...ROWS_READ,
        `portCalls ${day(265)}T00:00:00Z..:`,
        `dailyMetrics ${day(300 - 473)}..${day(300)}`,
        `waitDays ${day(293)}..${day(300)}`,
        `alerts ${day(208)}T00:00:00Z~..${day(301)}T00:00:00Z~`,
        `raisedAlerts ${day(300 - 473)}..`,
        // Whether it has vintages, and which versions made them.
        `vintages ${SCRIPTED_PORT}`,
        `vintages ${SCRIPTED_PORT}`,
        `waitDays ${day(272)}..${day(292)}`,
        ...issuedBefore(300),
      ]);
    });

    it('reads the port again when a third one has written it since', async () => {
      const third = await startProcess(ingest);
      await third.write(observation(2));
      expect((await started.write(observation(3))).reads.length).toBeGreaterThan(ROWS_READ.length);
    });
  });

  describe('a pass that a failure ends at any write', () => {
    /** A new day, a new call, a withdrawn one and a corrected one, which change every table. */
    const last = (): CallsObservation => {
      const recordedAt = T0 + DAYS * DAY_MS + HOUR_MS;
      return observation(30, [
        recordOf(299, 4, recordedAt),
        { ...recordOf(282, 70, recordedAt), cancelled: true },
        recordOf(283, 4, recordedAt),
        // Its vessel arrived a day later than stored.
        { ...recordOf(231, 40, recordedAt), callId: 'call 230' },
      ]);
    };

    it('is completed by another process, to the same rows', async () => {
      const { writes, needless } = await started.write(last());
      expect(needless).toEqual([]);
      const kinds = [
        'portCalls',
        'stayDays',
        'dailyMetrics',
        'waitDays',
        'alertFeed',
        'alerts',
        'raisedAlerts',
        'forecasts',
        'vintages',
        'ports',
        'portClocks',
      ];
      const deletions = ['-stayDays', '-alertFeed', '-alerts', '-portCalls'];
      expect(new Set(writes.map((entry) => entry.replace(/ .*/, '')))).toEqual(
        new Set([...kinds, ...deletions]),
      );
      restore();
      await (await startProcess(ingest)).write(last());
      const whole = await rowsOf(ingest);
      let failures = 0;
      for (let n = 1; ; n += extent(7, 1)) {
        restore();
        // Every other write that fails has reached its table.
        const meter: WriteMeter = { writes: 0, diesAt: n, after: n % 2 === 1 };
        const process = await startProcess(ingest, meter);
        const failure = await process.write(last()).catch((error: Error) => error.message);
        if (typeof failure !== 'string') break;
        failures += 1;
        const completed = await (await startProcess(ingest)).write(last());
        // The ids of calls, the port's row, vintages, forecasts, the feed, and the days on which stays of changed calls ended, are written without a comparison.
        const compared = (entry: string) =>
          !/^(portCalls id#|(ports|vintages|forecasts|-?alertFeed|-?stayDays) )/.test(entry);
        expect(completed.needless.filter(compared)).toEqual([]);
        expect(await rowsOf(ingest)).toEqual(whole);
      }
      expect(failures).toBeGreaterThan(extent(2, 6));
    });

    it('is completed by the same process, which reads the port again', async () => {
      await started.write(last());
      const whole = await rowsOf(ingest);
      restore();
      const meter: WriteMeter = { writes: 0, after: true };
      const process = await startProcess(ingest, meter);
      await process.write(observation(0.5));
      meter.diesAt = meter.writes + 1;
      await expect(process.write(last())).rejects.toThrow('killed');
      delete meter.diesAt;
      const { reads, needless } = await process.write(last());
      expect(reads).toContain(`dailyMetrics ${day(301 - 473)}..${day(301)}`);
      expect(needless.filter((entry) => !/stayDays|id#/.test(entry))).toEqual([]);
      expect(await rowsOf(ingest)).toEqual(whole);
    });
  });
});
