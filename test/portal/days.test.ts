/** The days in a browser: headline, chart, slider, map, list and cards as they were known, from keyless files alone. */
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { PortRecord } from '../../core/contracts/ports.ts';
import {
  DAY_FIGURES,
  type KnownDays,
  type KnownMonth,
  type Stop,
} from '../../core/contracts/published-files.ts';
import { daysBetween } from '../../core/reference/time.ts';
import { describeInBrowser, textOf, watched } from './browser.ts';
import { bodyOf } from './portal.ts';

const PORT = 'USLAX';
const [FIRST, LAST] = ['2026-10-10', '2026-11-19'];
const [CLOSED, REOPENED] = ['2026-11-11', '2026-11-13'];
const SINCE = '2026-11-10T14:00:00Z';
const STOP: Stop = {
  port: PORT,
  name: 'Los Angeles',
  first_day: '2026-11-10',
  last_day: CLOSED,
  alerted_at: '2026-11-10T22:00:00Z',
  stopped_since: SINCE,
  lowest: { date: CLOSED, berthed: 0 },
  usual: 34,
  missed: 60,
  queue: { date: '2026-11-14', waiting: 21 },
  scores: daysBetween('2026-11-09', '2026-11-14').map((date, i) => ({ date, score: i / 10 })),
};
const MONTHS = ['2026-10', '2026-11'];
const KNOWN: KnownDays = {
  release: '2026-11-20',
  first_day: FIRST,
  last_day: LAST,
  months: MONTHS.map((month) => ({ month, path: `release=2026-11-20/known-days/${month}.json` })),
  stops: [STOP],
};

function monthOf(
  month: string,
  { port, name, country, latitude, longitude, sources, method }: PortRecord,
): KnownMonth {
  const days = daysBetween(FIRST, LAST).filter((day) => day.startsWith(month));
  const figures = days.map((day) => {
    const isClosed = day === '2026-11-10' || day === CLOSED;
    const score = isClosed ? 0.6 : 0.1;
    return [`${day}T21:00:00Z`, score, 2, Number(day.slice(8)), 40, 'berthed', isClosed ? SINCE : null];
  });
  const known = {
    port,
    name,
    country,
    latitude,
    longitude,
    sources,
    method,
    first_day: FIRST,
    days: figures,
  };
  return { days, figures: DAY_FIGURES, ports: [known] };
}

/** Serves the files of a release. */
async function withDays(page: Page): Promise<void> {
  const ports = JSON.parse(await bodyOf('/v1/ports')) as PortRecord[];
  const port = ports.find((record) => record.port === PORT) as PortRecord;
  await page.route('**/data/known-days.json', (route) => route.fulfill({ json: KNOWN }));
  for (const month of MONTHS)
    await page.route(`**/data/*/known-days/${month}.json`, (route) =>
      route.fulfill({ json: monthOf(month, port) }),
    );
}

const searchOf = (page: Page): string => new URL(page.url()).search;

describeInBrowser('the days', ({ open }) => {
  it('a day of a closure: headline, map, list and cards say so, and no arrow is green', async () => {
    const page = await open(`/?day=${CLOSED}`, { prepare: withDays });
    await page.locator('.lead', { hasText: 'Los Angeles was stopped' }).waitFor();
    expect(await textOf(page.locator('.lead'))).toBe(
      '11 November 2026. Los Angeles was stopped: hardly any vessel had berthed since 10 Nov 2026, 14:00 UTC; 34 vessels berth on a usual day. 11 at anchor, 2 h average wait.',
    );
    await page.locator('.port-label', { hasText: 'Los Angeles stopped' }).waitFor();
    await page.locator('.port-mark .stop-bar').waitFor();
    const row = page.locator('.port-list tbody tr').first();
    expect(await textOf(row)).toMatch(/Los Angeles.*stopped, 0\.60.*11.*2\.0.*40.*2026-11-11 21:00/s);
    expect(await page.locator('.port-list .arrow-down, .week-down').count()).toBe(0);
    // The queue of 14 November was not known.
    expect(await textOf(page.locator('.stop-card.selected'))).toMatch(
      /10 to 11 November 2026\s+0 berthed on 11 November, 34 is usual\.\s+Closed from 10 Nov 2026, 14:00 UTC; alert 8 h later\./,
    );
    expect(await page.locator('.flow-shown').count()).toBe(1);
  });

  it('a day after it: shows the closure of the week, and does not say that no port is congested', async () => {
    const page = await open(`/?day=${REOPENED}`, { prepare: withDays });
    await page.locator('.lead', { hasText: 'stopped once' }).waitFor();
    expect(await textOf(page.locator('.lead'))).toBe(
      '13 November 2026. Los Angeles stopped once in 2026. On 11 November no vessel berthed; 34 is usual. On 13 November: 2 h average wait, 13 at anchor.',
    );
  });

  it('a day before it knows nothing of it', async () => {
    const page = await open('/?day=2026-11-08', { prepare: withDays });
    await page.locator('.lead', { hasText: 'Highest score that day' }).waitFor();
    expect(await page.locator('.stop-card').count()).toBe(0);
  });

  it('moves by keyboard and by play without a request of the API, and leads back to now', async () => {
    const { asked, prepare } = watched();
    const page = await open('/', {
      prepare: async (opened) => {
        await prepare(opened);
        await withDays(opened);
      },
    });
    await page.locator('.flow .berthed').waitFor();
    const slider = page.getByRole('slider', { name: 'Day' });
    expect(await slider.getAttribute('aria-valuetext')).toBe('Newest figures');
    const before = asked.filter((path) => path.startsWith('/v1/')).length;
    await slider.press('ArrowLeft');
    await page.locator('.lead', { hasText: '19 November 2026.' }).waitFor();
    expect(searchOf(page)).toBe(`?day=${LAST}`);
    await slider.press('Home');
    await page.locator('output', { hasText: /As known at the end of/ }).waitFor();
    await page.locator('.stop-card').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Play the days' }).click();
    await page.locator('.day-row', { hasText: 'Pause' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    expect(searchOf(page)).toMatch(/^\?day=2026-1\d-\d\d$/);
    await page.getByRole('button', { name: 'Newest', exact: true }).click();
    await page.locator('.movers').waitFor();
    expect(searchOf(page)).toBe('');
    expect(asked.filter((path) => path.startsWith('/v1/'))).toHaveLength(before);
    expect(asked.filter((path) => path.includes('/known-days/')).length).toBeLessThanOrEqual(MONTHS.length);
  });

  it('the chart of a port is a file, a picture and an address; a click on it shows the day', async () => {
    const page = await open(`/?port=${PORT}`, { prepare: withDays });
    await page.locator('.flow .berthed').waitFor();
    const saved = async (name: string): Promise<string> => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.locator('.exports').getByRole('button', { name }).click(),
      ]);
      return download.suggestedFilename();
    };
    expect(await saved('CSV')).toBe('USLAX-berthings.csv');
    expect(await saved('Picture')).toBe('USLAX-berthings.png');
    expect(await page.locator('.exports a').getAttribute('href')).toBe('/?port=USLAX');
    await page.locator('.flow-stop').click();
    expect(searchOf(page)).toBe(`?port=${PORT}&day=${CLOSED}`);
  });

  it('the page of a port on a past day: its head and each of its panels as known at its end', async () => {
    const { asked, prepare } = watched();
    const page = await open(`/?port=${PORT}&day=${CLOSED}`, {
      prepare: async (opened) => {
        await prepare(opened);
        await withDays(opened);
      },
    });
    await page.locator('.port-sentence', { hasText: 'As known at the end of 11 November 2026' }).waitFor();
    expect(await textOf(page.locator('.view-head'))).toMatch(
      /USLAX stopped.*Stopped since 10 Nov 2026, 14:00 UTC\. Vessels waited 2 h on average in the week up to 11 November 2026; 11 lie at anchor/s,
    );
    await page.getByRole('heading', { name: 'At the end of 11 November 2026' }).waitFor();
    const portRequests = asked.filter((path) => path.startsWith(`/v1/ports/${PORT}/`));
    for (const resource of ['snapshot', 'trend', 'alerts', 'forecast'])
      expect(portRequests.filter((path) => path.includes(`/${resource}?`))).toEqual([
        expect.stringContaining(`as_of=${CLOSED}`),
      ]);
    // The chart of the story is of all days, the panel of those that were known.
    expect(
      portRequests.filter((path) => path.includes('/waits?') && path.includes(`as_of=${CLOSED}`)),
    ).toHaveLength(1);
    // Days that pass ask nothing of the API: only the one that the reader stays on does.
    await page.getByRole('button', { name: 'Play the days' }).click();
    await page.locator('output', { hasText: 'Newest figures' }).waitFor();
    await page.getByRole('heading', { name: 'Newest figures' }).waitFor();
    const days = asked.flatMap((path) => path.match(/(?<=^\/v1\/.*as_of=)[\d-]+/) ?? []);
    expect([...new Set(days)]).toEqual([CLOSED]);
  });

  it('says once that nothing is known of a port on a day', async () => {
    const page = await open(`/?port=SGSIN&day=${CLOSED}`, { prepare: withDays });
    expect(await textOf(page.locator('.chosen-port'))).toBe(
      'Nothing was known of Singapore at the end of this day. Newest figures',
    );
    expect(await textOf(page.locator('.port-sentence'))).toBe(
      'No figures of this port at the end of 11 November 2026.',
    );
  });

  it('without a key: the days are there, and the chart asks for one', async () => {
    const page = await open(`/?day=${CLOSED}`, { key: '', settings: {}, prepare: withDays });
    await page.locator('.lead', { hasText: 'Los Angeles was stopped' }).waitFor();
    await page.locator('.port-mark').first().waitFor();
    expect(await page.getByRole('slider', { name: 'Day' }).count()).toBe(1);
  });

  it('on a telephone begins with headline, chart, slider, map and list, or with the port', async () => {
    const look = { viewport: { width: 390, height: 844 }, prepare: withDays };
    const tops = async (page: Page, ...parts: readonly string[]): Promise<number[]> => {
      const found: number[] = [];
      for (const part of parts) found.push((await page.locator(part).first().boundingBox())?.y ?? Number.NaN);
      return found;
    };
    const page = await open('/', look);
    await page.locator('.flow .berthed').waitFor();
    const first = await tops(page, '.lead', '.flow', '.day-slider', '.map', '.port-list');
    expect(first).toEqual(first.toSorted((a, b) => a - b));
    const port = await open(`/?port=${PORT}`, look);
    await port.locator('.flow .berthed').waitFor();
    const portTops = await tops(port, '#port-title', '.flow', '.day-slider', '.map', '.port-list');
    expect(portTops).toEqual(portTops.toSorted((a, b) => a - b));
    const cells = await page.locator('.port-list tbody tr').first().locator('td').all();
    expect(cells).toHaveLength(6);
    for (const cell of cells)
      expect(
        ((await cell.boundingBox())?.x ?? 999) + ((await cell.boundingBox())?.width ?? 0),
      ).toBeLessThanOrEqual(390);
  });

  it.each(['light', 'dark'] as const)('has nothing that axe names, %s', async (colorScheme) => {
    const { source } = (await import('axe-core')).default;
    const page = await open(`/?day=${CLOSED}`, { colorScheme, prepare: withDays });
    await page.locator('.map-controls').waitFor();
    await page.evaluate(source);
    const { violations } = (await page.evaluate('axe.run()')) as {
      violations: { id: string; nodes: { html: string }[] }[];
    };
    expect(
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`)),
    ).toEqual([]);
  });
});
