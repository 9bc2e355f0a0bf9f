/** Alerts across ports: which are listed, in what order and pages, and what a feed reader gets. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { XMLParser } from 'fast-xml-parser';
import * as z from 'zod/mini';
import { alertFeedRoute, type PortAlert } from '../../../../core/contracts/alerts.ts';
import type { Alert } from '../../../../core/metrics/figures.ts';
import { DAY_MS, formatInstant, HOUR_MS, type Instant } from '../../../../core/reference/time.ts';
import { type AlertFeed, createAlertFeed } from '../../../../core/store/alerts.ts';
import { type MemoryTable, memoryTables } from '../../../builders/memory-table.ts';
import { readHandlers } from '../../../builders/read-handlers.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const MIDNIGHT = Date.parse('2026-11-20T00:00:00Z');

const alertAt = (asOfAt: Instant, more: Partial<Alert> = {}): Alert => ({
  type: 'threshold',
  metric: 'at_anchor',
  severity: 'medium',
  changeFraction: 0.5,
  asOfAt,
  explain: 'at_anchor 9 is <at or above> 8 & "more".',
  ...more,
});

let tables: Record<'alertFeed', MemoryTable>;
let feed: AlertFeed;
beforeEach(() => {
  tables = memoryTables(['alertFeed']);
  feed = createAlertFeed(tables.alertFeed);
});

const ask = (query: Record<string, string> = {}) => readHandlers(tables, () => NOW).alertFeed({ query });
const listed = async (query: Record<string, string> = {}): Promise<PortAlert[]> =>
  JSON.parse((await ask(query)).body);
const idsOf = async (query: Record<string, string> = {}) => (await listed(query)).map(({ id }) => id);

describe('the list', () => {
  beforeEach(async () => {
    for (const port of ['USLAX', 'FIHEL'])
      await feed.update(
        port,
        [
          alertAt(MIDNIGHT),
          alertAt(MIDNIGHT - 2 * DAY_MS, { severity: 'high' }),
          alertAt(MIDNIGHT - 40 * DAY_MS, { severity: 'low' }),
        ],
        [],
      );
  });

  it('has the alerts of seven days, newest day first, by id within a day', async () => {
    const alerts = await listed();
    expect(z.safeParse(alertFeedRoute.response, alerts)).toMatchObject({ success: true });
    expect(alerts.map(({ id }) => id)).toEqual([
      '2026-11-19.FIHEL.at_anchor.threshold',
      '2026-11-19.USLAX.at_anchor.threshold',
      '2026-11-17.FIHEL.at_anchor.threshold',
      '2026-11-17.USLAX.at_anchor.threshold',
    ]);
    expect(alerts[1]).toMatchObject({ port: 'USLAX', country: 'US', as_of: '2026-11-20T00:00:00Z' });
  });

  it('is chosen by since, country and severity', async () => {
    expect(await idsOf({ since: '2026-11-18' })).toHaveLength(2);
    expect(await idsOf({ since: '2026-09-01' })).toHaveLength(6);
    expect(await idsOf({ country: 'FI', severity: 'high' })).toEqual([
      '2026-11-17.FIHEL.at_anchor.threshold',
    ]);
    expect(await idsOf({ severity: 'medium', since: '2026-09-01' })).toHaveLength(4);
    expect(await idsOf({ country: 'HK' })).toEqual([]);
    const refused: Record<string, string>[] = [
      { since: '2026-11-21' },
      { since: '2026-08-21' },
      { limit: '0' },
      { after: '7' },
    ];
    for (const query of refused) expect((await ask(query)).status).toBe(422);
  });

  it('is chosen by port, type and metric', async () => {
    await feed.update('FIHEL', [alertAt(MIDNIGHT, { type: 'unusual', metric: 'berthings' })], []);
    expect(await idsOf({ port: 'USLAX' })).toHaveLength(2);
    expect(await idsOf({ port: 'NLRTM' })).toEqual([]);
    expect(await idsOf({ type: 'unusual' })).toEqual(['2026-11-19.FIHEL.berthings.unusual']);
    expect(await idsOf({ metric: 'berthings' })).toEqual(['2026-11-19.FIHEL.berthings.unusual']);
    expect(await idsOf({ port: 'USLAX', metric: 'berthings' })).toEqual([]);
    const refused: Record<string, string>[] = [{ port: 'uslax' }, { type: 'rise' }, { metric: 'score' }];
    for (const query of refused) expect((await ask(query)).status).toBe(422);
  });

  it('without an alert is an Atom feed of today', async () => {
    const { body } = await ask({ country: 'HK', format: 'atom' });
    expect(body).toContain('<updated>2026-11-20T00:00:00Z</updated>');
  });

  it('comes in pages that have every alert once', async () => {
    const whole = await idsOf({ since: '2026-09-01' });
    const paged: string[] = [];
    for (let page = await idsOf({ since: '2026-09-01', limit: '1' }); page.length > 0; ) {
      paged.push(...page);
      page = await idsOf({ since: '2026-09-01', limit: '1', after: page.at(-1) ?? '' });
    }
    expect(paged).toEqual(whole);
  });
});

describe('an alert', () => {
  it('of the running day keeps its id while its observation moves, and when the day ends', async () => {
    const seen = [9, 10, 24].map((hour) => alertAt(MIDNIGHT + hour * HOUR_MS));
    for (const [at, alert] of seen.entries()) {
      await feed.update('USLAX', [alert], seen.slice(0, at).slice(-1));
      expect(await listed()).toMatchObject([{ id: '2026-11-20.USLAX.at_anchor.threshold' }]);
    }
    expect((await tables.alertFeed.scan()).length).toBe(1);
  });

  it('that was raised again after an interruption stays in the feed', async () => {
    const [old, current] = [alertAt(MIDNIGHT + HOUR_MS), alertAt(MIDNIGHT + 2 * HOUR_MS)];
    await feed.update('USLAX', [old, current], []);
    await feed.update('USLAX', [current], [old, current]);
    expect(await idsOf()).toHaveLength(1);
  });

  it('of a day that has another one of its metric and type gives way to the later one, and comes back with its end', async () => {
    const [first, second] = [3, 17].map((hour) => alertAt(MIDNIGHT + hour * HOUR_MS)) as [Alert, Alert];
    const asOf = async () => (await listed()).map(({ as_of }) => as_of);
    await feed.update('USLAX', [second, first], []);
    expect(await asOf()).toEqual([formatInstant(second.asOfAt)]);
    await feed.update('USLAX', [first], [second, first]);
    expect(await asOf()).toEqual([formatInstant(first.asOfAt)]);
  });

  it('that is withdrawn leaves the feed', async () => {
    await feed.update('USLAX', [alertAt(MIDNIGHT)], []);
    await feed.update('USLAX', [], [alertAt(MIDNIGHT)]);
    expect(await listed()).toEqual([]);
  });
});

describe('a feed', () => {
  it.each(['atom', 'jsonfeed'])(
    'in the format %s has stable ids, a tag, and links to the port',
    async (format) => {
      const empty = await ask({ format });
      await feed.update('USLAX', [alertAt(MIDNIGHT)], []);
      const { body, etag } = await ask({ format });
      expect(etag).not.toBe(empty.etag);
      expect((await ask({ format })).etag).toBe(etag);
      const id = 'tag:port-congestion-data-service,2026:alerts/2026-11-19.USLAX.at_anchor.threshold';
      const text = alertAt(MIDNIGHT).explain;
      if (format === 'jsonfeed')
        expect(JSON.parse(body)).toMatchObject({
          version: 'https://jsonfeed.org/version/1.1',
          home_page_url: 'http://data.example/dev/',
          feed_url: 'http://data.example/dev/v1/alerts?format=jsonfeed',
          items: [
            {
              id,
              url: 'http://data.example/dev/?port=USLAX',
              content_text: text,
              date_modified: '2026-11-20T00:00:00Z',
            },
          ],
        });
      else {
        const { feed } = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(body);
        expect(feed).toMatchObject({
          xmlns: 'http://www.w3.org/2005/Atom',
          updated: '2026-11-20T00:00:00Z',
          entry: {
            id,
            link: { rel: 'alternate', href: 'http://data.example/dev/?port=USLAX' },
            content: { '#text': text },
          },
        });
      }
    },
  );

  it('has a self, an id and a title of its own for each set of filters', async () => {
    const query = { country: 'US', severity: 'medium', since: '2026-11-18' };
    const json = JSON.parse((await ask({ ...query, format: 'jsonfeed' })).body);
    expect(json).toMatchObject({
      title: 'Port Congestion Data Service: alerts, country=US, severity=medium',
      feed_url:
        'http://data.example/dev/v1/alerts?since=2026-11-18&country=US&severity=medium&format=jsonfeed',
    });
    const { feed: atom } = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(
      (await ask({ ...query, format: 'atom' })).body,
    );
    expect(atom).toMatchObject({
      id: 'tag:port-congestion-data-service,2026:alerts?country=US&severity=medium',
      title: json.title,
      link: [
        { rel: 'self', href: json.feed_url.replace('jsonfeed', 'atom') },
        { rel: 'alternate', href: json.home_page_url },
      ],
    });
  });
});
