/** The page of a port, in a browser: what the API returns, in words and as charts. */
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Alert } from '../../core/contracts/alerts.ts';
import type { PortChange } from '../../core/contracts/changes.ts';
import type { DwellPeriod } from '../../core/contracts/dwell.ts';
import type { Forecast } from '../../core/contracts/forecast.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { Snapshot } from '../../core/contracts/snapshot.ts';
import type { TrendPoint } from '../../core/contracts/trend.ts';
import type { WaitDay } from '../../core/contracts/waits.ts';
import { forecastText } from '../../portal/chart/forecast-text.ts';
import { drawnAverage, waitHistory } from '../../portal/chart/wait-spread.ts';
import { portSentence } from '../../portal/explorer/port-sentence.ts';
import { describeInBrowser, panel, textOf, watched, withPorts } from './browser.ts';
import { bodyOf, keys } from './portal.ts';

const PORT = 'USLAX';
const DAY_MS = 86_400_000;

const YEAR = /^Waits (of twelve months|since .+)$/;

const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);

async function recordOf(port: string): Promise<PortRecord> {
  const ports = JSON.parse(await bodyOf('/v1/ports')) as PortRecord[];
  return ports.find((record) => record.port === port) as PortRecord;
}

/** The wait days of the year that the page shows. */
async function yearOf(port: string): Promise<WaitDay[]> {
  const { last_day } = await recordOf(port);
  const to = last_day ?? '';
  return JSON.parse(await bodyOf(`/v1/ports/${port}/waits?from=${dayBefore(to, 365)}&to=${to}`)) as WaitDay[];
}

const rowsOf = async (page: Page, title: string | RegExp): Promise<string[][]> => {
  await panel(page, title).locator('details.values summary').click();
  const rows = await panel(page, title).locator('details.values tbody tr').allInnerTexts();
  return rows.map((row) => row.split('\t'));
};

describeInBrowser('the page of a port', ({ open }) => {
  it('ends the days of an old port with its last one, and repeats no date on the axis', async () => {
    const { asked, prepare } = watched();
    // By canvas and place: a chart may be drawn more than once.
    const texts = `const fill = CanvasRenderingContext2D.prototype.fillText;
      CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
        (this.canvas.texts ??= {})[x + ' ' + y] = text;
        return fill.call(this, text, x, y);
      };`;
    const last = dayBefore((await recordOf(PORT)).last_day ?? '', 30);
    const page = await open(`/?port=${PORT}`, {
      prepare: async (opened) => {
        await prepare(opened);
        await opened.addInitScript(texts);
        await withPorts((port) => ({ ...port, last_day: last }))(opened);
        await opened.route('**/waits?*', async (route) => {
          const response = await route.fetch();
          await route.fulfill({ response, json: ((await response.json()) as WaitDay[]).slice(-4) });
        });
        // Only the chart of the year is drawn.
        await opened.route('**/trend?*', (route) => route.fulfill({ json: [] }));
      },
    });
    await panel(page, YEAR).locator('canvas').waitFor();
    for (const endpoint of ['trend', 'alerts', 'dwell'])
      expect(asked.filter((path) => path.includes(`/${endpoint}?`))).toEqual([
        expect.stringContaining(`until=${last}`),
      ]);
    const drawn = `Object.values(document.querySelector('.chart-year canvas').texts)`;
    const days = ((await page.evaluate(drawn)) as string[]).filter((text) => /^\d+ \p{L}+$/u.test(text));
    expect(days.length).toBeGreaterThan(1);
    expect(days).toEqual([...new Set(days)]);
    expect(await textOf(page.locator('.window-row'))).toMatch(/up to \d+ \w+ 2026$/);
    expect(await textOf(panel(page, YEAR))).toContain('Only the last 4 days have waits, from ');
  });

  it('prints no average where too few vessels have berthed; the estimate is a click away', async () => {
    const page = await open(`/?port=${PORT}`, {
      prepare: withPorts((port) => ({ ...port, wait_basis: 'mixed' })),
    });
    const { avg_wait_hours } = JSON.parse(await bodyOf(`/v1/ports/${PORT}/snapshot`)) as Snapshot;
    await page.locator('.port-sentence', { hasText: 'waiting, too few berthed to average' }).waitFor();
    const now = panel(page, 'Newest figures');
    const estimate = `${avg_wait_hours.toFixed(1)} h`;
    expect(await textOf(now)).toContain('too few berthed to average');
    expect(await textOf(now)).not.toContain(estimate);
    await now.locator('summary', { hasText: 'Estimate' }).click();
    expect(await textOf(now)).toContain(`${estimate}, from vessels that berthed in 28 days`);
  });

  it('says its state in a sentence from the served figures, and where they come from', async () => {
    const page = await open(`/?port=${PORT}`);
    const days = await yearOf(PORT);
    await page.locator('.port-sentence', { hasText: /in the three months before.*a week ago/ }).waitFor();
    const snapshot = JSON.parse(await bodyOf(`/v1/ports/${PORT}/snapshot`)) as Snapshot;
    const port = { ...(await recordOf(PORT)), ...snapshot, at_anchor: snapshot.vessels.at_anchor };
    const today = snapshot.as_of.slice(0, 10);
    const changes = JSON.parse(await bodyOf('/v1/changes?limit=500')) as PortChange[];
    const change = changes.find((moved) => moved.port === PORT);
    expect(change?.at_anchor).toBe(snapshot.vessels.at_anchor);
    expect(await page.locator('.port-sentence').innerText()).toBe(
      portSentence(port, { today, waits: waitHistory(days), change }),
    );
    expect(await page.locator('.origin').innerText()).toMatch(
      /^Source: Sample simulator · simulated Made-up sample data\. · newest observation .+ ago · times as stated/,
    );
  });

  it('says whose data a port with a real source shows, and names the port in the title of the page', async () => {
    const prepare = withPorts((port) => ({ ...port, sources: ['hk-marine-department'] }));
    const page = await open(`/?port=${PORT}`, { prepare });
    await page.locator('.view-head', { hasText: 'Marine Department, HKSAR Government' }).waitFor();
    expect(await page.title()).toBe(`Los Angeles (${PORT}) · Port Congestion Data Service`);
  });

  it('leads past the head of the page by keyboard, to the same port', async () => {
    const page = await open(`/?port=${PORT}`);
    await page.locator('.skip').press('Enter');
    const { hash, searchParams } = new URL(page.url());
    expect([hash, searchParams.get('port')]).toEqual(['#content', PORT]);
    await page.keyboard.press('Tab');
    expect(await page.evaluate("document.activeElement.closest('#content') !== null")).toBe(true);
    expect(await textOf(page.locator('#port-title'))).toContain(PORT);
  });

  it("shows a port's figures, trend, alerts and dwell as the API gives them", async () => {
    const page = await open(`/?port=${PORT}`);
    const { vessels, ...snapshot } = JSON.parse(await bodyOf(`/v1/ports/${PORT}/snapshot`)) as Snapshot;
    await page.locator('.figure').first().waitFor();
    const figures = await page
      .locator('.figure')
      .evaluateAll((nodes) =>
        nodes.map((node) => [
          node.querySelector('.field-name')?.getAttribute('title') ?? '',
          node.querySelector('b')?.textContent ?? '',
        ]),
      );
    const shown = Object.fromEntries(figures) as Record<string, string>;
    expect(Number(shown['congestion_score in the API'])).toBe(snapshot.congestion_score);
    expect(shown['avg_wait_hours in the API']).toBe(`${snapshot.avg_wait_hours.toFixed(1)} h`);
    for (const [name, count] of Object.entries(vessels))
      expect(shown[`${name} in the API`]).toBe(String(count));

    const points = JSON.parse(await bodyOf(`/v1/ports/${PORT}/trend?window=30d`)) as TrendPoint[];
    expect(await rowsOf(page, 'Trend')).toEqual(points.map((point) => Object.values(point).map(String)));
    expect(await page.locator('.chart canvas').count()).toBe(2);

    const alerts = JSON.parse(await bodyOf(`/v1/ports/${PORT}/alerts?window=30d`)) as Alert[];
    expect(alerts.length).toBeGreaterThan(0);
    const explained = await page.locator('.alerts li p:last-child').allInnerTexts();
    // The field at the beginning is in words.
    expect(explained).toHaveLength(alerts.length);
    for (const [i, { metric, explain }] of alerts.entries())
      expect(explained[i]?.endsWith(explain.slice(metric.length))).toBe(true);
    expect(explained.join()).not.toMatch(/at_anchor|avg_wait_hours|congestion_score/);
    const falls = alerts.filter(({ type, change_pct }) => type === 'change_point' && change_pct < 0);
    expect(falls.length).toBeGreaterThan(0);
    expect(await page.locator('.alerts .tone-fall').count()).toBe(falls.length);
    const arrows = (await page.locator('.alerts .change').allInnerTexts()).map(([arrow]) => arrow);
    expect(arrows).toEqual(alerts.map(({ change_pct }) => (change_pct < 0 ? '▼' : '▲')));

    const periods = JSON.parse(await bodyOf(`/v1/ports/${PORT}/dwell?window=30d`)) as DwellPeriod[];
    for (const kind of ['wait', 'berth'])
      expect(await page.locator(`.period-${kind}`).count()).toBe(
        periods.filter((period) => period.kind === kind).length,
      );
  });

  it('asks for the window that is chosen and for nothing else again', async () => {
    const page = await open(`/?port=${PORT}`);
    await page.locator('.figure').first().waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole('button', { name: '7 days' }).click();
    await page.locator('.request', { hasText: `/v1/ports/${PORT}/dwell?window=7d` }).waitFor();
    expect(new URL(page.url()).searchParams.get('window')).toBe('7d');
    const names = ['alerts', 'dwell', 'trend'];
    expect(asked.filter((path) => path.startsWith('/v1/')).toSorted()).toEqual(
      names.map((name) => `/v1/ports/${PORT}/${name}`),
    );
  });

  it('draws twelve months of average and 90th percentile, with a table of the same', async () => {
    const page = await open(`/?port=${PORT}`);
    await panel(page, YEAR).locator('canvas').waitFor();
    expect(await textOf(panel(page, YEAR).locator('.u-legend'))).toMatch(/average.*nine in ten/s);
    const { spreads } = waitHistory(await yearOf(PORT));
    const rows = await rowsOf(page, YEAR);
    expect(rows.length).toBeGreaterThan(30);
    for (const [day = '', average, p90] of rows) {
      const spread = spreads.get(day);
      expect([average, p90]).toEqual([
        (spread && drawnAverage(spread))?.toFixed(1) ?? '',
        spread?.p90Hours?.toFixed(1) ?? '',
      ]);
    }
  });

  it('asks once for the year before where the port has one, and draws it behind', async () => {
    const asked: string[] = [];
    const page = await open(`/?port=${PORT}`, {
      prepare: async (opened) => {
        await withPorts((port) => ({ ...port, first_day: '2020-01-01' }))(opened);
        await opened.route('**/waits?*', async (route) => {
          const query = new URL(route.request().url()).searchParams;
          asked.push(`${query.get('from')} ${query.get('to')}`);
          const days = await yearOf(PORT);
          // The same days a year before.
          const json =
            asked.length === 1 ? days : days.map((day) => ({ ...day, date: `2025${day.date.slice(4)}` }));
          await route.fulfill({ json });
        });
      },
    });
    await panel(page, YEAR).locator('.u-legend', { hasText: 'a year before' }).waitFor();
    const { last_day } = await recordOf(PORT);
    const from = dayBefore(last_day ?? '', 365);
    expect(asked).toEqual([`${from} ${last_day}`, `${dayBefore(from, 366)} ${dayBefore(from, 1)}`]);
    await page.locator('.port-sentence', { hasText: 'is usual here in November' }).waitFor();
  });

  it('says how many berthings the newest average is based on, and how their waits spread', async () => {
    const page = await open(`/?port=${PORT}`);
    const note = page.locator('.spread-note', { hasText: 'The average of' });
    const [, day = '', berthings] =
      /^The average of (\S+) is based on (\d+) berthings in 7 days: half of them waited at most/.exec(
        await textOf(note),
      ) ?? [];
    const from = dayBefore(day, 6);
    const week = JSON.parse(await bodyOf(`/v1/ports/${PORT}/waits?from=${from}&to=${day}`)) as WaitDay[];
    expect(Number(berthings)).toBe(week.reduce((sum, { berthed }) => sum + berthed, 0));
    expect(await textOf(panel(page, 'Trend').locator('.u-legend'))).toContain('nine in ten at most');
  });

  it('a key whose plan has no waits: says which plans have them, and draws the trend without a band', async () => {
    const page = await open(`/?port=${PORT}`, { key: keys.lite });
    expect(await textOf(panel(page, YEAR))).toContain('come with the plans Starter and Pro');
    const legend = await textOf(panel(page, 'Trend').locator('.u-legend'));
    expect(legend).toContain('Average wait');
    expect(legend).not.toContain('nine in ten at most');
    expect(await page.locator('.spread-note').innerText()).toBe('');
    expect(await textOf(page.locator('.forecast-note'))).toContain('Forecasts come with the plans Starter');
    expect(await page.locator('.port-sentence').innerText()).toMatch(/at anchor, .* week ago\.$/);
  });

  it('draws the forecast as a fan after the trend, and says what is likely', async () => {
    const page = await open(`/?port=${PORT}`);
    const forecast = JSON.parse(await bodyOf(`/v1/ports/${PORT}/forecast`)) as Forecast;
    expect(forecast.rows).toHaveLength(7);
    expect(await textOf(page.locator('.forecast-note', { hasText: 'likely' }))).toBe(forecastText(forecast));
    await panel(page, 'Trend').locator('.u-legend', { hasText: 'likely at most' }).waitFor();
  });

  it('a forecast without rows: says why, and draws the trend alone', async () => {
    const json = { rows: [], skill: null, reason: 'short_history', history_days: 47 };
    const page = await open(`/?port=${PORT}`, {
      prepare: (opened) => opened.route('**/forecast', (route) => route.fulfill({ json })),
    });
    await page.locator('.forecast-note', { hasText: 'No forecast yet: it needs 90 days' }).waitFor();
    expect(await textOf(panel(page, 'Trend').locator('.u-legend'))).not.toContain('likely');
  });

  it.each([
    [[], 'Nothing has been observed'],
    [undefined, 'cannot be reached'],
  ])('no wait day, and no response: says so in place of the twelve months', async (json, text) => {
    const page = await open(`/?port=${PORT}`, {
      prepare: (opened) =>
        opened.route('**/waits?*', (route) => (json ? route.fulfill({ json }) : route.abort())),
    });
    expect(await textOf(panel(page, YEAR))).toContain(text);
    expect(await page.locator('.port-sentence').innerText()).toMatch(/^Vessels /);
  });
});

describeInBrowser('the imports', ({ open }) => {
  it('show the index of the code that is entered', async () => {
    const page = await open('/?imports=85');
    await page.locator('#hs-code').fill('84');
    await page.locator('#hs-code').press('Enter');
    const title = 'Import momentum of the United States';
    await panel(page, title).locator('.request', { hasText: '/v1/hs/84/imports' }).waitFor();
    await panel(page, title).locator('canvas').waitFor();
    const points = JSON.parse(await bodyOf('/v1/hs/84/imports')) as { month: string; index: number }[];
    expect(await rowsOf(page, title)).toEqual(points.map(({ month, index }) => [month, String(index)]));
  });
});
