/** The engine on a real hour of New York, with the ports of the live source that serves it, beside stays judged by hand. */
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { CsvPositions, NOAA_LAYOUT } from '../../../core/positions/decoders/csv-positions.ts';
import { Engine } from '../../../core/positions/engine.ts';
import { DEFAULT_PARAMETERS } from '../../../core/positions/fix.ts';
import { stayPorts } from '../../../core/positions/port-areas.ts';
import { trackStays } from '../../../core/positions/vessel-calls.ts';
import { PORTS } from '../../../core/reference/ports.ts';
import { MINUTE_MS, parseInstant } from '../../../core/reference/time.ts';
import { NOAA_FORMAT } from '../../../core/sources/noaa-marinecadastre-ais/source.ts';
import { OPEN_WATERS_FEED } from '../../../core/sources/open-waters-ais/source.ts';
import { decompressor } from '../../../core/upstream/files/compression.ts';
import { RECORDINGS } from '../../builders/recordings.ts';

const FOLDER = `${RECORDINGS}noaa-new-york/`;
const END = Date.parse('2020-06-30T01:00:00Z') / 1000;
const TOLERANCE_MS = 15 * MINUTE_MS;

/** What a vessel did, by hand; a time is absent where its rows begin or end within the stay. */
const judged = (parse(readFileSync(`${FOLDER}judged.csv`), { columns: true }) as Record<string, string>[])
  .filter(({ file }) => file === 'hour')
  .map(({ mmsi, kind, from = '', to = '', counts }) => ({
    mmsi: Number(mmsi),
    kind,
    fromAt: parseInstant(from),
    toAt: parseInstant(to),
    isMerchant: counts === 'yes',
  }));

function foundStays() {
  const engine = new Engine({ latest: END });
  const reader = new CsvPositions(NOAA_LAYOUT, (fix) => engine.push(fix));
  const file = 'ais-2020-06-30.csv.zst';
  const content = decompressor(file, (chunk) => reader.push(chunk), NOAA_FORMAT.limits);
  content.push(readFileSync(FOLDER + file));
  content.end();
  reader.end();
  engine.flush();
  const parts = {
    parameters: DEFAULT_PARAMETERS,
    anchorageAreas: OPEN_WATERS_FEED.anchorageAreas,
    ports: stayPorts(PORTS, OPEN_WATERS_FEED.boxes),
    approaches: OPEN_WATERS_FEED.approaches ?? [],
  };
  return [...engine.vessels.values()]
    .filter((vessel) => vessel.class === 'cargo')
    .flatMap(({ mmsi, tracks }) =>
      tracks.flatMap((track) =>
        trackStays(track, END, parts).map(({ kind, port, start, end = END }) => ({
          mmsi,
          kind,
          port,
          fromAt: start * 1000,
          toAt: end * 1000,
        })),
      ),
    );
}

const isNear = (at: number, judgedAt: number | undefined): boolean =>
  judgedAt === undefined || Math.abs(at - judgedAt) <= TOLERANCE_MS;

it('finds no stay that was not judged, and 22 of 28 merchant stays right: vessel, kind, port and times', () => {
  const found = foundStays();
  const judgedOf = (stay: (typeof found)[number]) =>
    judged.filter(
      ({ mmsi, kind, fromAt = 0, toAt = Number.POSITIVE_INFINITY }) =>
        mmsi === stay.mmsi && kind !== 'none' && fromAt < stay.toAt && stay.fromAt < toAt,
    );
  expect(found.filter((stay) => judgedOf(stay).length === 0)).toEqual([]);
  expect(judged.filter(({ isMerchant }) => isMerchant)).toHaveLength(28);
  const right = found.filter((stay) =>
    judgedOf(stay).some(
      ({ isMerchant, kind, fromAt, toAt }) =>
        isMerchant &&
        stay.port !== undefined &&
        stay.kind === kind &&
        isNear(stay.fromAt, fromAt) &&
        isNear(stay.toAt, toAt),
    ),
  );
  expect(right).toHaveLength(22);
});
