/** The requests of a poll, and what is archived when the feed fails: through the real network client, over loopback. */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { PortBox } from '../../../core/reference/port-boxes.ts';
import {
  openWatersAisDeclaration as declaration,
  POLLED_AREAS,
  planRequests,
} from '../../../core/sources/open-waters-ais/declaration.ts';
import { fetchVessels } from '../../../core/sources/open-waters-ais/source.ts';
import { collection } from '../../builders/geojson-feed.ts';
import {
  closeUpstreams,
  publishedUpstream,
  slowTurn,
  type Turn,
  turns,
} from '../../builders/scripted-upstream.ts';
import { fetchContext } from '../../builders/source-replies.ts';

afterEach(closeUpstreams);

const PUBLISHED = 'https://ais.openwaters.io';
/** What the publisher allows without a key: square degrees a request, and requests a minute. */
const ALLOWED_DEGREES = 100;
const ALLOWED_REQUESTS = 120;

const areaOf = ({ south, west, north, east }: Pick<PortBox, 'south' | 'west' | 'north' | 'east'>): number =>
  (north - south) * (east - west);

interface Script {
  /** Replies to the requests for vessels, in turn; the last one is repeated. */
  readonly vessels?: readonly Turn[];
  readonly health?: Turn;
}

/** The feed on loopback. */
async function feed({ vessels = [turns.ok(collection([]))], health = turns.ok('ok') }: Script = {}) {
  let asked = 0;
  const turn: Turn = (request, response) => {
    if (request.url === '/health') return health(request, response);
    const next = vessels[Math.min(asked, vessels.length - 1)];
    asked += 1;
    next?.(request, response);
  };
  const { upstream, http } = await publishedUpstream(PUBLISHED, declaration, [turn]);
  const poll = () => fetchVessels(fetchContext(http));
  const urls = (): URL[] => upstream.requests.map(({ url }) => new URL(url, PUBLISHED));
  return { upstream, poll, urls };
}

const vesselRequests = (urls: readonly URL[]): URL[] => urls.filter(({ pathname }) => pathname !== '/health');

const boxesIn = (url: URL) =>
  url.searchParams.getAll('bbox').map((text) => {
    const [south = Number.NaN, west = Number.NaN, north = Number.NaN, east = Number.NaN] = text
      .split(',')
      .map(Number);
    return { south, west, north, east };
  });

const textOf = (files: ReadonlyMap<string, Uint8Array>, name: string): string =>
  Buffer.from(files.get(name) ?? []).toString('utf8');

describe('the requests of a poll', () => {
  it('ask for each shipped area once, south and west first, and for nothing older than 30 minutes', async () => {
    const { poll, urls } = await feed();
    await poll();
    const requests = vesselRequests(urls());
    const shipped = POLLED_AREAS.map(({ south, west, north, east }) => ({ south, west, north, east }));
    expect(requests.flatMap(boxesIn)).toEqual(shipped);
    for (const { pathname, searchParams } of requests) {
      expect(pathname).toBe('/v1/vessels');
      const { bbox: _, ...parameters } = Object.fromEntries(searchParams);
      expect(parameters).toEqual({ kind: 'vessel', class: 'A', max_age: '30m', max_age_moving: '30m' });
    }
  });

  it('stay within what the publisher allows, and are as many as the README says', async () => {
    const { poll, urls } = await feed();
    await poll();
    const requests = vesselRequests(urls());
    for (const request of requests) {
      const degrees = boxesIn(request).reduce((sum, box) => sum + areaOf(box), 0);
      expect(degrees).toBeLessThanOrEqual(ALLOWED_DEGREES);
    }
    const total = POLLED_AREAS.reduce((sum, box) => sum + areaOf(box), 0);
    expect(requests.length).toBeGreaterThanOrEqual(Math.ceil(total / ALLOWED_DEGREES));
    expect(urls().length).toBe(requests.length + 1);
    expect(urls().length).toBeLessThan(ALLOWED_REQUESTS);
    const perDay = (urls().length * 24 * 60) / declaration.everyMinutes;
    const readme = readFileSync('core/sources/open-waters-ais/README.md', 'utf8');
    expect(readme).toContain(`${perDay.toLocaleString('en')} a day`);
  });

  it('start a new one where the next box would be too much', () => {
    const box = (degrees: number): PortBox => ({
      ports: [],
      neighbours: [],
      south: 0,
      west: 0,
      north: 1,
      east: degrees,
    });
    const areas = (degrees: readonly number[]) =>
      planRequests(degrees.map(box), 10).map((boxes) => boxes.map(areaOf));
    expect(areas([4, 6, 1, 10, 3])).toEqual([[4, 6], [1], [10], [3]]);
    expect(areas([])).toEqual([]);
  });

  it('are sent one at a time, with the product and the contact of the stage', async () => {
    const { counts, turn } = slowTurn(collection([]));
    const { poll, upstream } = await feed({ vessels: [turn], health: turn });
    await poll();
    expect(counts.most).toBe(1);
    expect(new Set(upstream.requests.map(({ headers }) => headers['user-agent']))).toEqual(
      new Set(['port-congestion-data-service/0.1 (ops@example.com)']),
    );
  });
});

describe('the files of a poll', () => {
  it('are the unchanged replies in the order of the requests, and the health', async () => {
    const replies = planRequests(POLLED_AREAS, 1).map((_, index) => collection([], { index }));
    const { poll, urls } = await feed({ vessels: replies.map((reply) => turns.ok(reply)) });
    const files = await poll();
    const count = vesselRequests(urls()).length;
    expect([...files.keys()]).toEqual([
      ...Array.from({ length: count }, (_, index) => `vessels-${index + 1}.geojson`),
      'health.txt',
    ]);
    for (let index = 0; index < count; index += 1)
      expect(textOf(files, `vessels-${index + 1}.geojson`)).toBe(replies[index]);
    expect(textOf(files, 'health.txt')).toBe('ok\n');
  });

  it.each([
    ['responds with 404', turns.status(404, {}, 'no such page'), /^status 404: no such page\n$/],
    [
      'responds with 503 to every attempt',
      turns.status(503, {}, 'kystverket silent'),
      /\/health: status 503\n$/,
    ],
    ['breaks the connection', turns.reset(), /\/health: .+\n$/],
  ])('say why the feed is unhealthy when its health %s', async (_what, health, text) => {
    const { poll } = await feed({ health });
    const files = await poll();
    expect(files.has('vessels-1.geojson')).toBe(true);
    expect(textOf(files, 'health.txt')).toMatch(text);
  });
});

describe('a request for vessels', () => {
  const good = turns.ok(collection([]));

  it('fails the poll when the second request is refused: half of the boxes does not count', async () => {
    const { poll } = await feed({ vessels: [good, turns.status(400)] });
    await expect(poll()).rejects.toThrow('vessels-2.geojson: status 400');
  });
});
