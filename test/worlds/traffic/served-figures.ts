/** The served figures of ports, from an archive of positions or of the true calls. */

import type { Forecast } from '../../../core/contracts/forecast.ts';
import type { PortBox } from '../../../core/reference/port-boxes.ts';
import { DAY_MS, type Day, endOfDay, HOUR_MS, type Instant } from '../../../core/reference/time.ts';
import { source as noaaMarinecadastreAis } from '../../../core/sources/noaa-marinecadastre-ais/source.ts';
import { PORT_BOXES } from '../../../core/sources/open-waters-ais/declaration.ts';
import { source as openWatersAis } from '../../../core/sources/open-waters-ais/source.ts';
import type { ArchivedFetch, Source } from '../../../core/upstream/source.ts';
import { startMemoryIngest } from '../../builders/memory-ingest.ts';
import { noaaAround } from '../../builders/narrowed-sources.ts';
import { readHandlers } from '../../builders/read-handlers.ts';
import { cutOf } from '../../sources/noaa-marinecadastre-ais/day-texts.ts';
import { noaaDays } from './day-files.ts';
import { livePolls } from './live-polls.ts';
import { receivedArriving } from './received-arrivals.ts';
import { type RoadsteadOptions, roadsteadWorld } from './roadstead-world.ts';
import { trueCalls } from './true-calls.ts';
import type { GeneratedFix } from './world-types.ts';

/** A source of positions, and generated traffic in the form in which it publishes them. */
export interface Feed {
  readonly source: Source;
  readonly fetches: (
    fixes: Iterable<GeneratedFix>,
    startAt: Instant,
    days: number,
  ) => Iterable<ArchivedFetch>;
  readonly boxes: readonly PortBox[];
  /** The feed shows one position per MMSI, so one of two vessels with a shared MMSI is hidden. */
  readonly hidesPairs: boolean;
}

/** Day files of the source, of all its ports or of some. */
export const dayFilesOf = (
  { source, format, boxes } = noaaAround(noaaMarinecadastreAis.declaration.ports),
): Feed => ({
  source,
  boxes,
  hidesPairs: false,
  *fetches(fixes) {
    for (const { day, text } of noaaDays(fixes, '2025')) {
      const file = `ais-${day}.csv`;
      const bytes = new TextEncoder().encode(text);
      yield { fetchedAt: endOfDay(day), files: cutOf(bytes, { chunkBytes: 1_000_000, day, file, format }) };
    }
  },
});

/** Live polls of the source, of all its ports or of some. */
export const livePollsEvery = (
  everyMinutes: number,
  { source, boxes }: Pick<Feed, 'source' | 'boxes'> = { source: openWatersAis, boxes: PORT_BOXES },
): Feed => ({
  source,
  boxes,
  hidesPairs: true,
  fetches: (fixes, startAt, days) => livePolls({ fixes }, { startAt, days, everyMinutes, boxes }),
});

export interface DwellRow {
  readonly kind: string;
  readonly start: string;
  readonly hours: number;
}

/** Whether two rows are of one stay: the same kind, starts within a quarter of an hour, lengths within half an hour. */
const isSameStay = (row: DwellRow, other: DwellRow): boolean =>
  row.kind === other.kind &&
  Math.abs(Date.parse(row.start) - Date.parse(other.start)) <= HOUR_MS / 4 &&
  Math.abs(row.hours - other.hours) <= 0.5;

/** The share of the stays that are among others. */
export const shareAmong = (stays: readonly DwellRow[], others: readonly DwellRow[]): number =>
  stays.filter((stay) => others.some((other) => isSameStay(stay, other))).length / stays.length;

/** The responses about one port at the end of the traffic: its last seven days, and the forecast of its wait. */
export interface PortFigures {
  readonly snapshot: {
    readonly congestion_score: number;
    readonly avg_wait_hours: number;
    readonly vessels: { readonly at_anchor: number; readonly in_port: number };
  };
  readonly trend: readonly { readonly date: string; readonly avg_wait_hours: number }[];
  readonly dwell: readonly DwellRow[];
  readonly alerts: readonly Record<'type' | 'metric' | 'severity' | 'as_of', string>[];
  readonly forecast: Forecast;
}

type FiguresByPort = ReadonlyMap<string, PortFigures>;

/** Applies the fetches to empty tables, and reads the figures of the ports as of `endAt`, the start of a day. */
async function figuresAfter(
  source: Source,
  fetches: Iterable<ArchivedFetch>,
  ports: readonly string[],
  endAt: Instant,
): Promise<FiguresByPort> {
  const ingest = startMemoryIngest({ nowAt: endAt });
  for (const { fetchedAt, files } of fetches)
    await ingest.archive.write(source.declaration.id, fetchedAt, files);
  const { state, detail } = await ingest.pass(source, { ask: false });
  if (state !== 'ok') throw new Error(`the pass over ${source.declaration.id}: ${state}, ${detail}`);
  const reads = readHandlers(ingest.tables, () => endAt);
  const query = { window: ['7d'], until: [dayBefore(endAt)] };
  const figures = new Map<string, PortFigures>();
  for (const port of ports) {
    const path = { UNLOCODE: port };
    const read = async (operation: 'snapshot' | 'trend' | 'dwell' | 'alerts' | 'forecast') => {
      const takesDays = operation !== 'snapshot' && operation !== 'forecast';
      const { status, body } = await reads[operation](takesDays ? { path, query } : { path });
      if (status !== 200) throw new Error(`${operation} of ${port}: ${status} ${body}`);
      return JSON.parse(body);
    };
    figures.set(port, {
      snapshot: await read('snapshot'),
      trend: await read('trend'),
      dwell: await read('dwell'),
      alerts: await read('alerts'),
      forecast: await read('forecast'),
    });
  }
  return figures;
}

const dayBefore = (at: Instant): Day => new Date(at - DAY_MS).toISOString().slice(0, 10);

/** Types 60 to 69: ferries, which count in the vessels of a port, and which the truth does not have. */
const isFerry = ({ vesselType = 0 }: GeneratedFix): boolean => vesselType >= 60 && vesselType <= 69;

/** The figures of `ports` as served from positions, and as served from the true calls. */
export async function figuresOfFeed(
  { source, fetches, boxes, hidesPairs }: Feed,
  traffic: RoadsteadOptions,
  ports: readonly string[],
): Promise<{ readonly served: FiguresByPort; readonly expected: FiguresByPort }> {
  const { startAt, days } = traffic;
  const endAt = startAt + days * DAY_MS;
  // One more day of truth shows which stays are not over at the end.
  const world = roadsteadWorld({ ...traffic, days: days + 1 });
  const leftOut = new Set(world.truth.flatMap(({ mmsi, shared }) => (hidesPairs && shared ? [mmsi] : [])));
  const truth = world.truth.filter(({ mmsi }) => !leftOut.has(mmsi));
  const fixes: GeneratedFix[] = [];
  for (const fix of world.fixes) {
    // Some rows come late, by less than that.
    if (fix.at >= endAt + HOUR_MS) break;
    if (fix.at < endAt && !isFerry(fix) && !leftOut.has(fix.mmsi)) fixes.push(fix);
  }
  const dayEnds = Array.from({ length: days }, (_, day) => ({
    fetchedAt: startAt + (day + 1) * DAY_MS,
    files: new Map([['truth', new Uint8Array(1)]]),
  }));
  const isReceived = receivedArriving(fixes, boxes, startAt);
  return {
    served: await figuresAfter(source, fetches(fixes, startAt, days), ports, endAt),
    expected: await figuresAfter(
      trueCalls(source, { truth, startAt, ports, isReceived }),
      dayEnds,
      ports,
      endAt,
    ),
  };
}
