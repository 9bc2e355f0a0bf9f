/** The status page in a browser: what the service knows of its sources, without a key. */
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { ServiceStatus } from '../../core/contracts/published-files.ts';
import { describeInBrowser, textOf } from './browser.ts';
import { portalUrl } from './portal.ts';
import { STATUS } from './sample-status.ts';

const serving = (status: ServiceStatus) => (page: Page) =>
  page.route('**/data/status.json', (route) => route.fulfill({ json: status }));

describeInBrowser('the status page', ({ open }) => {
  it('reads the file of the service without a key', async () => {
    const response = await fetch(`${portalUrl()}/data/status.json`);
    const { sources } = (await response.json()) as ServiceStatus;
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'public, max-age=60']);
    expect(sources.map(({ source, state }) => `${source} ${state}`)).toEqual(['sample-simulator fresh']);
    const page = await open('/docs/status.html', { key: '' });
    expect(await textOf(page.locator('[data-source="sample-simulator"]'))).toContain('No outage in 90 days');
  });

  it('shows state and outages of each source, with a text beside the bars', async () => {
    const page = await open('/docs/status.html', { prepare: serving(STATUS) });
    const late = page.locator('[data-source="fintraffic-digitraffic"]');
    expect(await textOf(late)).toMatch(/late.*2 outages in 90 days, 15 h together/s);
    expect(await late.locator('.outage-bars').getAttribute('aria-label')).toContain('2 outages');
    expect(await late.locator('.day-down').count()).toBe(3);
    expect(await textOf(page.locator('[data-source="us-census-trade"]'))).toContain(
      'Outages are not known yet',
    );
    await late.locator('summary').click();
    expect(await late.locator('li').first().innerText()).toBe('20 Nov 2026, 09:00 UTC to now: it lasts');
  });

  it('says when the file cannot be read, and when nothing was fetched', async () => {
    const none = await open('/docs/status.html', {
      prepare: (page) => page.route('**/data/status.json', (route) => route.fulfill({ status: 503 })),
    });
    expect(await textOf(none.getByRole('alert'))).toContain('cannot be read');
    const empty = await open('/docs/status.html', { prepare: serving({ ...STATUS, sources: [] }) });
    expect(await textOf(empty.locator('#live'))).toContain('No source has been fetched yet.');
  });

  it('recorded replies: no age, no outage, and the time up to which they are', async () => {
    const page = await open('/docs/status.html', { prepare: serving({ ...STATUS, recorded: true }) });
    expect(await textOf(page.locator('#live'))).toContain('Recorded replies up to 20 Nov 2026, 12:00 UTC');
    expect(await page.locator('.outage-bars').count()).toBe(0);
    expect(await textOf(page.locator('#live'))).not.toMatch(/\d+ outages? in/);
    expect(await page.locator('.source-head .tag').allInnerTexts()).toEqual([
      'recorded',
      'recorded',
      'recorded',
    ]);
  });
});
