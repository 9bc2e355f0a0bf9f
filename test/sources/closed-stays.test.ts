/** Closed stays of archived polls and days, as places are learned from them. */
import { describe, expect, it } from '@jest/globals';
import type { ClosedStay } from '../../core/ais/learn-places.ts';
import { endOfDay } from '../../core/reference/time.ts';
import { surveyStays } from '../../core/sources/closed-stays.ts';
import { noaaMarinecadastreAis } from '../../core/sources/noaa-marinecadastre-ais/source.ts';
import { PORT_BOXES } from '../../core/sources/open-waters-ais/ports.ts';
import { openWatersAis } from '../../core/sources/open-waters-ais/source.ts';
import type { ArchivedFetch, FixReader, Source } from '../../core/sources/source.ts';
import { noaaDays } from '../ais-accuracy/day-files.ts';
import { livePolls } from '../ais-accuracy/live-polls.ts';
import { roadsteadWorld } from '../ais-accuracy/roadstead-world.ts';
import { files } from './open-waters-ais/polls.ts';

const startAt = Date.UTC(2026, 0, 5);
const [days, HOUR_MS] = [3, 3_600_000];
/** Its fixes can be read once. */
const world = () => roadsteadWorld({ seed: 21, startAt, days, vessels: 40, fixSeconds: 300, hard: false });

async function* inTurn(fetches: Iterable<ArchivedFetch>): AsyncGenerator<ArchivedFetch> {
  yield* fetches;
}

const readerOf = ({ fixes }: Source): FixReader => {
  if (fixes === undefined) throw new Error('no source of positions');
  return fixes;
};

/** True stays at the ports that lie inside the data, with a margin, by vessel. */
function expectTruth(stays: readonly ClosedStay[], ports: ReadonlySet<string>): void {
  const [from, to] = [startAt + HOUR_MS, startAt + days * 24 * HOUR_MS - HOUR_MS];
  const stated = world().truth;
  const truth = stated.filter(
    (stay) => !stay.shared && ports.has(stay.port) && stay.startAt > from && stay.endAt < to,
  );
  expect(truth.length).toBeGreaterThan(20);
  const found = truth.filter(({ mmsi, kind }) =>
    stays.some((stay) => stay.mmsi === mmsi && stay.kind === kind),
  );
  expect(found.length / truth.length).toBeGreaterThanOrEqual(0.95);
  const waits = stays.filter(({ kind, nextPort }) => kind === 'wait' && nextPort !== undefined);
  expect(waits.length).toBeGreaterThan(3);
  const right = waits.filter(({ mmsi, nextPort }) =>
    stated.some((stay) => stay.mmsi === mmsi && stay.kind === 'wait' && stay.port === nextPort),
  );
  expect(right.length / waits.length).toBeGreaterThanOrEqual(0.9);
  expect(stays.filter(({ kind, nextPort }) => kind === 'berth' && nextPort !== undefined)).toEqual([]);
}

describe('stays of archived polls', () => {
  const polls = [...livePolls(world(), { startAt, days, everyMinutes: 15, boxes: PORT_BOXES })];
  const reader = readerOf(openWatersAis);

  it('are those of the truth', async () => {
    const survey = await surveyStays(reader, inTurn(polls));
    expect(survey).toMatchObject({ fetches: polls.length, leftOut: 0 });
    expectTruth(survey.stays, new Set(['USLAX', 'USLGB', 'USHOU', 'USNYC', 'USSAV']));
  });

  it('leave out polls that cannot be used and those that are not newer, and stop at none', async () => {
    const [first, second, ...rest] = polls.slice(0, 40);
    if (first === undefined || second === undefined) throw new Error('no polls');
    const web = { ...second, files: files({ 'vessels-1.geojson': '<html>' }) };
    const survey = await surveyStays(reader, inTurn([first, web, first, ...rest]));
    expect(survey).toMatchObject({ fetches: 41, leftOut: 2 });
  });
});

describe('stays of archived days', () => {
  const reader = readerOf(noaaMarinecadastreAis);
  const fetches = [...noaaDays(world().fixes, '2025')].map(({ day, text }) => ({
    fetchedAt: endOfDay(day),
    files: files({ [`ais-${day}.csv`]: text }),
  }));

  it('are those of the truth, and a day that comes again counts once', async () => {
    const survey = await surveyStays(reader, inTurn(fetches));
    expect(survey).toMatchObject({ fetches: days, leftOut: 0 });
    expectTruth(survey.stays, new Set(['USOAK', 'USSEA', 'USORF']));
    const [first] = fetches;
    if (first === undefined) throw new Error('no days');
    const once = await surveyStays(reader, inTurn([first]));
    const twice = await surveyStays(reader, inTurn([first, first]));
    expect(twice).toEqual({ ...once, fetches: 2, leftOut: 1 });
  });
});
