import type { CallRecord } from '../../core/calls/observation.ts';
import {
  type ComparedCalls,
  compareCalls,
  toBerthing,
  weekFigures,
} from '../../core/positions/compared-waits.ts';
import { Engine } from '../../core/positions/engine.ts';
import { POLL_PARAMETERS } from '../../core/positions/parameters.ts';
import { indexPlaces } from '../../core/positions/places.ts';
import { nearestPort } from '../../core/positions/port-areas.ts';
import { changedRecords, type PublishedRecords, toRecords } from '../../core/positions/vessel-calls.ts';
import { findPort } from '../../core/reference/ports.ts';
import { addDays, DAY_MS, type Day, type Instant, MINUTE_MS, startOfDay } from '../../core/reference/time.ts';
import { randomStream } from '../../core/sources/sample-simulator/random.ts';
import type { ComparedWeek } from '../../core/upstream/source.ts';
import { NO_PLACES } from '../places/place-file.ts';
import { readLists } from './kaohsiung-lists.ts';
import { type Section, svgPlot } from './report.ts';
import { type SailedCall, sailedCall, toFix } from './sailed-calls.ts';

const KAOHSIUNG = 'TWKHH';

/** The records of all months in a folder of TIPC's lists. */
const recordedCalls = (folder: string): CallRecord[] =>
  readLists(folder).reports.flatMap((report) => (report.kind === 'call-batch' ? report.records : []));

/** A vessel cannot sail overlapping calls: the later one is left out. */
function sailedCalls(
  records: readonly CallRecord[],
): { readonly record: CallRecord; readonly call: SailedCall }[] {
  const identities = [...new Set(records.map(({ vesselId }) => vesselId))];
  const mmsi = new Map(identities.map((vesselId, index) => [vesselId, 416_000_001 + index]));
  const left = new Map<string, Instant>();
  return records
    .flatMap((record) => {
      const call = sailedCall(record, mmsi.get(record.vesselId) ?? 0);
      return call === undefined ? [] : [{ record, call }];
    })
    .sort((a, b) => (a.call.legs[0]?.fromAt ?? 0) - (b.call.legs[0]?.fromAt ?? 0))
    .filter(({ record, call }) => {
      const [from = 0, to = 0] = [call.legs[0]?.fromAt, call.legs.at(-1)?.toAt];
      if (from <= (left.get(record.vesselId) ?? 0)) return false;
      left.set(record.vesselId, to);
      return true;
    });
}

interface WeekComparison {
  /** Its Monday. */
  readonly week: Day;
  readonly positions: ReturnType<typeof weekFigures>;
  readonly record: ReturnType<typeof weekFigures>;
}

/** The share of polls in which a vessel is received. */
const RECEIVED = 0.85;

/** One row for each whole week from `first` on, Monday by Monday. */
export function compareWeeks(
  records: readonly CallRecord[],
  first: Day,
  weeks: number,
  everyMinutes: number,
): WeekComparison[] {
  const point = findPort(KAOHSIUNG);
  if (point === undefined) throw new RangeError('the port reference lacks Kaohsiung');
  const sailed = sailedCalls(
    records.filter(({ traffic, cancelled }) => traffic === 'cargo' && cancelled !== true),
  );
  const parts = { parameters: POLL_PARAMETERS, places: indexPlaces(NO_PLACES), ports: nearestPort([point]) };
  const engine = new Engine({ parameters: POLL_PARAMETERS });
  const [beginAt, endAt] = [startOfDay(first) - 10 * DAY_MS, startOfDay(first) + (7 * weeks + 4) * DAY_MS];
  const inReach = sailed.filter(
    ({ call }) => (call.legs.at(-1)?.toAt ?? 0) > beginAt && (call.legs[0]?.fromAt ?? 0) < endAt,
  );
  let published: PublishedRecords = new Map();
  let compared: ComparedCalls | undefined;
  const found: ComparedWeek[] = [];
  for (let at = beginAt; at < endAt; at += everyMinutes * MINUTE_MS) {
    const received = randomStream('received', at);
    for (const { call } of inReach) {
      const fix = toFix(call, point, at);
      if (fix !== undefined && received() < RECEIVED) engine.push(fix);
    }
    if ((at + everyMinutes * MINUTE_MS) % DAY_MS >= everyMinutes * MINUTE_MS) continue;
    const time = at / 1000;
    engine.forget(time);
    const made = [...engine.vessels.values()].flatMap((vessel) => toRecords(vessel, time, parts));
    const step = changedRecords(published, made, time, POLL_PARAMETERS);
    published = step.published;
    const { calls, weeks: ended } = compareCalls(
      compared,
      new Set([KAOHSIUNG]),
      step.changed,
      at,
      POLL_PARAMETERS.settledSeconds,
    );
    compared = calls;
    found.push(...ended);
  }
  const stated = sailed.map(({ record }) => toBerthing(record)).filter((berthing) => berthing !== undefined);
  return found
    .filter(({ week }) => week >= first)
    .map(({ week, port: _, ...positions }): WeekComparison => {
      const [from, to] = [startOfDay(week), startOfDay(addDays(week, 7))];
      const hours = stated
        .filter(([berthed]) => berthed * 1000 >= from && berthed * 1000 < to)
        .map(([, waitHours]) => waitHours);
      return { week, positions, record: weekFigures(hours) };
    });
}

// Waits by generated positions beside the real record of Kaohsiung, as a part of the accuracy page.

const FIRST = '2025-02-10';
const WEEKS = 18;
const POLL_MINUTES = 10;

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

export const COMPARED_WAITS = {
  id: 'compared-waits',
  title: 'Waits by positions beside a real record: Kaohsiung, generated positions',
} as const;

/** @param folder of TIPC's lists of Kaohsiung, February to June 2025 */
export function comparedWaitsSection(folder: string): Section {
  const weeks = compareWeeks(recordedCalls(folder), FIRST, WEEKS, POLL_MINUTES);
  const sum = (count: (week: (typeof weeks)[number]) => number): number =>
    weeks.reduce((total, week) => total + count(week), 0);
  const errors = weeks.map(
    ({ positions, record }) => (positions.medianHours ?? Number.NaN) - (record.medianHours ?? Number.NaN),
  );
  const largest = errors.reduce((most, error) => (Math.abs(error) > Math.abs(most) ? error : most), 0);
  const curve = (name: string, of: 'positions' | 'record') => ({
    name,
    style: 'line' as const,
    points: weeks.map((week, index) => [index, week[of].medianHours ?? 0] as const),
  });
  return {
    ...COMPARED_WAITS,
    body: [
      "The calls are TIPC's. **The positions are made**: each call is sailed as a track that anchors, berths and leaves at the stated times, received in",
      `85% of polls ${POLL_MINUTES} minutes apart. Real ones, where a deployment reads both: \`comparisons\` of \`GET /v1/meta/sources\`.`,
      '',
      `In ${weeks.length} weeks positions show ${sum((week) => week.positions.berthed)} of ${sum((week) => week.record.berthed)} berthings and ${sum((week) => week.positions.delayed)} of ${sum((week) => week.record.delayed)} waits of 3 h or more. Their weekly median is ${Math.abs(mean(errors)).toFixed(1)} h`,
      `${mean(errors) < 0 ? 'shorter' : 'longer'} on average (mean error ${mean(errors.map(Math.abs)).toFixed(1)} h, largest ${largest.toFixed(1)} h): the record counts until the vessel is alongside, positions until it weighs anchor.`,
    ].join('\n'),
    plot: svgPlot({
      title: 'Median wait of the calls that waited 3 h or more',
      xLabel: `weeks from ${FIRST}`,
      yLabel: 'hours',
      curves: [curve('by generated positions', 'positions'), curve("by TIPC's record", 'record')],
    }),
    plotText: 'Weekly median wait at Kaohsiung by generated positions and by the record',
  };
}
