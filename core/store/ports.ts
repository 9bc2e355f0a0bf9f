/** Covered ports: the row that the list of ports reads, and apart from it the row with the ingest's clocks. */
import * as z from 'zod/mini';
import type { PortClocks } from '../calls/port-call.ts';
import type { RecentFigures } from '../metrics/figures.ts';
import type { Locode } from '../reference/codes.ts';
import type { Day } from '../reference/time.ts';
import { KNOWN, type Known, type SeriesKind, type SeriesReader, type SeriesStore } from './series.ts';
import { parseRow, type Row, type Table } from './table.ts';

// The history of a snapshot as one short text, because the list of ports reads its row: two characters for each
// score, then the three changes.

/** A score has three decimals, so that a thousandth is the unit and 1,000 the largest number: two digits of this base. */
const BASE = 36;
const THOUSAND = 1000;
const DIGITS = 2;
const NO_SCORE = '..';

/** For example `0k1c..`, a bar, and `0.012,-1.5,3`; nothing behind the bar without a change. */
export function packRecent({ scores, change }: RecentFigures): string {
  const packed = scores.map((score) =>
    score === null
      ? NO_SCORE
      : Math.round(score * THOUSAND)
          .toString(BASE)
          .padStart(DIGITS, '0'),
  );
  const changes = change ? [change.congestionScore, change.avgWaitHours, change.atAnchor] : [];
  return `${packed.join('')}|${changes.join(',')}`;
}

export function unpackRecent(text: string): RecentFigures {
  const [packed = '', changes = ''] = text.split('|');
  const scores = (packed.match(/../g) ?? []).map((digits) =>
    digits === NO_SCORE ? null : Number.parseInt(digits, BASE) / THOUSAND,
  );
  if (changes === '') return { scores };
  const [congestionScore = 0, avgWaitHours = 0, atAnchor = 0] = changes.split(',').map(Number);
  return { scores, change: { congestionScore, avgWaitHours, atAnchor } };
}

const SNAPSHOT = z.object({
  asOfAt: z.number(),
  congestionScore: z.number(),
  avgWaitHours: z.number(),
  waitBasis: z.optional(z.enum(['berthed', 'open', 'mixed'])),
  arrivals24h: z.number(),
  departures24h: z.number(),
  atAnchor: z.number(),
  inPort: z.number(),
  stoppedSinceAt: z.optional(z.number()),
});

/** The figures of a port, which its vintages keep. Name, position, sources and method are always those of the present. */
const FIGURES = z.object({
  port: z.string(),
  snapshot: z.optional(SNAPSHOT),
  /** First and last UTC day that the observations cover. */
  firstDay: z.optional(z.string()),
  lastDay: z.optional(z.string()),
});
type PortFigures = Readonly<z.output<typeof FIGURES>>;

const COVERED = z.object({
  port: z.string(),
  name: z.string(),
  countryCode: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  sources: z.readonly(z.array(z.string())),
  /** What its figures are made from: records that state event times, polls of a list, or vessel positions. */
  method: z.optional(z.enum(['records', 'polls', 'positions'])),
});

/** A port before anything has been observed. */
export type CoveredPort = Readonly<z.output<typeof COVERED>>;

const PORT = z.extend(COVERED, {
  ...FIGURES.shape,
  /** What led to the snapshot, packed by `packRecent`. */
  recent: z.optional(z.string()),
});

const KNOWN_PORT = z.extend(PORT, KNOWN.shape);

/** A port with its figures. */
export type PortRow = Readonly<z.output<typeof PORT>>;

export const PORTS: SeriesKind<PortFigures, PortRow> = {
  name: 'ports',
  subjects: 'ports',
  served: FIGURES,
  stored: PORT,
  keyOf: ({ port }) => port,
  listedByDay: true,
};

/** A port with the figures of a day. */
type PortThen = PortRow & Pick<Known<PortRow>, 'backfilled'>;

/** Returns the ports of `rows` that were covered at the end of `day`, with their figures on that day. */
export async function portsAsOf(
  series: SeriesReader<PortFigures>,
  rows: readonly Known<PortRow>[],
  day: Day,
  port?: Locode,
) {
  const found = await series.asOf(port, day, { from: port, to: port }, rows);
  const then = new Map(found.rows.map((figures) => [figures.port, figures]));
  const ports = rows.flatMap(
    ({ snapshot: _, firstDay: __, lastDay: ___, backfilled: ____, ...covered }): PortThen[] => {
      const figures = then.get(covered.port);
      return figures === undefined ? [] : [{ ...covered, ...figures }];
    },
  );
  return { ...found, rows: ports };
}

export type PortReader = ReturnType<typeof createPortReader>;

export function createPortReader(table: Table) {
  const parsed = (row: Row): Known<PortRow> => parseRow(table, KNOWN_PORT, row);
  return {
    /** Undefined when the port is not covered. */
    async get(port: Locode, consistent = false): Promise<Known<PortRow> | undefined> {
      const row = await table.get({ port }, consistent);
      return row && parsed(row);
    },
    /** By UN/LOCODE. */
    async all(consistent = false): Promise<Known<PortRow>[]> {
      return (await table.scan(consistent)).map(parsed).sort((a, b) => (a.port < b.port ? -1 : 1));
    },
  };
}

export function createPortStore(
  table: Table,
  { replace }: Pick<SeriesStore<PortFigures, PortRow>, 'replace'>,
) {
  return {
    ...createPortReader(table),
    replace,
    /** Adds covered ports that have no row yet, known since `day`, and updates the reference data of the others. */
    async register(
      ports: readonly CoveredPort[],
      day: Day,
      beforeWrite?: () => Promise<void>,
    ): Promise<void> {
      const rows = await table.getMany(ports.map(({ port }) => ({ port })));
      const stored = rows.map((row) => parseRow(table, KNOWN_PORT, row));
      const byCode = new Map(stored.map((row) => [row.port, row]));
      const covered = ports.map((port) => ({ ...byCode.get(port.port), ...port }));
      await replace('', covered, stored, { day, backfilled: false }, beforeWrite);
    },
  };
}

const INTERVAL = z.object({ fromAt: z.number(), toAt: z.number() });

const CLOCKS = z.object({
  coverage: z.array(INTERVAL),
  lastObservedAt: z.optional(z.number()),
  lastInPortAt: z.optional(z.number()),
  longStays: z.array(z.object({ callId: z.string(), firstAtaAt: z.number() })),
  cancelled: z.record(z.string(), z.number()),
}) satisfies z.ZodMiniType<PortClocks>;

/** The days that a release brought: their rows are never computed again. */
const SETTLED = z.object({
  /** The last UTC day that its observations cover. */
  lastDay: z.string(),
  coverage: z.array(INTERVAL),
  /** It brought the stays that had ended by then. */
  hasStays: z.optional(z.boolean()),
});
export type SettledDays = Readonly<z.output<typeof SETTLED>>;

const REACHED = z.object({
  /** Absent until the first report is applied. */
  clocks: z.optional(CLOCKS),
  /** The newest UTC day since which a value of the port is known. */
  knownOn: z.string(),
  /** The version of the methodology that made the values of that day; absent until its reports are applied. */
  methodology: z.optional(z.string()),
  /** The day that the newest forecasts are from; absent before the first. */
  forecastDay: z.optional(z.string()),
  /** Absent where the port did not begin with a release. */
  settled: z.optional(SETTLED),
});
export type ReachedReports = Omit<Readonly<z.output<typeof REACHED>>, 'clocks'> & {
  readonly clocks?: PortClocks | undefined;
};

/** How far the ingest has read the observations of each port. A row of its own, so that the list of ports does not read it. */
export const createPortClockStore = (table: Table) => ({
  /** Undefined before the first report. The read is consistent. */
  async get(port: Locode): Promise<ReachedReports | undefined> {
    const row = await table.get({ port }, true);
    return row && parseRow(table, REACHED, row);
  },
  /** Why the table would not take the row; undefined when it would. */
  faultOf: (port: Locode, reached: ReachedReports): string | undefined => table.faultOf({ ...reached, port }),
  async put(port: Locode, reached: ReachedReports): Promise<void> {
    await table.put({ ...reached, port });
  },
  async remove(port: Locode): Promise<void> {
    await table.writeMany([], [{ port }]);
  },
});
