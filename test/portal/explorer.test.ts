/** The explorer in a browser: it shows what the API returns. */
import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { Snapshot } from '../../core/contracts/snapshot.ts';
import { describeInBrowser, textOf } from './browser.ts';
import { bodyOf, keys } from './portal.ts';

const PORT = 'USLAX';
const IMPORTS = '/?imports=85';
const FIRST_LOAD_BYTES = 200_000;

/** The service serves other ports than it does. */
const withPorts = (change: (ports: PortRecord[]) => PortRecord[]) => (page: Page) =>
  page.route('**/v1/ports', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change((await response.json()) as PortRecord[]) });
  });

const fromRealSource = (ports: PortRecord[]): PortRecord[] =>
  ports.map((port) => ({ ...port, sources: ['hk-marine-department'] }));

describeInBrowser('the explorer', ({ open }) => {
  it('lists and maps every covered port with the score of its snapshot', async () => {
    const page = await open('/');
    const ports = JSON.parse(await bodyOf('/v1/ports')) as PortRecord[];
    await page.locator('.map-status:empty').waitFor({ state: 'attached' });
    const rows = await page.locator('.port-list tbody tr').allInnerTexts();
    expect(rows).toHaveLength(ports.length);
    expect(await page.locator('.world .port-mark').count()).toBe(ports.length);
    for (const { port, name } of ports) {
      const snapshot = JSON.parse(await bodyOf(`/v1/ports/${port}/snapshot`)) as Snapshot;
      const row = rows.find((text) => text.includes(port)) ?? '';
      expect(row).toContain(name);
      expect(row).toContain(snapshot.congestion_score.toFixed(3));
    }
  });

  it('draws the map and the list from one request, and asks for the snapshot of the chosen port only', async () => {
    const asked: string[] = [];
    const page = await open('/', {
      prepare: async (opened) =>
        void opened.on('request', (request) => asked.push(new URL(request.url()).pathname)),
    });
    await page.locator('.port-view .figures').waitFor();
    const ports = JSON.parse(await bodyOf('/v1/ports?sort=-congestion_score')) as PortRecord[];
    expect(ports.length).toBeGreaterThan(2);
    expect(await page.locator('.world .port-mark').count()).toBe(ports.length);
    expect(asked.filter((path) => path === '/v1/ports')).toHaveLength(1);
    expect(asked.filter((path) => path.endsWith('/snapshot'))).toEqual([
      `/v1/ports/${ports[0]?.port}/snapshot`,
    ]);
  });

  it.each(['/', IMPORTS])('says under %s that the sample is made up', async (path) => {
    const page = await open(path);
    const notice = page.locator('.notice-simulated');
    expect(await textOf(notice)).toContain('Every figure on this page is made up');
    expect(await notice.count()).toBe(1);
  });

  it.each([
    [`/?port=${PORT}`, '.view-head'],
    [IMPORTS, '.imports-view canvas'],
  ])('says nothing of a sample under %s where the data are real', async (path, shown) => {
    const page = await open(path, { prepare: withPorts(fromRealSource) });
    await page.locator(shown).first().waitFor();
    expect(await page.locator('.notice-simulated').count()).toBe(0);
  });

  it('says whose data a port with a real source shows', async () => {
    const page = await open(`/?port=${PORT}`, { prepare: withPorts(fromRealSource) });
    await page.locator('.view-head', { hasText: 'Marine Department, HKSAR Government' }).waitFor();
  });

  it('asks for nothing of the map before it is looked at', async () => {
    const asked: string[] = [];
    const page = await open(IMPORTS, {
      prepare: async (opened) =>
        void opened.on('request', (request) => asked.push(new URL(request.url()).pathname)),
    });
    await page.locator('.notice-simulated').waitFor();
    const ofApi = () => asked.filter((path) => path.startsWith('/v1/')).toSorted();
    expect(ofApi()).toEqual(['/v1/health', '/v1/hs/85/imports', '/v1/ports']);
    await page.getByRole('link', { name: 'Explorer', exact: true }).click();
    await page.locator('#port-title').waitFor();
    // The worst congested port of the day, whichever that is.
    expect(ofApi()).toContainEqual(expect.stringMatching(/^\/v1\/ports\/\w{5}\/snapshot$/));
  });

  it('finds a port by name or code, and says when there is none', async () => {
    const page = await open('/', {
      prepare: withPorts((ports) =>
        Array.from({ length: 12 }, (_, i) => ({
          ...(ports[0] as PortRecord),
          port: `XXAA${String.fromCharCode(65 + i)}`,
          name: `Port ${i}`,
          last_observed: null,
        })),
      ),
    });
    const rows = page.locator('.port-list tbody tr');
    await page.getByRole('searchbox', { name: 'Find a port' }).fill('xxaac');
    expect(await rows.allInnerTexts()).toEqual([expect.stringContaining('Port 2')]);
    await page.getByRole('searchbox', { name: 'Find a port' }).fill('nowhere');
    expect(await rows.allInnerTexts()).toEqual(['No port of this name or code.']);
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

  it('shows the worst congested port first, and another one when it is chosen', async () => {
    const page = await open('/');
    const scores = await page.locator('.port-list tbody td:nth-child(2)').allInnerTexts();
    expect(scores.map(Number)).toEqual(scores.map(Number).toSorted((a, b) => b - a));
    await page.locator(`.port-list a[href*="${PORT}"]`).press('Enter');
    await page.locator('#port-title', { hasText: PORT }).waitFor();
    expect(new URL(page.url()).searchParams.get('port')).toBe(PORT);
    await page.goBack();
    await page.locator('#port-title').filter({ hasNotText: PORT }).waitFor();
  });

  it('keeps US imports in a view of their own, which says that the sample is made up', async () => {
    const page = await open('/');
    expect(await page.locator('#hs-code').count()).toBe(0);
    await page.getByRole('link', { name: 'Imports', exact: true }).click();
    await page.locator('.request', { hasText: '/v1/hs/85/imports' }).waitFor();
    await page.locator('.notice-simulated').waitFor();
    expect(await page.title()).toBe('US imports, HS 85 · Port Congestion Data Service');
  });

  it('names the port in the title of the page', async () => {
    const page = await open(`/?port=${PORT}`);
    await page.locator('#port-title').waitFor();
    expect(await page.title()).toBe(`Los Angeles (${PORT}) · Port Congestion Data Service`);
  });

  it.each(['.port-list a[href*="USLAX"]', '.world .port-mark:has-text("Los Angeles") .dot'])(
    'shows the details of a port that is tapped at 360 px (%s)',
    async (target) => {
      const page = await open('/?port=HKHKG', { viewport: { width: 360, height: 740 }, hasTouch: true });
      await page.locator('#port-title', { hasText: 'HKHKG' }).waitFor();
      await page.locator(target).tap();
      const title = page.locator('#port-title', { hasText: PORT });
      await title.waitFor();
      expect(
        Number(await title.evaluate('document.activeElement === document.querySelector("#port-title")')),
      ).toBe(1);
      const top = Number(
        await page.evaluate('document.querySelector("#port-title").getBoundingClientRect().top'),
      );
      expect(top).toBeGreaterThanOrEqual(0);
      expect(top).toBeLessThan(370);
    },
  );

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

  it('zooms the map and keeps every port on it', async () => {
    const page = await open('/');
    const box = () => page.locator('.world > g').first().getAttribute('transform');
    const before = await box();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    expect(await box()).not.toBe(before);
    const zoomed = await box();
    const { x = 0, y = 0 } = (await page.locator('.world').boundingBox()) ?? {};
    await page.mouse.move(x + 200, y + 100);
    await page.mouse.down();
    await page.mouse.move(x + 260, y + 130, { steps: 4 });
    await page.mouse.up();
    expect(await box()).not.toBe(zoomed);
    await page.getByRole('button', { name: 'Whole world' }).click();
    expect(await box()).toBe(before);
  });

  it('says how many requests the key has left', async () => {
    const page = await open('/', { key: keys.demo });
    expect(await textOf(page.locator('.limits'))).toMatch(/^\d+ of 60 requests left this minute$/);
  });

  it('fills in the public key of a local service, and keeps no key anywhere', async () => {
    const page = await open('/', { prepare: (opened) => opened.unroute('**/portal-settings.json') });
    expect(await page.locator('#key').inputValue()).toBe(keys.demo);
    expect(
      await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])'),
    ).not.toContain('pcd_');
  });

  it('loads less than 200 KB, compressed, before it is of use', async () => {
    const sizes: number[] = [];
    await open('/', {
      prepare: async (page) => {
        page.on('response', (response) => {
          if (new URL(response.url()).pathname.startsWith('/v1/') || response.status() !== 200) return;
          void response.body().then((body) => sizes.push(gzipSync(body).length));
        });
      },
    });
    expect(sizes.length).toBeGreaterThan(4);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_LOAD_BYTES);
  });
});
