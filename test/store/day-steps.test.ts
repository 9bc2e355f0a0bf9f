/** Whole days of positions through the ingest: in order, corrected, late, interrupted, and divided by region. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CallRecord, CallsObservation } from '../../core/calls/observation.ts';
import { createBackFill } from '../../core/ingest/back-fill.ts';
import { createDayFiles } from '../../core/ingest/positions.ts';
import { DAY_MS, type Day, endOfDay, HOUR_MS } from '../../core/reference/time.ts';
import type { FetchedFiles } from '../../core/upstream/source.ts';
import { extent } from '../builders/extent.ts';
import { memorySteps, startMemoryIngest } from '../builders/memory-ingest.ts';
import { noaaAround } from '../builders/narrowed-sources.ts';
import { cutOf, dayText } from '../sources/noaa-marinecadastre-ais/day-texts.ts';
import { noaaDays } from '../worlds/traffic/day-files.ts';
import { roadsteadWorld } from '../worlds/traffic/roadstead-world.ts';

const START = Date.UTC(2026, 0, 5);
const DAYS = 3;
const END = START + DAYS * DAY_MS;
/** Harbours of the generated world that the source covers. */
const HARBOURS = ['USOAK', 'USSEA', 'USORF'];
const PORTS = [...HARBOURS, 'USRCH', 'USTIW', 'USNNS', 'USGLS', 'USTXT'];
const { source, format } = noaaAround(PORTS);
const ID = source.declaration.id;

/** Cuts by day. */
let days: ReadonlyMap<Day, FetchedFiles>;
/** The second day as it was published at first: without the rows of every third vessel. */
let faulty: FetchedFiles;

const fileOf = (day: Day, text: string, version = '"1"'): FetchedFiles => {
  const cut = cutOf(new TextEncoder().encode(text), {
    chunkBytes: 1_000_000,
    day,
    file: `ais-${day}.csv`,
    format,
  });
  const note = JSON.parse(new TextDecoder().decode(cut.get('day.json')));
  return new Map([...cut, ['day.json', new TextEncoder().encode(JSON.stringify({ ...note, version }))]]);
};

beforeAll(() => {
  const world = roadsteadWorld({
    seed: 3,
    startAt: START,
    days: DAYS,
    vessels: extent(20, 30),
    ports: HARBOURS,
    fixSeconds: extent(240, 120),
    hard: false,
  });
  const made = new Map<Day, FetchedFiles>();
  for (const { day, text } of noaaDays(world.fixes, '2025')) {
    made.set(day, fileOf(day, text));
    if (day !== '2026-01-06') continue;
    const rows = text.split('\n').filter((row) => Number(row.slice(0, 9)) % 3 !== 0);
    faulty = fileOf(day, rows.join('\n'), '"0"');
  }
  days = made;
});

type Ingest = ReturnType<typeof startMemoryIngest>;
type Fetches = readonly (readonly [number, FetchedFiles])[];

const inOrder = (): Fetches => [...days].map(([day, files]) => [endOfDay(day), files] as const);

async function ingestOf(fetches: Fetches): Promise<Ingest> {
  const ingest = startMemoryIngest({ nowAt: END + 5 * HOUR_MS });
  for (const [at, files] of fetches) await ingest.archive.write(ID, at, files);
  return ingest;
}

/** The observations of all fetches in turn, as the ingest reads them. */
async function batchesOf(fetches: Fetches, steps = memorySteps()): Promise<CallsObservation[]> {
  const { archive } = await ingestOf(fetches);
  const readFetch = createDayFiles(archive, steps.calls);
  const batches: CallsObservation[] = [];
  for (const [fetchedAt] of fetches) {
    const files = await readFetch(source, fetchedAt);
    batches.push(
      ...(source.parse({ fetchedAt, files: files ?? new Map() }).observations as CallsObservation[]),
    );
  }
  return batches;
}

/** The observations of the days in order, read once. */
let good: Promise<CallsObservation[]> | undefined;
const goodBatches = (): Promise<CallsObservation[]> => {
  good ??= batchesOf(inOrder());
  return good;
};

/** The last record of every call that is not withdrawn, by port and call. */
function lastRecords(batches: readonly CallsObservation[]): Map<string, CallRecord> {
  const last = new Map<string, CallRecord>();
  for (const { port, records } of batches) {
    for (const record of records) {
      const key = `${port} ${record.callId}`;
      const known = last.get(key);
      if (known === undefined || record.recordedAt >= known.recordedAt) last.set(key, record);
    }
  }
  return new Map(
    [...last].filter(([, record]) => record.cancelled !== true).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const statedIn = (batches: readonly CallsObservation[]): unknown[] =>
  [...lastRecords(batches)].map(([key, { recordedAt: _, ...record }]) => [key, record]);

const coveredIn = (batches: readonly CallsObservation[], port: string): string[] =>
  batches
    .filter((batch) => batch.port === port && batch.observedAt > batch.coveredFromAt)
    .map(({ coveredFromAt }) => new Date(coveredFromAt).toISOString().slice(0, 10))
    .sort();

const tablesOf = async (ingest: Ingest): Promise<string> => {
  const ports = await Promise.all(PORTS.map((port) => ingest.stores.ports.get(port)));
  return JSON.stringify(ports, (key, value) =>
    /^(writtenAt|version|changedAt|backfilled)$/.test(key) ? undefined : value,
  );
};

describe('days in order', () => {
  it('fill the tables, and a second pass changes nothing', async () => {
    const ingest = await ingestOf(inOrder());
    const outcome = await ingest.pass(source, { ask: false });
    expect(outcome).toMatchObject({ state: 'ok', fetches: DAYS });
    expect(outcome.refusals.first.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining(['impossible-fix']),
    );
    expect(outcome.status?.asOfAt).toBe(END);
    const port = await ingest.stores.ports.get('USOAK');
    expect(port).toMatchObject({ firstDay: '2026-01-05', lastDay: '2026-01-07', snapshot: { asOfAt: END } });
    expect(await ingest.pass(source, { ask: false })).toMatchObject({ fetches: 0, changedRecords: 0 });
  });

  it('are the same calls in a back-fill', async () => {
    const whole = await ingestOf(inOrder());
    await whole.pass(source, { ask: false });
    const filled = await ingestOf(inOrder());
    const backFill = createBackFill(filled.dependencies());
    await backFill.load(source, {});
    await backFill.apply(source);
    const [status] = await filled.stores.statuses.all();
    expect(status?.asOfAt).toBe(END);
    expect(await tablesOf(filled)).toBe(await tablesOf(whole));
  });

  it('leave a day uncovered on which a port was hardly received', async () => {
    const [first, second, ...rest] = [...days];
    const silent = new Map(second?.[1] ?? []);
    const note = JSON.parse(new TextDecoder().decode(silent.get('day.json')));
    silent.set(
      'day.json',
      new TextEncoder().encode(JSON.stringify({ ...note, heard: { ...note.heard, USOAK: 3 } })),
    );
    const fetches = [first, [second?.[0] ?? '', silent] as const, ...rest].flatMap((entry) =>
      entry === undefined ? [] : [[endOfDay(entry[0]), entry[1]] as const],
    );
    const batches = await batchesOf(fetches);
    expect(coveredIn(batches, 'USOAK')).toEqual(['2026-01-05', '2026-01-07']);
    expect(coveredIn(batches, 'USSEA')).toContain('2026-01-06');
  });

  it('do not divide the stay of a vessel on the days before and after one that is missing', async () => {
    const fetchOf = (day: Day) => [endOfDay(day), fileOf(day, dayText('2025', [], { day }))] as const;
    const records = lastRecords(await batchesOf([fetchOf('2026-01-05'), fetchOf('2026-01-07')]));
    expect([...records.values()].map(({ stops }) => stops)).toEqual([
      [
        {
          zone: 'berth',
          place: '37.80,-122.30',
          ataAt: START,
          startUnknown: true,
        },
      ],
    ]);
  });
});

describe('a corrected day', () => {
  const correctedAt = END + HOUR_MS;
  const withFault = (): Fetches =>
    [...days].map(([day, files]) => [endOfDay(day), day === '2026-01-06' ? faulty : files] as const);
  const corrected = (): Fetches => [...withFault(), [correctedAt, days.get('2026-01-06') ?? new Map()]];

  it('ends in the calls that there would be if it had been good at first', async () => {
    const wanted = statedIn(await goodBatches());
    expect(statedIn(await batchesOf(withFault()))).not.toEqual(wanted);
    expect(statedIn(await batchesOf(corrected()))).toEqual(wanted);
  });
});
