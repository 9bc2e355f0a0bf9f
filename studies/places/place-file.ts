/** The file of a table of places, `places.json` beside a source. */
import { createHash } from 'node:crypto';
import { DEGREE } from '../../core/positions/geometry.ts';
import { CELL_METRES, type Place, type PlaceTable } from '../../core/positions/places.ts';

/** Increased when the format of the file changes. */
const FORMAT = 1;

const degrees = (value: number): string => (value / DEGREE).toFixed(5);

function toText({ latitude, longitude, vessels, berths, waits, label, nextPorts }: Place): string {
  const ports = [...nextPorts].map(([port, count]) => `${port}:${count}`);
  return [degrees(latitude), degrees(longitude), vessels, berths, waits, label ?? 'open', ...ports].join(' ');
}

export const toTable = (places: readonly Place[]): PlaceTable => ({
  version: createHash('sha256')
    .update([`${FORMAT} ${CELL_METRES}`, ...places.map(toText)].join('\n'))
    .digest('hex')
    .slice(0, 16),
  places,
});

/** An empty table. */
export const NO_PLACES: PlaceTable = toTable([]);

/** The content of the file of a table, one place a line. */
export function writePlaces({ places }: PlaceTable): string {
  const { version } = toTable(places);
  const content = { format: FORMAT, cellMetres: CELL_METRES, version, places: places.map(toText) };
  return `${JSON.stringify(content, null, 2)}\n`;
}
