/** The first screen in a browser: where it is congested, what changed, how much of it is measured; what it asks for and loads. */
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { PortChange } from '../../core/contracts/changes.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import { READABLE_PORTS, type ReadablePort } from '../../portal/api/files.ts';
import { scoreText } from '../../portal/view/text.ts';
import { describeInBrowser, FIRST_LOAD_BYTES, textOf, watched, weighed, withPorts } from './browser.ts';
import { bodyOf, keys, portalFile } from './portal.ts';

const PORT = 'USLAX';
const IMPORTS = '/?imports=85';
const FIRST_REQUESTS = 8;

const UNOBSERVED = {
  as_of: null,
  congestion_score: null,
  avg_wait_hours: null,
  at_anchor: null,
  in_port: null,
};
const readable = (): readonly ReadablePort[] => JSON.parse(portalFile(READABLE_PORTS));
const observed = (port: PortRecord): PortRecord => ({
  ...port,
  sources: ['hk-marine-department'],
  evidence: 'observed',
});
/** The API's paths among those asked for. */
const apiPaths = (asked: readonly string[]): string[] =>
  asked.flatMap((path) => path.match(/^\/v1\/[^?]*/) ?? []).sort();

describeInBrowser('the first screen', ({ open }) => {
  it('says which port is worst and which has changed most, and lists both with served figures', async () => {
    const page = await open('/');
    const ports = JSON.parse(await bodyOf('/v1/ports?sort=-congestion_score')) as PortRecord[];
    const changes = JSON.parse(await bodyOf('/v1/changes?limit=500')) as PortChange[];
    const lead = await textOf(page.locator('.lead', { hasText: 'Changed most' }));
    expect(lead).toContain(`${ports[0]?.name}`);
    expect(lead).toContain(`Changed most in seven days: ${changes[0]?.name} (`);
    expect(await page.locator('.mover a').first().innerText()).toBe(changes[0]?.name);
    expect(await page.locator('.mover .sparkline path').count()).toBe(await page.locator('.mover').count());
    const rows = await page.locator('.port-list tbody tr').allInnerTexts();
    // The last one opens on the ports that can be read.
    expect(rows).toHaveLength(ports.length + 1);
    for (const [i, { port, name, congestion_score }] of ports.entries()) {
      expect(rows[i]).toContain(port);
      expect(rows[i]).toContain(name);
      expect(rows[i]).toContain(congestion_score === null ? 'no data' : scoreText(congestion_score));
    }
  });

  it('maps every port, alone or in a crowd; a crowd that is clicked falls apart', async () => {
    const page = await open('/', { viewport: { width: 360, height: 740 } });
    await page.locator('.world .port-mark, .world .cluster-mark').first().waitFor();
    const shown = async (): Promise<number> => {
      const crowds = await page.locator('.cluster-count').allTextContents();
      return (
        (await page.locator('.world .port-mark .dot').count()) +
        crowds.reduce((sum, text) => sum + Number(text), 0)
      );
    };
    const ports = JSON.parse(await bodyOf('/v1/ports')) as PortRecord[];
    expect(await shown()).toBe(ports.length);
    const crowds = await page.locator('.cluster-mark').count();
    expect(crowds).toBeGreaterThan(0);
    await page.locator('.cluster-mark .dot').first().click();
    expect(await page.locator('.cluster-mark').count()).toBeLessThan(crowds);
    expect(await shown()).toBe(ports.length);
  });

  it('asks for the list and the changes once, however many ports there are, and loads little', async () => {
    const { asked, prepare } = watched();
    const load = weighed();
    const page = await open('/', {
      prepare: async (opened) => {
        await prepare(opened);
        await load.prepare(opened);
      },
    });
    // The network of a busy machine may be idle before the page has asked for everything.
    await page.locator('.flow .berthed').waitFor();
    await page.locator('.port-mark .unheld').first().waitFor();
    // The waits are those of the port whose story is shown.
    expect(apiPaths(asked)).toEqual([
      '/v1/changes',
      '/v1/ports',
      expect.stringMatching(/^\/v1\/ports\/\w{5}\/waits$/),
    ]);
    // All that the words, the movers and the list need, which days are known, and how far forecasts were off; then the map.
    const map = asked.findIndex((path) => path.includes('/world-map-'));
    expect(asked.slice(0, map).filter((path) => path !== '/favicon.svg')).toHaveLength(FIRST_REQUESTS);
    // Rings come after everything that has figures.
    expect(asked.indexOf(READABLE_PORTS)).toBeGreaterThan(map);
    expect(await load.bytes()).toBeLessThan(FIRST_LOAD_BYTES);
  });

  it.each(['/', '/?port=USLAX', IMPORTS])('says under %s that the sample is made up', async (path) => {
    const page = await open(path);
    expect(await textOf(page.locator('#banner .statement'))).toContain(
      'Every figure on this page is made up',
    );
  });

  it.each(['/', IMPORTS])('says under %s how much is measured where the data are real', async (path) => {
    const page = await open(path, { prepare: withPorts(observed) });
    expect(await textOf(page.locator('#banner .statement'))).toMatch(/^Measured\. 5 of 5 ports are measured/);
  });

  it('fills ports with figures; those without are small rings, a line says how they are read, and the list opens on them', async () => {
    const page = await open('/', {
      prepare: withPorts((port, i) => (i === 0 ? port : { ...port, ...UNOBSERVED })),
    });
    await page.locator('.port-mark .dot').waitFor();
    const rings = readable().length - 1;
    await page.locator('p.unheld', { hasText: 'npm start -- --live' }).waitFor();
    expect(await page.locator('.port-mark .unheld').count()).toBe(rings);
    expect(await page.locator('.port-label').count()).toBe(1);
    expect(await textOf(page.locator('p.unheld'))).toContain(
      `${rings} more ports can be read, nothing of them is held here.`,
    );
    // The map opens on the port that has figures.
    const land = () => page.locator('.world > g').first().getAttribute('transform');
    const near = await land();
    await page.getByRole('button', { name: 'World', exact: true }).click();
    expect(await land()).not.toBe(near);
    const rows = page.locator('.port-list tbody tr');
    expect(await rows.count()).toBe(2);
    await page.getByRole('button', { name: `${rings} more ports can be read` }).click();
    expect(await rows.count()).toBe(readable().length + 1);
    await page.getByRole('button', { name: 'Hide the ports without figures' }).click();
    expect(await rows.count()).toBe(2);
  });

  it('a port that can be read and is not served: found, placed, and how it gets figures; nothing of it is asked', async () => {
    const { asked, prepare } = watched();
    const page = await open('/', { prepare });
    await page.locator('.port-mark .unheld').first().waitFor();
    await page.getByRole('searchbox', { name: 'Find a port' }).fill('keelung');
    expect(await textOf(page.locator('.port-list tbody tr'))).toMatch(/Keelung.*can be read.*tipc-taiwan/s);
    await page.locator('.port-list a', { hasText: 'Keelung' }).click();
    await page.locator('#port-title', { hasText: 'TWKEL' }).waitFor();
    expect(await textOf(page.locator('.port-sentence'))).toBe(
      'Can be read, but nothing of this port is held here. npm start -- --live reads it from its source. How it is read',
    );
    expect(await page.locator('.port-mark.selected .unheld').count()).toBe(1);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(asked.filter((path) => path.includes('TWKEL'))).toEqual([]);
    const unknown = await open('/?port=XXXXX');
    expect(await textOf(unknown.getByRole('alert'))).toContain('XXXXX is not among the covered ports');
  });

  it('shows a stopped port as stopped, before its score, in headline, map, list and changes', async () => {
    const since = '2025-09-22T14:00:00Z';
    const prepare = withPorts((port) => ({ ...port, stopped_since: port.port === PORT ? since : null }));
    const first = await open('/', { prepare });
    const stopped = /stopped/i;
    expect(await textOf(first.locator('.lead'))).toMatch(
      /^Los Angeles is stopped: hardly any vessel has berthed since 22 Sept? 2025, 14:00 UTC/,
    );
    const page = await open(`/?port=${PORT}`, { prepare });
    const row = page.locator('.port-list tbody tr').first();
    expect(await textOf(row)).toMatch(/Los Angeles.*stopped, 0\.\d\d/s);
    const mover = page.locator('.mover', { hasText: PORT });
    expect(await textOf(mover)).toMatch(stopped);
    await page.locator('.port-mark .score-stopped').waitFor();
    expect(await page.locator('.port-label', { hasText: 'Los Angeles stopped' }).count()).toBe(1);
    expect(await textOf(page.locator('.view-head'))).toMatch(
      /USLAX stopped.*Stopped since 22 Sept? 2025, 14:00 UTC/s,
    );
    for (const place of [row, mover, page.locator('.port-mark.selected')])
      expect(await place.locator('.arrow-up, .arrow-down, .week-up, .week-down').count()).toBe(0);
  });

  it('asks for nothing of the map before it is looked at', async () => {
    const { asked, prepare } = watched();
    const page = await open(IMPORTS, { prepare });
    await page.locator('#banner .statement').waitFor();
    expect(apiPaths(asked)).toEqual(['/v1/hs/85/imports', '/v1/ports']);
    await page.getByRole('link', { name: 'Explorer', exact: true }).click();
    await page.locator('.mover').first().waitFor();
    expect(apiPaths(asked).slice(0, 3)).toEqual(['/v1/changes', '/v1/hs/85/imports', '/v1/ports']);
  });

  it('finds a port by name or code, and says when there is none', async () => {
    const page = await open('/', {
      prepare: (opened) =>
        opened.route('**/v1/ports', async (route) => {
          const response = await route.fetch();
          const [port] = (await response.json()) as PortRecord[];
          const json = Array.from('ABCDEFGHIJKL', (letter, i) => ({
            ...port,
            port: `XXAA${letter}`,
            name: `Port ${i}`,
          }));
          await route.fulfill({ response, json });
        }),
    });
    const rows = page.locator('.port-list tbody tr');
    await page.getByRole('searchbox', { name: 'Find a port' }).fill('xxaac');
    expect(await rows.allInnerTexts()).toEqual([expect.stringContaining('Port 2')]);
    await page.getByRole('searchbox', { name: 'Find a port' }).fill('nowhere');
    expect(await rows.allInnerTexts()).toEqual(['No port of this name or code.']);
  });

  it('shows a port when it is chosen, zooms to it and keeps its label, and leads back', async () => {
    const page = await open('/');
    expect(await page.locator('#port-title').count()).toBe(0);
    const land = () => page.locator('.world > g').first().getAttribute('transform');
    await page.locator('.world .port-mark').first().waitFor();
    const world = await land();
    await page.locator(`.port-list a[href*="${PORT}"]`).press('Enter');
    await page.locator('#port-title', { hasText: PORT }).waitFor();
    expect(new URL(page.url()).searchParams.get('port')).toBe(PORT);
    expect(await land()).not.toBe(world);
    expect(await page.locator('.port-mark.selected .port-label').textContent()).toContain('Los Angeles');
    await page.goBack();
    await page.locator('#port-title').waitFor({ state: 'detached' });
  });

  it.each(['.port-list a[href*="USLAX"]', '.world .port-mark:has-text("Los Angeles") .dot'])(
    'shows the details of a port that is tapped at 360 px (%s)',
    async (target) => {
      const page = await open('/', { viewport: { width: 360, height: 740 }, hasTouch: true });
      await page.locator('.world .port-mark').first().waitFor();
      await page.locator(target).tap();
      const title = page.locator('#port-title', { hasText: PORT });
      await title.waitFor();
      await page.locator('#port-title:focus').waitFor();
      const top = Number(
        await page.evaluate('document.querySelector("#port-title").getBoundingClientRect().top'),
      );
      expect(top).toBeGreaterThanOrEqual(0);
      expect(top).toBeLessThan(370);
    },
  );

  it('zooms the map and keeps every port on it', async () => {
    const page = await open('/');
    const land = () => page.locator('.world > g').first().getAttribute('transform');
    const before = await land();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    const zoomed = await land();
    expect(zoomed).not.toBe(before);
    const { x = 0, y = 0 } = (await page.locator('.world').boundingBox()) ?? {};
    await page.mouse.move(x + 200, y + 100);
    await page.mouse.down();
    await page.mouse.move(x + 260, y + 130, { steps: 4 });
    await page.mouse.up();
    expect(await land()).not.toBe(zoomed);
    await page.getByRole('button', { name: 'World', exact: true }).click();
    expect(await land()).toBe(before);
  });

  it('moves nothing when data arrive, whichever are last', async () => {
    const shift = `new Promise((resolve) => {
      let sum = 0;
      new PerformanceObserver((list) => { for (const { value } of list.getEntries()) sum += value; })
        .observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => resolve(sum), 100);
    })`;
    const late = (pattern: string) => (page: Page) =>
      page.route(pattern, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 700));
        await route.continue();
      });
    for (const width of [360, 1440])
      for (const pattern of ['**/v1/ports', '**/data/known-days.json', '**/v1/changes*']) {
        const page = await open('/', { viewport: { width, height: 800 }, prepare: late(pattern) });
        await page.locator('.mover').first().waitFor();
        expect(Number(await page.evaluate(shift))).toBeLessThan(0.05);
      }
  });

  it('names the field of the API behind its words', async () => {
    const page = await open('/');
    const heading = page.getByRole('columnheader', { name: 'Wait for a berth, h' });
    expect(await heading.getAttribute('title')).toBe('avg_wait_hours in the API');
  });
});

describeInBrowser('the key', ({ open }) => {
  it('is the public one of a local service, behind a menu that says its limit, and is kept nowhere', async () => {
    const page = await open('/', { settings: 'own' });
    await page.locator('.mover').first().waitFor();
    expect(await page.locator('#key').isVisible()).toBe(false);
    await page.locator('summary', { hasText: 'API key: demo' }).press('Enter');
    expect(await page.locator('#key').inputValue()).toBe(keys.demo);
    expect(await textOf(page.locator('.limits'))).toMatch(/^\d+ of 60 requests left this minute$/);
    expect(await textOf(page.locator('.key-panel'))).toContain('60 requests a minute, all readers together.');
    expect(
      await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])'),
    ).not.toContain('pcd_');
    await page.keyboard.press('Escape');
    expect(await page.locator('#key').isVisible()).toBe(false);
  });

  it("is the reader's own in the examples of the docs, where the reader asks for it", async () => {
    const page = await open('/', { settings: 'own' });
    await page.locator('summary', { hasText: 'API key' }).click();
    await page.locator('#keep-key').check();
    await page.locator('#key').fill(keys.bench);
    await page.getByRole('button', { name: 'Use' }).click();
    await page.locator('summary', { hasText: 'API key: yours' }).waitFor();
    await page.getByRole('link', { name: 'Docs', exact: true }).click();
    await page.locator('pre code', { hasText: keys.bench }).first().waitFor();
    expect(await page.locator('pre code', { hasText: keys.demo }).count()).toBe(0);
    await page.goBack();
    await page.locator('summary', { hasText: 'API key: yours' }).click();
    await page.locator('#keep-key').uncheck();
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('pcd_');
  });
});
