/** Every kind of page against axe, in both themes; at 360 px; and by keyboard. */
import { expect, it } from '@jest/globals';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describeInBrowser } from './browser.ts';
import { portalFiles } from './portal.ts';

const PAGES = ['/', '/?port=USLAX&window=7d', '/?imports=85', '/try-it.html'] as const;
const docs = (): string[] => portalFiles().filter((path) => /^\/docs\/.*\.html$/.test(path));

async function violationsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate(axe.source);
  const options = rules === undefined ? {} : { runOnly: rules };
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as axe.AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, target }) => `${id}: ${target.join(' ')} ${html.slice(0, 160)}`),
  );
}

describeInBrowser('accessibility', ({ open }) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    it.each(PAGES)(`%s has nothing that axe names, ${colorScheme}`, async (path) => {
      const page = await open(path, { colorScheme });
      await page.locator('.operations, .panel, .map-controls').first().waitFor();
      expect(await violationsOf(page)).toEqual([]);
    });
  }

  it('no documentation page has anything that axe names, nor too little contrast in the dark', async () => {
    const page = await open('/docs/', { colorScheme: 'light' });
    const found: string[] = [];
    for (const path of docs()) {
      await page.goto(new URL(path, page.url()).href, { waitUntil: 'load' });
      const light = await violationsOf(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      const dark = await violationsOf(page, ['color-contrast']);
      await page.emulateMedia({ colorScheme: 'light' });
      found.push(...[...light, ...dark].map((violation) => `${path} ${violation}`));
    }
    expect(found).toEqual([]);
  });

  it('a refusal has nothing that axe names', async () => {
    const page = await open('/', { key: 'pcd_dev_000000000000000000000000' });
    await page.getByRole('alert').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it.each(['light', 'dark'] as const)(
    'an open operation of the try-it page has nothing that axe names, %s',
    async (colorScheme) => {
      const page = await open('/try-it.html#Service-sources', { colorScheme });
      await page.locator('#operations-Service-sources .response-col_status').first().waitFor();
      expect(await violationsOf(page)).toEqual([]);
    },
  );

  it('no page scrolls sideways at 360 px', async () => {
    const page = await open('/docs/', { viewport: { width: 360, height: 740 } });
    const wide: string[] = [];
    for (const path of [...PAGES, ...docs()]) {
      const waitUntil = path.startsWith('/docs/') ? 'load' : 'networkidle';
      await page.goto(new URL(path, page.url()).href, { waitUntil });
      const over = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
      if (over > 0) wide.push(`${path} by ${over} px`);
    }
    expect(wide).toEqual([]);
  });

  it('no code of a documentation page is clipped or broken inside a word at 360 px', async () => {
    const page = await open('/docs/', { viewport: { width: 360, height: 740 } });
    const faults: string[] = [];
    for (const path of docs()) {
      await page.goto(new URL(path, page.url()).href, { waitUntil: 'load' });
      const found = (await page.evaluate(`[
        ...[...document.querySelectorAll('pre')].filter((pre) => pre.scrollWidth > pre.clientWidth),
        ...[...document.querySelectorAll('article :not(pre) > code:not(.long)')].filter(
          (code) => code.getClientRects().length > 1,
        ),
      ].map(({ textContent }) => textContent.slice(0, 60))`)) as string[];
      faults.push(...found.map((text) => `${path}: ${text}`));
    }
    expect(faults).toEqual([]);
  });

  it('the plots of the accuracy page follow the theme that the reader chooses', async () => {
    const page = await open('/docs/accuracy.html', { colorScheme: 'light' });
    const colours = () =>
      page.evaluate(
        "['.plot .paper', '.plot text'].map((name) => getComputedStyle(document.querySelector(name)).fill)",
      );
    const light = (await colours()) as string[];
    await page.getByRole('button', { name: 'Switch to dark theme' }).click();
    const dark = (await colours()) as string[];
    for (const [i, colour] of dark.entries()) expect(colour).not.toBe(light[i]);
  });

  it('the theme is that of the system until the reader chooses, and stays chosen', async () => {
    const page = await open('/docs/', { colorScheme: 'dark' });
    const theme = () => page.evaluate('document.documentElement.dataset.theme');
    expect(await theme()).toBe('dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByRole('button', { name: 'Switch to dark theme' }).waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByRole('button', { name: 'Switch to light theme' }).click();
    expect(await theme()).toBe('light');
    await page.reload();
    expect(await theme()).toBe('light');
  });

  it('the first stop of the keyboard leads past the head of the page', async () => {
    const page = await open('/docs/');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.keyboard.press('Enter');
    // The browser follows a link after the key has been sent.
    await page.waitForURL(/#content$/);
  });
});
