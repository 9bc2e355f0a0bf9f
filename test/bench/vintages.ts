/** The cost of vintages over a year: bytes beside the rows that they are of, and read units of requests with `as_of`. */
import type { INGEST_TABLES } from '../../core/ingest/dependencies.ts';
import { addDays, DAY_MS, type Day, dayOf, HOUR_MS } from '../../core/reference/time.ts';
import { hkMarineDepartment } from '../../core/sources/hk-marine-department/source.ts';
import { createSampleSource } from '../../core/sources/sample-simulator/source.ts';
import type { Row } from '../../core/store/table.ts';
import { startEmbeddedStore } from '../../local/store/embedded-store.ts';
import { hkFetches } from '../builders/hk-polls.ts';
import type { KeyedOperation } from '../builders/keyed-handlers.ts';
import { type MemoryIngest, startMemoryIngest } from '../builders/memory-ingest.ts';
import { readHandlers } from '../builders/read-handlers.ts';
import { startTestStore } from '../builders/store-tables.ts';
import type { Figure } from './figure.ts';
import { type StoreMeter, startStoreMeter } from './store-meter.ts';

const START = Date.UTC(2026, 0, 5);
const DAYS = 365;
/** Hours between the polls, and between the passes over the simulator, so that a year takes minutes. */
const POLL_HOURS = 6;
const PASS_HOURS = 12;

async function pollYear(): Promise<MemoryIngest> {
  const ingest = startMemoryIngest({ nowAt: START });
  for (const { fetchedAt, files } of hkFetches({ seed: 1, startAt: START, days: DAYS }, POLL_HOURS * 60)) {
    ingest.clock.nowAt = fetchedAt;
    await ingest.pass({ ...hkMarineDepartment, fetch: async () => files });
  }
  return ingest;
}

async function recordYear(): Promise<MemoryIngest> {
  const ingest = startMemoryIngest({ nowAt: START });
  const source = createSampleSource({ seed: 1, firstDay: async () => dayOf(START - 40 * DAY_MS) });
  for (let at = START; at < START + DAYS * DAY_MS; at += PASS_HOURS * HOUR_MS) {
    ingest.clock.nowAt = at;
    await ingest.pass(source);
  }
  return ingest;
}

const REQUESTS: Readonly<Partial<Record<KeyedOperation, Readonly<Record<string, readonly string[]>>>>> = {
  trend: { window: ['30d'] },
  waits: {},
  alerts: {},
  ports: {},
};

/** What the requests read. */
const READ_TABLES = ['alerts', 'dailyMetrics', 'ports', 'sourceStatus', 'vintages', 'waitDays'] as const;

type ReadTable = (typeof READ_TABLES)[number];

/** Whether a request for `port`, or for the list of ports, may read the row. */
function isReadWith(port: string, id: ReadTable, row: Row): boolean {
  if (id === 'ports' || id === 'sourceStatus') return true;
  const series = String(row.series);
  return id === 'vintages'
    ? /^(begin$|ports#)/.test(series) || series.endsWith(`#${port}`)
    : row.port === port;
}

/** Mean read units of a request, by whether it has `as_of`, over a day of each month. */
async function unitsOf(ingest: MemoryIngest, port: string, meter: StoreMeter) {
  process.env.AWS_ENDPOINT_URL_DYNAMODB = meter.endpoint;
  const store = await startTestStore(READ_TABLES);
  try {
    for (const id of READ_TABLES) {
      const rows = await ingest.tables[id].scan();
      // The embedded store takes most of the time: of other ports it gets what is read with this one.
      await store.tables[id].writeMany(rows.filter((row) => isReadWith(port, id, row)));
    }
    const reads = readHandlers(store.tables, () => ingest.clock.nowAt);
    const spent = async (operation: KeyedOperation, query: Record<string, readonly string[]>) => {
      meter.take();
      const path: Record<string, string> = operation === 'ports' ? {} : { UNLOCODE: port };
      const { status } = await reads[operation]({ path, query });
      if (status !== 200) throw new Error(`${operation} returns ${status}`);
      return meter.take().reduce((sum, { units }) => sum + units, 0);
    };
    const days: Day[] = Array.from({ length: 11 }, (_, month) => addDays(dayOf(START), 45 + 29 * month));
    const means: [string, { plain: number; asOf: number }][] = [];
    for (const [operation, query] of Object.entries(REQUESTS) as [KeyedOperation, object][]) {
      const sums = { plain: 0, asOf: 0 };
      for (const day of days) {
        const until: Record<string, readonly string[]> =
          operation === 'ports' ? {} : { [operation === 'waits' ? 'to' : 'until']: [day] };
        sums.plain += await spent(operation, { ...query, ...until });
        sums.asOf += await spent(operation, { ...query, as_of: [day] });
      }
      means.push([operation, { plain: sums.plain / days.length, asOf: sums.asOf / days.length }]);
    }
    return Object.fromEntries(means);
  } finally {
    delete process.env.AWS_ENDPOINT_URL_DYNAMODB;
    await store.close();
  }
}

const bytesOf = (texts: Iterable<string>): number => [...texts].reduce((sum, text) => sum + text.length, 0);

async function figuresOf(
  what: string,
  ingest: MemoryIngest,
  port: string,
  meter: StoreMeter,
): Promise<Figure[]> {
  const rowsOf = async (id: (typeof INGEST_TABLES)[number]) =>
    (await ingest.tables[id].scan()).map((row) => JSON.stringify(row));
  const served = ['dailyMetrics', 'waitDays', 'alerts', 'ports', 'stayDays', 'portCalls'] as const;
  const bytes = (await Promise.all(served.map(rowsOf))).map(bytesOf).reduce((sum, one) => sum + one, 0);
  const vintages = await rowsOf('vintages');
  const units = await unitsOf(ingest, port, meter);
  return [
    {
      what: `${what}: bytes of a year of vintages`,
      value: bytesOf(vintages) / bytes,
      unit: 'of the figures and calls',
      against: `${vintages.length} rows, ${Math.round(bytesOf(vintages) / 1000)} KB beside ${Math.round(bytes / 1000)} KB`,
    },
    ...Object.entries(units).map(
      ([operation, { plain, asOf }]): Figure => ({
        what: `${what}: read units of ${operation} with as_of`,
        value: asOf / plain,
        unit: 'times',
        against: `${asOf.toFixed(2)} and ${plain.toFixed(2)} units, means of 11 days of the year`,
        ...(operation === 'trend' ? { atMost: 1.5 } : {}),
      }),
    ),
  ];
}

export async function vintageFigures(): Promise<Figure[]> {
  const store = await startEmbeddedStore({ directory: undefined });
  const meter = await startStoreMeter(store.endpoint);
  try {
    return [
      ...(await figuresOf('polls', await pollYear(), 'HKHKG', meter)),
      ...(await figuresOf('records', await recordYear(), 'USLAX', meter)),
    ];
  } finally {
    await meter.close();
    await store.close();
  }
}
