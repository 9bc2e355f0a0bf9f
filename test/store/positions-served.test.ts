/**
 * Generated positions served: snapshot, trend, dwell and alerts of ports that day files cover, beside those
 * that the same service gives when the generator's own calls are its records.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CallBatch, CallRecord, RecordedStop } from '../../core/calls/observation.ts';
import { DAY_MS, endOfDay, HOUR_MS, type Instant } from '../../core/reference/time.ts';
import { noaaMarinecadastreAis } from '../../core/sources/noaa-marinecadastre-ais/source.ts';
import type { ArchivedFetch, Source } from '../../core/sources/source.ts';
import { noaaDays } from '../bench/ais/day-files.ts';
import { roadsteadWorld } from '../bench/ais/roadstead-world.ts';
import type { TrueStay, World } from '../bench/ais/world-types.ts';
import { type MemoryIngest, startMemoryIngest } from '../builders/memory-ingest.ts';
import { readHandlers } from '../builders/read-handlers.ts';
import { cutOf } from '../sources/noaa-marinecadastre-ais/day-texts.ts';

const START = Date.UTC(2026, 0, 5);
const DAYS = 9;
const END = START + DAYS * DAY_MS;
const SAME_CALL_MS = 12 * HOUR_MS;
const UNTIL = '2026-01-13';

/** `busy`: enough calls at every port; `queue`: at one port vessels wait longer than an alert's line. */
const WORLDS = {
  busy: { seed: 21, vessels: 60, fixSeconds: 300 },
  queue: { seed: 49, vessels: 32, fixSeconds: 300 },
} as const;
const PORTS = ['USOAK', 'USSEA', 'USORF'] as const;

/** The truth has cargo vessels only, so the ferries are left out of the traffic. */
function worldOf(name: keyof typeof WORLDS): World {
  const world = roadsteadWorld({ ...WORLDS[name], startAt: START, days: DAYS, hard: false });
  return {
    ...world,
    fixes: [...world.fixes].filter(({ vesselType = 0 }) => vesselType < 60 || vesselType > 69),
  };
}

function* dayFetches({ fixes }: World): Generator<ArchivedFetch> {
  for (const { day, text } of noaaDays(fixes, '2025')) {
    const files = cutOf(new TextEncoder().encode(text), {
      chunkBytes: 1_000_000,
      day,
      file: `ais-${day}.csv`,
    });
    yield { fetchedAt: endOfDay(day), files };
  }
}

/** The true stays of each vessel by call: those of one port with less than twelve hours between them. */
function callsOf(truth: readonly TrueStay[], port: string): TrueStay[][] {
  const calls: TrueStay[][] = [];
  const inOrder = truth
    .filter((stay) => stay.port === port)
    .sort((a, b) => (a.vessel < b.vessel ? -1 : a.vessel > b.vessel ? 1 : a.startAt - b.startAt));
  for (const stay of inOrder) {
    const last = calls.at(-1)?.at(-1);
    if (last?.vessel === stay.vessel && stay.startAt - last.endAt < SAME_CALL_MS) calls.at(-1)?.push(stay);
    else calls.push([stay]);
  }
  return calls;
}

const stopOf = (stay: TrueStay, at: Instant): RecordedStop => ({
  zone: stay.kind === 'wait' ? 'anchorage' : 'berth',
  place: stay.kind,
  ataAt: stay.startAt,
  ...(stay.startAt === START ? { startUnknown: true as const } : {}),
  ...(stay.endAt < Math.min(at, END) ? { atdAt: stay.endAt } : {}),
});

/** The generator's calls of a port as far as they had come by `at`. */
function trueBatch(truth: readonly TrueStay[], port: string, at: Instant): CallBatch {
  const records = callsOf(truth, port).flatMap((stays): CallRecord[] => {
    const begun = stays.filter(({ startAt }) => startAt < at);
    const [first] = begun;
    if (first === undefined) return [];
    const isCut = first.startAt === START;
    const isUnderWay =
      begun.length < stays.length || (begun.at(-1)?.kind === 'wait' && (begun.at(-1)?.endAt ?? at) < at);
    const stops = [
      ...begun.map((stay) => stopOf(stay, at)),
      ...(isUnderWay ? [{ zone: 'berth', place: '' } as const] : []),
    ];
    const cut = isCut ? { ataInferred: true as const, waitKnown: false as const } : {};
    const callId = `${first.vessel} ${first.startAt}`;
    return [{ callId, vesselId: first.vessel, traffic: 'cargo', recordedAt: at, stops, ...cut }];
  });
  return { kind: 'call-batch', port, observedAt: at, coveredFromAt: at - DAY_MS, records };
}

/** A source of records that states the truth at the end of each day. */
const truthSource = (
  { declaration }: Source,
  truth: readonly TrueStay[],
  ports: readonly string[],
): Source => ({
  declaration,
  fetch: async () => new Map(),
  parse: ({ fetchedAt }) => ({
    asOfAt: fetchedAt,
    reports: ports.map((port) => trueBatch(truth, port, fetchedAt)),
    refusals: [],
  }),
});

async function served(source: Source, fetches: Iterable<ArchivedFetch>): Promise<MemoryIngest> {
  const ingest = startMemoryIngest({ nowAt: END });
  for (const { fetchedAt, files } of fetches)
    await ingest.archive.write(source.declaration.id, fetchedAt, files);
  expect(await ingest.pass(source, { ask: false })).toMatchObject({ state: 'ok' });
  return ingest;
}

interface DwellRow {
  readonly kind: string;
  readonly start: string;
  readonly hours: number;
}

interface Figures {
  readonly snapshot: {
    readonly congestion_score: number;
    readonly avg_wait_hours: number;
    readonly vessels: { readonly at_anchor: number; readonly in_port: number };
  };
  readonly trend: readonly { readonly date: string; readonly avg_wait_hours: number }[];
  readonly dwell: readonly DwellRow[];
  readonly alerts: readonly Record<'type' | 'metric' | 'severity' | 'as_of', string>[];
}

async function figuresOf(ingest: MemoryIngest, port: string): Promise<Figures> {
  const reads = readHandlers(ingest.tables, () => END);
  const path = { UNLOCODE: port };
  const query = { window: ['7d'], until: [UNTIL] };
  const read = async (operation: 'snapshot' | 'trend' | 'dwell' | 'alerts') => {
    const reply = await reads[operation](operation === 'snapshot' ? { path } : { path, query });
    expect([operation, reply.status]).toEqual([operation, 200]);
    return JSON.parse(reply.body);
  };
  return {
    snapshot: await read('snapshot'),
    trend: await read('trend'),
    dwell: await read('dwell'),
    alerts: await read('alerts'),
  };
}

/** The figures of every port, as found in the positions and as expected from the truth. */
async function figuresOfWorld(
  name: keyof typeof WORLDS,
): Promise<ReadonlyMap<string, readonly [Figures, Figures]>> {
  const world = worldOf(name);
  const days = Array.from({ length: DAYS }, (_, day) => ({
    fetchedAt: START + (day + 1) * DAY_MS,
    files: new Map([['truth', new Uint8Array(1)]]),
  }));
  const ours = await served(noaaMarinecadastreAis, dayFetches(world));
  const theirs = await served(truthSource(noaaMarinecadastreAis, world.truth, PORTS), days);
  const figures = new Map<string, readonly [Figures, Figures]>();
  for (const port of PORTS) figures.set(port, [await figuresOf(ours, port), await figuresOf(theirs, port)]);
  return figures;
}

describe('day files of generated traffic', () => {
  let busy: ReadonlyMap<string, readonly [Figures, Figures]>;
  beforeAll(async () => {
    busy = await figuresOfWorld('busy');
  }, 120_000);
  const both = (port: string): readonly [Figures, Figures] => {
    const figures = busy.get(port);
    if (figures === undefined) throw new Error(`no figures of ${port}`);
    return figures;
  };

  it.each(PORTS)('give the snapshot of %s: vessels within one, the average wait within an hour', (port) => {
    const [ours, theirs] = both(port);
    const off = (figure: (of: Figures['snapshot']) => number): number =>
      Math.abs(figure(ours.snapshot) - figure(theirs.snapshot));
    expect(theirs.snapshot.vessels.in_port).toBeGreaterThan(0);
    expect(off(({ vessels }) => vessels.in_port)).toBeLessThanOrEqual(1);
    expect(off(({ vessels }) => vessels.at_anchor)).toBeLessThanOrEqual(1);
    expect(off((snapshot) => snapshot.avg_wait_hours)).toBeLessThanOrEqual(1);
    expect(off((snapshot) => snapshot.congestion_score)).toBeLessThanOrEqual(0.05);
  });

  it.each(PORTS)('give the trend of %s: the average wait of every day within an hour', (port) => {
    const [ours, theirs] = both(port);
    expect(ours.trend.map(({ date }) => date)).toEqual(theirs.trend.map(({ date }) => date));
    expect(theirs.trend).toHaveLength(7);
    for (const [index, row] of theirs.trend.entries())
      expect(Math.abs((ours.trend[index]?.avg_wait_hours ?? 99) - row.avg_wait_hours)).toBeLessThanOrEqual(1);
  });

  it.each(PORTS)(
    'give the dwell of %s: 90 %% of the true stays, and 90 %% of those given are true',
    (port) => {
      const [ours, theirs] = both(port);
      const isOf = (one: DwellRow, other: DwellRow): boolean =>
        one.kind === other.kind &&
        Math.abs(Date.parse(one.start) - Date.parse(other.start)) <= HOUR_MS / 4 &&
        Math.abs(one.hours - other.hours) <= 0.5;
      const share = (of: readonly DwellRow[], among: readonly DwellRow[]): number =>
        of.filter((row) => among.some((one) => isOf(one, row))).length / of.length;
      expect(theirs.dwell.length).toBeGreaterThan(8);
      expect(share(theirs.dwell, ours.dwell)).toBeGreaterThanOrEqual(0.9);
      expect(share(ours.dwell, theirs.dwell)).toBeGreaterThanOrEqual(0.9);
    },
  );

  it('give the alerts of the truth where vessels wait long, on the days of the truth', async () => {
    const queue = await figuresOfWorld('queue');
    const alertsOf = (which: 0 | 1) =>
      [...queue].flatMap(([port, figures]) =>
        figures[which].alerts.map(({ type, metric, severity, as_of }) => ({
          port,
          type,
          metric,
          severity,
          as_of,
        })),
      );
    expect(alertsOf(1)).not.toEqual([]);
    expect(alertsOf(0)).toEqual(alertsOf(1));
  }, 120_000);
});
