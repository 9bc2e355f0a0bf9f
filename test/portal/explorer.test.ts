/** The page of a port and the imports in a browser: they show what the API returns. */
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { PortRecord } from '../../core/contracts/ports.ts';
import { describeInBrowser, textOf } from './browser.ts';
import { bodyOf } from './portal.ts';

const PORT = 'USLAX';

/** The service serves other ports than it does. */
const withPorts = (change: (ports: PortRecord[]) => PortRecord[]) => (page: Page) =>
  page.route('**/v1/ports', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change((await response.json()) as PortRecord[]) });
  });

const fromRealSource = (ports: PortRecord[]): PortRecord[] =>
  ports.map((port) => ({ ...port, sources: ['hk-marine-department'] }));

describeInBrowser('a port and the imports', ({ open }) => {
  it('says whose data a port with a real source shows', async () => {
    const page = await open(`/?port=${PORT}`, { prepare: withPorts(fromRealSource) });
    await page.locator('.view-head', { hasText: 'Marine Department, HKSAR Government' }).waitFor();
  });

  it('leads past the head of the page by keyboard, to the same port', async () => {
    const page = await open(`/?port=${PORT}`);
    await page.locator('.skip').press('Enter');
    expect(new URL(page.url()).hash).toBe('#content');
    expect(new URL(page.url()).searchParams.get('port')).toBe(PORT);
    await page.keyboard.press('Tab');
    expect(await page.evaluate("document.activeElement.closest('#content') !== null")).toBe(true);
    expect(await textOf(page.locator('#port-title'))).toContain(PORT);
  });

  it('names the port in the title of the page', async () => {
    const page = await open(`/?port=${PORT}`);
    await page.locator('#port-title').waitFor();
    expect(await page.title()).toBe(`Los Angeles (${PORT}) · Port Congestion Data Service`);
  });

  it('shows the import index of the code that is entered', async () => {
    const page = await open('/?imports=85');
    await page.locator('#hs-code').fill('84');
    await page.locator('#hs-code').press('Enter');
    await page.locator('.request', { hasText: '/v1/hs/84/imports' }).waitFor();
    await page.locator('details.values summary').last().click();
    const rows = await page.locator('details.values').last().locator('tbody tr').allInnerTexts();
    const points = JSON.parse(await bodyOf('/v1/hs/84/imports')) as { month: string; index: number }[];
    expect(rows.map((row) => row.split('\t'))).toEqual(
      points.map(({ month, index }) => [month, String(index)]),
    );
  });
});
