/** A real Chromium for the tests of the portal; without one they are skipped, and the setup says so. */
import { existsSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { PortalSettings } from '../../portal/settings-block.ts';
import { keys, portalUrl } from './portal.ts';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The program that CHROMIUM names, or one where distributions put it. */
const findBrowser = (): string | undefined =>
  [process.env.CHROMIUM, ...PLACES].find((path) => path !== undefined && existsSync(path));

/** Chromium itself sends requests to its maker. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

interface Visit extends BrowserContextOptions {
  /** What the page states; by default the key without limits. */
  readonly settings?: PortalSettings | 'own';
  /** The key that the page is filled with. */
  readonly key?: string;
  /** Before the first request. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

export interface Visitor {
  /** Opens a page of the portal in a context of its own and waits until it is quiet. */
  open(path: string, visit?: Visit): Promise<Page>;
}

/** Puts settings into the page before its scripts run. */
const STATE_SETTINGS = (text: string): void =>
  document.addEventListener('readystatechange', () => {
    const block = document.getElementById('settings');
    if (block && document.readyState === 'interactive') block.textContent = text;
  });

/** `describe` with a browser; after each test, no page may have asked another host or broken the policy. */
export function describeInBrowser(name: string, tests: (visitor: Visitor) => void): void {
  const executablePath = findBrowser();
  if (executablePath === undefined) {
    describe.skip(`${name} (no Chromium: set CHROMIUM or install it)`, () =>
      tests({ open: () => Promise.reject() }));
    return;
  }
  describe(name, () => {
    let browser: Browser;
    let faults: string[] = [];
    let pages: Page[] = [];
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath, args: ARGUMENTS });
    }, 60_000);
    afterAll(() => browser.close());
    afterEach(async () => {
      for (const page of pages) await page.context().close();
      pages = [];
      const seen = faults;
      faults = [];
      expect(seen).toEqual([]);
    });
    const open: Visitor['open'] = async (
      path,
      { key = keys.bench, settings = { demoKey: key }, prepare, ...options } = {},
    ) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
      const page = await context.newPage();
      pages.push(page);
      page.on('request', (request) => {
        const { protocol, origin } = new URL(request.url());
        if (protocol.startsWith('http') && origin !== portalUrl()) faults.push(`asked ${request.url()}`);
      });
      page.on('console', (message) => {
        if (/Content Security Policy/i.test(message.text())) faults.push(message.text());
      });
      page.on('pageerror', (error) => faults.push(`page error ${error.message}`));
      if (settings !== 'own') await page.addInitScript(STATE_SETTINGS, JSON.stringify(settings));
      await prepare?.(page);
      await page.goto(portalUrl() + path, { waitUntil: 'networkidle' });
      return page;
    };
    tests({ open });
  });
}

/** What a reader sees of an element, once it is there. */
export async function textOf(locator: Locator): Promise<string> {
  await locator.waitFor();
  return (await locator.allInnerTexts()).join('\n');
}

/** The panel of a port or of the imports that has this heading. */
export const panel = (page: Page, title: string | RegExp): Locator =>
  page.locator('section.panel', { has: page.getByRole('heading', { name: title, exact: true }) });

/** Before the first request: the service serves other ports than it does. */
export const withPorts = (change: (port: PortRecord, i: number) => PortRecord) => (page: Page) =>
  page.route('**/v1/ports', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: ((await response.json()) as PortRecord[]).map(change) });
  });

/** Most that the first load of a page may weigh. */
export const FIRST_LOAD_BYTES = 150_000;

/** What a page loads, as if all of it were compressed. */
export function weighed(): {
  readonly bytes: () => Promise<number>;
  readonly prepare: (page: Page) => Promise<void>;
} {
  const bodies: Promise<Buffer>[] = [];
  return {
    bytes: async () => (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body).length, 0),
    prepare: async (page) =>
      void page.on('response', (response) => {
        if (response.status() !== 200) return;
        const body = response.body();
        // A page that closes before it has loaded everything fails the measurement alone, not the test that runs then.
        body.catch(() => undefined);
        bodies.push(body);
      }),
  };
}

/** The paths that a page requests with their queries, in their order. */
export function watched(): { readonly asked: string[]; readonly prepare: (page: Page) => Promise<void> } {
  const asked: string[] = [];
  return {
    asked,
    prepare: async (page) =>
      void page.on('request', (request) => {
        const { pathname, search } = new URL(request.url());
        asked.push(pathname + search);
      }),
  };
}
