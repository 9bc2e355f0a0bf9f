/** `GET /v1/alerts`. Ours, not part of the interface specification. */
import { describe, expect, it } from '@jest/globals';
import Parser from 'rss-parser';
import type { Alert, PortAlert } from '../../core/contracts/alerts.ts';
import { dayOf } from '../../core/reference/time.ts';
import { get, PORT_WITH_ALERTS as PORT, serviceNow, serviceUrl } from './service.ts';
import { expectError } from './statements.ts';

const SINCE = new Date(serviceNow() - 40 * 86_400_000).toISOString().slice(0, 10);
const path = (query = ''): string => `/v1/alerts?since=${SINCE}${query}`;
const listed = async (query = ''): Promise<PortAlert[]> => (await get(path(query))).json();
/** The midnight at which a day ends belongs to it. */
const idOf = ({ as_of, metric, type }: Alert): string =>
  `${dayOf(Date.parse(as_of) - 1)}.${PORT}.${metric}.${type}`;

describe('4. The alerts of all ports', () => {
  it('[S2.48] [S4.73] has each alert of each port, with an id of its own, newest day first', async () => {
    const alerts = await listed();
    const days = alerts.map(({ id }) => id.slice(0, 10));
    expect(days).toEqual([...days].sort().reverse());
    expect(new Set(alerts.map(({ id }) => id)).size).toBe(alerts.length);
    const own = (await get(`/v1/ports/${PORT}/alerts?window=30d`)).json<Alert[]>();
    expect(own.length).toBeGreaterThan(0);
    // An alert that changed during its day has one id, and its newest state in the feed.
    const newest = new Map(own.reverse().map((alert) => [idOf(alert), alert]));
    for (const [id, alert] of newest)
      expect(alerts.find((listed) => listed.id === id)).toEqual({
        id,
        port: PORT,
        country: PORT.slice(0, 2),
        ...alert,
      });
  });

  it('[S4.73] "country" and "severity" select, "limit" and "after" make pages; other values are 422', async () => {
    const alerts = await listed();
    const high = await listed('&severity=high&country=US');
    expect(high).toEqual(alerts.filter(({ country, severity }) => country === 'US' && severity === 'high'));
    const first = await listed('&limit=2');
    expect([...first, ...(await listed(`&after=${first.at(-1)?.id}`))]).toEqual(alerts);
    for (const query of ['country=us', 'severity=grave', 'limit=501', 'after=1', 'since=2999-01-01'])
      expectError(await get(`/v1/alerts?${query}`), 422, 'validation_failed');
  });

  it('[S2.49] [S4.74] the same as Atom and JSON Feed, whose entries keep their ids, with 304', async () => {
    const alerts = await listed();
    const types = { atom: 'application/atom+xml', jsonfeed: 'application/feed+json' };
    for (const [format, type] of Object.entries(types)) {
      const { text, headers } = await get(path(`&format=${format}`));
      expect(headers['content-type']).toBe(type);
      for (const { id, port } of alerts) {
        expect(text).toContain(`tag:port-congestion-data-service,2026:alerts/${id}`);
        expect(text).toContain(`${serviceUrl()}/?port=${port}"`);
      }
      const again = await get(path(`&format=${format}`), {
        headers: { 'If-None-Match': headers.etag ?? '' },
      });
      expect([again.status, again.text]).toEqual([304, '']);
    }
  });

  it('the Atom feed is what rss-parser reads: its page, its own address and each entry', async () => {
    const query = path('&severity=high&format=atom');
    const feed = await new Parser().parseString((await get(query)).text);
    const alerts = await listed('&severity=high');
    expect(feed).toMatchObject({
      title: 'Port Congestion Data Service: alerts, severity=high',
      link: `${serviceUrl()}/`,
      feedUrl: expect.stringContaining('severity=high'),
    });
    expect(feed.items.map(({ link, isoDate, content }) => [link, isoDate, content])).toEqual(
      alerts.map(({ port, as_of, explain }) => [
        `${serviceUrl()}/?port=${port}`,
        as_of.replace('Z', '.000Z'),
        explain,
      ]),
    );
  });
});
