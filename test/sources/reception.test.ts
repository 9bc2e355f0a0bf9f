/** The reception of ports in archived polls and days, as `npm run reception` shows it. */
import { describe, expect, it } from '@jest/globals';
import { fixedDegrees } from '../../core/ais/fix.ts';
import { BORDER_DEGREES, isInside } from '../../core/ais/port-areas.ts';
import { addCoverage, type Coverage } from '../../core/calls/coverage.ts';
import type { CallBatch } from '../../core/calls/observation.ts';
import { DAY_MS, endOfDay, HOUR_MS } from '../../core/reference/time.ts';
import { noaaMarinecadastreAis } from '../../core/sources/noaa-marinecadastre-ais/source.ts';
import { openWatersAis } from '../../core/sources/open-waters-ais/source.ts';
import { surveyReception } from '../../core/sources/reception.ts';
import type { ArchivedFetch, FixReader, Source } from '../../core/sources/source.ts';
import { noaaDays } from '../ais-accuracy/day-files.ts';
import { livePolls } from '../ais-accuracy/live-polls.ts';
import { roadsteadWorld } from '../ais-accuracy/roadstead-world.ts';
import type { GeneratedFix } from '../ais-accuracy/world-types.ts';
import { BOXES, collection, files, stepsOver } from './open-waters-ais/polls.ts';

const startAt = Date.UTC(2026, 0, 5);
const days = 2;
const world = () => roadsteadWorld({ seed: 21, startAt, days, vessels: 40, fixSeconds: 300, hard: false });

async function* inTurn(fetches: Iterable<ArchivedFetch>): AsyncGenerator<ArchivedFetch> {
  yield* fetches;
}

const survey = ({ declaration, fixes }: Source, fetches: readonly ArchivedFetch[]) =>
  surveyReception(fixes as FixReader, declaration.ports, inTurn(fetches));

const isNear = (port: string, { latitude, longitude }: GeneratedFix): boolean =>
  BOXES.some(
    (box) =>
      box.ports.includes(port) &&
      isInside(box, { latitude: fixedDegrees(latitude), longitude: fixedDegrees(longitude) }, BORDER_DEGREES),
  );

describe('the reception of ports in polls', () => {
  const outageAt = startAt + DAY_MS;
  const polls = [
    ...livePolls(world(), {
      startAt,
      days,
      everyMinutes: 15,
      boxes: BOXES,
      // USSAV is never heard, and USNYC on the first day only.
      isHidden: (fix, at) => isNear('USSAV', fix) || (at > outageAt && isNear('USNYC', fix)),
    }),
  ];

  it('shows a port that is never heard and one that has fallen silent', async () => {
    const { ports, fetches, leftOut, readMs } = await survey(openWatersAis, polls);
    expect([fetches, leftOut]).toEqual([polls.length, 0]);
    expect(readMs).toBe(days * DAY_MS - HOUR_MS / 4);
    expect(ports.map(({ port }) => port).sort()).toEqual([...openWatersAis.declaration.ports].sort());
    const of = (locode: string) => ports.find(({ port }) => port === locode);
    expect(of('USSAV')).toEqual({ port: 'USSAV', usual: 0, share: 0, lastAt: undefined, isReached: false });
    expect(of('USNYC')).toMatchObject({ lastAt: outageAt, isReached: false });
    expect(of('USNYC')?.share).toBeCloseTo(0.5, 1);
    expect(of('USNYC')?.usual).toBeGreaterThan(1);
    expect(of('USLAX')).toMatchObject({ share: 1, lastAt: startAt + days * DAY_MS, isReached: true });
    expect(ports.at(0)?.share).toBe(0);
    expect(ports.at(-1)?.share).toBe(1);
  });

  it('is the coverage that the steps give', async () => {
    const { ports, readMs } = await survey(openWatersAis, polls);
    const batches = [...stepsOver(polls)].flatMap(({ reports }) => reports as CallBatch[]);
    const coverages = new Map<string, Coverage>();
    for (const { port, coveredFromAt: fromAt, observedAt: toAt } of batches)
      coverages.set(port, addCoverage(coverages.get(port) ?? [], { fromAt, toAt }));
    expect([...coverages.keys()]).toEqual(expect.arrayContaining(['USHOU', 'USLAX', 'USLGB', 'USNYC']));
    for (const { port, share, lastAt } of ports) {
      const coverage = coverages.get(port) ?? [];
      const coveredMs = coverage.reduce((sum, { fromAt, toAt }) => sum + toAt - fromAt, 0);
      expect([port, Math.round(share * readMs), lastAt]).toEqual([port, coveredMs, coverage.at(-1)?.toAt]);
    }
  });

  it('leaves out polls that cannot be used, silent ones and those that are not newer', async () => {
    const [first, second, third, ...rest] = polls;
    if (first === undefined || second === undefined || third === undefined) throw new Error('no polls');
    const web = { ...second, files: files({ 'vessels-1.geojson': '<html>' }) };
    const silent = { ...third, files: files({ 'vessels-1.geojson': collection([]) }) };
    const { fetches, leftOut, ports } = await survey(openWatersAis, [first, web, silent, first, ...rest]);
    expect([fetches, leftOut]).toEqual([polls.length + 1, 3]);
    // An outage of the upstream is not one of the port.
    expect(ports.find(({ port }) => port === 'USLAX')).toMatchObject({ share: 1, isReached: true });
  });

  it('judges no port by less than a day', async () => {
    const { ports } = await survey(openWatersAis, polls.slice(0, 90));
    expect(new Set(ports.map(({ isReached }) => isReached))).toEqual(new Set([undefined]));
  });
});

it('the reception of ports in days is in vessel-hours, and a day counts once', async () => {
  const fetches = [...noaaDays(world().fixes, '2025')].map(({ day, text }) => ({
    fetchedAt: endOfDay(day),
    files: files({ [`ais-${day}.csv`]: text }),
  }));
  const once = await survey(noaaMarinecadastreAis, fetches);
  expect(once).toMatchObject({ fetches: days, leftOut: 0, readMs: days * DAY_MS });
  const seattle = once.ports.find(({ port }) => port === 'USSEA');
  expect(seattle).toMatchObject({ share: 1, lastAt: startAt + days * DAY_MS, isReached: true });
  expect(seattle?.usual).toBeGreaterThan(24);
  expect(once.ports.filter(({ usual }) => usual === 0).every(({ isReached }) => isReached === false)).toBe(
    true,
  );
  const again = await survey(noaaMarinecadastreAis, [...fetches, ...fetches.slice(0, 1)]);
  expect(again).toEqual({ ...once, fetches: days + 1, leftOut: 1 });
});
