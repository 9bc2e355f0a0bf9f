/** The result of learning places from an archive: the new table, its figures, and why it may not be written. */
import { DEGREE } from '../../core/positions/geometry.ts';
import { CELL_METRES, type Place, type PlaceTable } from '../../core/positions/places.ts';
import type { StaySurvey } from './closed-stays.ts';
import { type ClosedStay, learnPlaces, splitHalfAgreement } from './learn-places.ts';

/** Two tables of half of the vessels each must give the same label to this share of the places. */
const MIN_AGREEMENT = 0.95;
/** Fewer common places are too few to compare. */
const MIN_JUDGED = 20;
/** Places that fewer vessels have used are left out of the GeoJSON. */
const MIN_SHOWN_VESSELS = 20;

export interface Lesson {
  readonly table: PlaceTable;
  /** One line a figure. */
  readonly figures: readonly string[];
  /** Why the table may not replace the one before. */
  readonly refusal: string | undefined;
}

const count = <T>(all: readonly T[], is: (item: T) => boolean): number => all.filter(is).length;

/** `USLAX 12, USLGB 3`: vessels that waited, by the port of their next berth, the most frequent first. */
function nextPorts(stays: readonly ClosedStay[]): string {
  const ports = new Map<string, number>();
  for (const { nextPort } of stays)
    if (nextPort !== undefined) ports.set(nextPort, (ports.get(nextPort) ?? 0) + 1);
  const ranked = [...ports].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return ranked.length === 0 ? 'none' : ranked.map(([port, waits]) => `${port} ${waits}`).join(', ');
}

const placeKey = ({ latitude, longitude }: Place): string => `${latitude} ${longitude}`;

function changesSince(before: PlaceTable, table: PlaceTable): string {
  const [old, now] = [before, table].map(
    ({ places }) => new Map(places.map((place) => [placeKey(place), place.label])),
  ) as [Map<string, Place['label']>, Map<string, Place['label']>];
  const added = count([...now.keys()], (key) => !old.has(key));
  const gone = count([...old.keys()], (key) => !now.has(key));
  const relabelled = count([...now], ([key, label]) => old.has(key) && old.get(key) !== label);
  return `since ${before.version}: ${added} new, ${gone} gone, ${relabelled} with another label`;
}

/** Learns from a survey. Labels of the table `before` hold where the stays do not clearly disagree. */
export function lesson({ stays, fetches, leftOut }: StaySurvey, before: PlaceTable): Lesson {
  const table = learnPlaces(stays, before);
  const { places } = table;
  const agreement = splitHalfAgreement(stays);
  const isJudged = agreement.places >= MIN_JUDGED;
  const vessels = new Set(stays.map(({ mmsi }) => mmsi)).size;
  const labelled = (label: Place['label']): number => count(places, (place) => place.label === label);
  const figures = [
    `${fetches} fetches, ${leftOut} left out`,
    `${stays.length} closed stays of ${vessels} cargo vessels: ${count(stays, ({ kind }) => kind === 'berth')} berths, ${count(stays, ({ kind }) => kind === 'wait')} waits`,
    `${places.length} places of ${CELL_METRES} m: ${labelled('berth')} berths, ${labelled('wait')} waits, ${labelled(undefined)} undecided; ${count(places, isShown)} with ${MIN_SHOWN_VESSELS} vessels or more`,
    isJudged
      ? `halves of the vessels agree on ${agreement.share.toFixed(3)} of ${agreement.places} places`
      : `halves of the vessels cannot be compared: both label ${agreement.places} places, ${MIN_JUDGED} are needed`,
    `next berth of waits: ${nextPorts(stays)}`,
    changesSince(before, table),
  ];
  return { table, figures, refusal: refusal(places, before, isJudged ? agreement.share : undefined) };
}

/** `agreement` is undefined where there are too few places to judge: then only an empty table is replaced. */
function refusal(
  places: readonly Place[],
  before: PlaceTable,
  agreement: number | undefined,
): string | undefined {
  if (places.length === 0) return 'no place has stays of three vessels: use more days of the archive';
  if (agreement === undefined && before.places.length > 0)
    return `too few places to judge, and the table before has ${before.places.length}: use more days of the archive`;
  if (agreement !== undefined && agreement < MIN_AGREEMENT)
    return (
      `the halves of the vessels agree on ${agreement.toFixed(3)} of the places, ${MIN_AGREEMENT} are required: ` +
      'use more days of the archive, or look for a fault in the positions of these days'
    );
  return undefined;
}

const isShown = ({ vessels }: Place): boolean => vessels >= MIN_SHOWN_VESSELS;

/** The places that may be shown, as GeoJSON points. */
export function geojson({ version, places }: PlaceTable): string {
  const features = places.filter(isShown).map((place) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [place.longitude / DEGREE, place.latitude / DEGREE] },
    properties: {
      label: place.label ?? null,
      vessels: place.vessels,
      next_ports: Object.fromEntries(place.nextPorts),
    },
  }));
  return `${JSON.stringify({ type: 'FeatureCollection', version, features })}\n`;
}
