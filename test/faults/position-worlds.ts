/** Generated traffic as replies of the four sources of positions, with few of their ports: no run of real replies is in the repository. */
import { DayCut, type DayFormat } from '../../core/positions/day-files.ts';
import { dayReader, pollReader } from '../../core/positions/steps.ts';
import { DAY_MS, type Day, HOUR_MS } from '../../core/reference/time.ts';
import { DANISH_FORMAT, source as dmaAis } from '../../core/sources/dma-ais/source.ts';
import { source as kystdatahusetAis } from '../../core/sources/kystdatahuset-ais/source.ts';
import { DAY_FILE, writeDayNote } from '../../core/upstream/files/notes.ts';
import {
  type ArchivedFetch,
  type FetchedFiles,
  RefusedReply,
  type Source,
} from '../../core/upstream/source.ts';
import { collection, files } from '../builders/geojson-feed.ts';
import { noaaAround, openWatersAround } from '../builders/narrowed-sources.ts';
import { feature } from '../sources/kystdatahuset-ais/snapshots.ts';
import { noaaDays } from '../worlds/traffic/day-files.ts';
import { livePolls } from '../worlds/traffic/live-polls.ts';
import { roadsteadWorld } from '../worlds/traffic/roadstead-world.ts';
import type { GeneratedFix } from '../worlds/traffic/world-types.ts';
import { type Layout, mapFiles, type Row } from './reply-layouts.ts';

const BEGAN_AT = Date.UTC(2025, 2, 3);
const POLL_MINUTES = 20;

/** What a base of positions adds to its replies. */
export interface PositionBase {
  readonly source: Source;
  readonly replies: readonly ArchivedFetch[];
  /** What the fetch archives of the files that the upstream sends. */
  archived?(files: FetchedFiles): FetchedFiles;
}

/** A port of the day files of the United States, which have none for New York. */
const NORFOLK = 'USORF';

/** A vessel leaves one of two ports for the other. */
const trafficOf = (days: number, fixSeconds: number, vessels: number): GeneratedFix[] => [
  ...roadsteadWorld({
    seed: 3,
    startAt: BEGAN_AT,
    days,
    vessels,
    ports: ['USNYC', NORFOLK],
    fixSeconds,
    hard: false,
  }).fixes,
];

/** A real poll has more: what tells a false one is a share of its vessels. */
const POLLED_VESSELS = 60;
const DAILY_VESSELS = 40;

/** New York's traffic at a port elsewhere; east and west keep their distances. */
function movedTo(fixes: readonly GeneratedFix[], latitude: number, longitude: number): GeneratedFix[] {
  const [fromLatitude, fromLongitude] = [40.7, -74.0167];
  const cosine = (degrees: number): number => Math.cos((degrees * Math.PI) / 180);
  const stretch = cosine(fromLatitude) / cosine(latitude);
  return fixes.map((fix) => ({
    ...fix,
    latitude: latitude + fix.latitude - fromLatitude,
    longitude: longitude + (fix.longitude - fromLongitude) * stretch,
  }));
}

export function openWatersBase(): PositionBase {
  const { source, boxes } = openWatersAround(['USNYC']);
  const options = { startAt: BEGAN_AT, days: 1.5, everyMinutes: POLL_MINUTES, boxes };
  return { source, replies: [...livePolls({ fixes: trafficOf(2, 300, POLLED_VESSELS) }, options)] };
}

export function kystdatahusetBase(): PositionBase {
  const { feed, declaration } = kystdatahusetAis;
  const boxes = feed.boxes.filter(({ ports }) => ports.includes('NOBGO'));
  const narrowed = { ...declaration, boxes, ports: ['NOBGO'] };
  const reader = pollReader({ ...feed, declaration: narrowed, boxes, canaryPorts: ['NOBGO'] });
  const traffic = { fixes: movedTo(trafficOf(2, 300, POLLED_VESSELS), 60.4, 5.31) };
  const polls = [...livePolls(traffic, { startAt: BEGAN_AT, days: 1.5, everyMinutes: POLL_MINUTES, boxes })];
  const replies = polls.map(({ fetchedAt, files: sent }): ArchivedFetch => {
    const { features } = JSON.parse(new TextDecoder().decode(sent.get('vessels-1.geojson')));
    const rows = (
      features as { geometry: { coordinates: number[] }; properties: Record<string, unknown> }[]
    ).map(({ geometry: { coordinates }, properties: { mmsi, seen, sog, heading, nav_status, type } }) =>
      feature(fetchedAt, {
        mmsi: Number(mmsi),
        longitude: coordinates[0] ?? 0,
        latitude: coordinates[1] ?? 0,
        age: (fetchedAt - Date.parse(String(seen))) / 1000,
        speed: sog,
        true_heading: heading,
        status: nav_status,
        ship_type: type,
      }),
    );
    return { fetchedAt, files: files({ 'vessels.geojson': collection(rows) }) };
  });
  return { source: { ...kystdatahusetAis, ...reader, declaration: narrowed }, replies };
}

const DAY_NAME = /^aisdk?-(\d{4}-\d\d-\d\d)\.csv$|^ais-(\d{4}-\d\d-\d\d)\.csv$/;

/** The cut of a day's text, or a note of why it cannot be used, as a fetch archives it. */
const cutFiles =
  (format: DayFormat) =>
  (sent: FetchedFiles): FetchedFiles => {
    const [[file, bytes] = ['', new Uint8Array()]] = sent;
    const [, danish, american] = DAY_NAME.exec(file) ?? [];
    const source = { day: (danish ?? american ?? '') as Day, file, version: 'one' };
    try {
      const cut = new DayCut(source, format);
      cut.push(bytes);
      return cut.end();
    } catch (error) {
      if (!(error instanceof RefusedReply)) throw error;
      const refused = { reason: error.reason, detail: error.message };
      const note = { ...source, refused, refusals: [], heard: {}, taken: { [source.day]: source.version } };
      return new Map([[DAY_FILE, writeDayNote(note)]]);
    }
  };

/** Each day is fetched three hours after its end. */
const dayReplies = (
  fixes: readonly GeneratedFix[],
  fileOf: (day: Day) => string,
  textOf: (text: string) => string = (text) => text,
): ArchivedFetch[] =>
  [...noaaDays(fixes, '2025')].map(({ day, text }) => ({
    fetchedAt: Date.parse(`${day}T00:00:00Z`) + DAY_MS + 3 * HOUR_MS,
    files: files({ [fileOf(day)]: textOf(text) }),
  }));

const DAYS = 6;

export function noaaBase(): PositionBase {
  const { source, format } = noaaAround([NORFOLK]);
  const replies = dayReplies(trafficOf(DAYS, 240, DAILY_VESSELS), (day) => `ais-${day}.csv`);
  return { source, replies, archived: cutFiles(format) };
}

const DANISH_HEADER =
  '# Timestamp,Type of mobile,MMSI,Latitude,Longitude,Navigational status,SOG,COG,Heading,IMO,Ship type';
const STATUSES = ['Under way using engine', 'At anchor', '', '', '', 'Moored'];

function danishText(text: string): string {
  const rows = text
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => {
      const [mmsi, time = '', longitude, latitude, sog, , heading] = row.split(',');
      const [type, status] = row.split(',').slice(-7);
      const [date = '', clock] = time.split(' ');
      const danish = date.split('-').reverse().join('/');
      const word = STATUSES[Number(status)] || 'Unknown value';
      const kind = Number(type) >= 80 ? 'Tanker' : Number(type) >= 70 ? 'Cargo' : 'Tug';
      return `${danish} ${clock},Class A,${mmsi},${latitude},${longitude},${word},${sog},0,${heading},Unknown,${kind}`;
    });
  return `${[DANISH_HEADER, ...rows].join('\n')}\n`;
}

export function dmaBase(): PositionBase {
  const boxes = (DANISH_FORMAT.regions.denmark ?? []).filter(({ ports }) => ports.includes('DKAAR'));
  const format = { ...DANISH_FORMAT, regions: { denmark: boxes } };
  const declaration = {
    ...dmaAis.declaration,
    boxes,
    regions: { denmark: ['DKAAR'] },
    ports: ['DKAAR'],
  };
  const reader = dayReader({ format, fileName: DAY_NAME });
  const traffic = movedTo(trafficOf(DAYS, 240, DAILY_VESSELS), 56.15, 10.22);
  const replies = dayReplies(traffic, (day) => `aisdk-${day}.csv`, danishText);
  return { source: { ...dmaAis, ...reader, declaration }, replies, archived: cutFiles(format) };
}

/** `features`: their properties, and the point, or the last one of a line, as `longitude` and `latitude`. */
export const featureLayout: Layout = {
  edit: (sent, _list, edit) =>
    mapFiles(sent, (text, name) => {
      if (!name.endsWith('.geojson')) return undefined;
      const { features, ...rest } = JSON.parse(text) as { features: Row[] };
      const rows = features.map(({ geometry, properties }): Row => {
        const { coordinates } = geometry as { coordinates: unknown[] };
        const [longitude, latitude] = (
          Array.isArray(coordinates[0]) ? coordinates.at(-1) : coordinates
        ) as unknown[];
        return { ...(properties as Row), longitude, latitude };
      });
      const featureOf = ({ longitude, latitude, ...properties }: Row): Row => ({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [longitude, latitude] },
        properties,
      });
      return JSON.stringify({ ...rest, features: edit(rows).map(featureOf) });
    }),
};

/** Rows of a text with the names of its columns in the first line. */
export const csvLayout: Layout = {
  edit: (sent, _list, edit) =>
    mapFiles(sent, (text) => {
      const [header = '', ...lines] = text.trimEnd().split('\n');
      const names = header.split(',');
      const rows = edit(
        lines.map((line): Row => {
          const cells = line.match(/"[^"]*"|[^,]+|(?<=,)(?=,|$)/g) ?? [];
          return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']));
        }),
      );
      const columns = Object.keys(rows[0] ?? Object.fromEntries(names.map((name) => [name, ''])));
      return `${[columns, ...rows.map((row) => columns.map((name) => row[name] ?? ''))].map((cells) => cells.join(',')).join('\n')}\n`;
    }),
};
