/** What the pages show when there is nothing to show: a key refused, a limit reached, old data, no response. */
import { expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import type { ErrorEnvelope } from '../../core/contracts/errors.ts';
import type { Snapshot } from '../../core/contracts/snapshot.ts';
import { describeInBrowser, panel, textOf, withPorts } from './browser.ts';
import { bodyOf, CONTACT, keys, serviceNowAt } from './portal.ts';

const PORT = 'USLAX';
const SNAPSHOT = `**/v1/ports/${PORT}/snapshot`;
const LIMITED: ErrorEnvelope = {
  code: 'rate_limited',
  message: 'Too many requests with this key.',
  request_id: '6f9d2a34-7a0f-4b57-9a3e-0d1c5b8e7f21',
  hint: 'Wait for the seconds in Retry-After; see the RateLimit-* headers.',
};

const ABSENT = { ...LIMITED, code: 'not_found', message: 'There is no snapshot yet.' };

/** Responds to `pattern` with 429 as often as `times` says, and then lets the API respond. */
const limit = (page: Page, pattern: string, times: number, seconds = 2): Promise<unknown> =>
  page.route(
    pattern,
    (route) => route.fulfill({ status: 429, headers: { 'Retry-After': String(seconds) }, json: LIMITED }),
    { times },
  );

describeInBrowser('the states of the pages', ({ open }) => {
  it('a key that is refused: code, hint, request id, a link to the explanation, and no data', async () => {
    const page = await open('/', { key: 'pcd_dev_000000000000000000000000' });
    const notice = page.getByRole('alert');
    expect(await textOf(notice)).toContain('401');
    expect(await textOf(notice.locator('.notice-hint'))).toContain('X-API-Key');
    expect(await textOf(notice)).toMatch(/request_id [0-9a-f-]{36}/);
    expect(await notice.getByRole('button').count()).toBe(0);
    expect(await page.locator('.port-list tbody tr').count()).toBe(0);
    await notice.getByRole('link', { name: 'auth_invalid' }).click();
    await page.waitForURL('**/docs/errors.html#auth_invalid');
    expect(await page.locator('h2#auth_invalid').count()).toBe(1);
  });

  it('a disabled key, then a good one in its place', async () => {
    const page = await open('/', { key: keys.disabled });
    expect(await textOf(page.getByRole('alert'))).toContain('auth_forbidden');
    await page.locator('summary', { hasText: 'API key' }).click();
    await page.locator('#key').fill(keys.bench);
    await page.getByRole('button', { name: 'Use' }).click();
    await page.locator('.mover').first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('no key: asks for one, and sends nothing that needs it', async () => {
    const asked: string[] = [];
    const page = await open('/', {
      key: '',
      prepare: async (opened) =>
        void opened.on('request', (request) => asked.push(new URL(request.url()).pathname)),
    });
    const notice = page.locator('.map-fault');
    expect(await textOf(notice)).toContain('Enter your API key');
    expect(await notice.getByRole('link', { name: CONTACT }).getAttribute('href')).toBe(`mailto:${CONTACT}`);
    expect(asked.filter((path) => path.startsWith('/v1/'))).toEqual([]);
    expect(await page.evaluate('document.activeElement.id')).toBe('key');
  });

  it('429: counts Retry-After down, also while the imports are shown, then a retry brings the data', async () => {
    // More than a page takes to become quiet on a busy machine.
    const page = await open(`/?port=${PORT}`, { prepare: (opened) => limit(opened, '**/trend?*', 1, 9) });
    const trend = panel(page, 'Trend');
    const retry = trend.getByRole('button', { name: /Retry/ });
    expect(await textOf(trend)).toContain('rate_limited');
    expect(await textOf(retry)).toMatch(/^Retry in \d s$/);
    expect(await retry.isDisabled()).toBe(true);
    // Every second of it would else be read out, with the whole notice around it.
    expect(await retry.getAttribute('aria-live')).toBe('off');
    await page.getByRole('link', { name: 'Imports', exact: true }).click();
    await page.locator('#hs-code').waitFor();
    await page.goBack();
    await trend.getByRole('button', { name: 'Retry now' }).click();
    await trend.locator('canvas').waitFor();
    expect(await trend.getByRole('alert').count()).toBe(0);
  });

  it('429 of the list of ports: the page says why there is none', async () => {
    const page = await open('/', {
      prepare: async (opened) => await limit(opened, '**/v1/ports', 50),
    });
    expect(await textOf(page.locator('.map-fault'))).toContain('rate_limited');
    expect(await page.locator('.world .port-mark').count()).toBe(0);
  });

  it('old data: says how old, against the budget of the source', async () => {
    const snapshot = JSON.parse(await bodyOf(`/v1/ports/${PORT}/snapshot`)) as Snapshot;
    const as_of = new Date((await serviceNowAt()) - 5 * 3_600_000).toISOString().replace(/\.\d+/, '');
    const page = await open(`/?port=${PORT}`, {
      prepare: (opened) => opened.route(SNAPSHOT, (route) => route.fulfill({ json: { ...snapshot, as_of } })),
    });
    const age = page.locator('.age-stale');
    expect(await textOf(age)).toMatch(/stale.*5 h ago: older than the 60 min/s);
    expect(await age.getByRole('link').getAttribute('href')).toBe('/docs/status.html');
  });

  it.each([
    [null, 'No data: nothing has been observed of this port', 'can be read A deployment can read the port'],
    [
      '2019-10-23T12:41:00Z',
      'No data in this window: the newest of this port are of 23 Oct 2019, 12:41 UTC',
      'real, recorded Real replies of the source',
    ],
  ])('no data is not no alert, and the badge says what the data are: %s', async (as_of, sentence, badge) => {
    const page = await open(`/?port=${PORT}`, {
      prepare: async (opened) => {
        await withPorts((port) => ({ ...port, as_of, evidence: 'expected' }))(opened);
        await opened.route('**/alerts?*', (route) => route.fulfill({ json: [] }));
      },
    });
    expect(await textOf(panel(page, 'Alerts'))).toContain(sentence);
    expect(await textOf(page.locator('.view-head'))).toContain(badge);
  });

  it('recorded data: no age, and a banner with their date', async () => {
    const settings = { demoKey: keys.bench, recordedUntil: '2025-10-04T14:20:27Z' };
    const prepare = withPorts((port) => ({ ...port, evidence: 'recorded' }));
    const page = await open(`/?port=${PORT}`, { settings, prepare });
    expect(await textOf(page.locator('.age'))).toMatch(/^real, recorded as of \d+ \w+ \d{4}, .+ UTC$/);
    const banner = await open('/', { settings, prepare });
    expect(await textOf(banner.locator('#banner'))).toContain('Real data, recorded up to 4 Oct 2025.');
  });

  it.each([
    ['**/alerts?*', { json: [] }, 'Alerts', 'No alert in this window'],
    ['**/dwell?*', { json: [] }, 'Waits and berth stays', 'No wait or berth stay'],
    [SNAPSHOT, { status: 404, json: ABSENT }, 'Newest figures', ABSENT.message],
  ])('nothing to show, and not as an error: %s', async (pattern, response, title, text) => {
    const page = await open(`/?port=${PORT}`, {
      prepare: (opened) => opened.route(pattern, (route) => route.fulfill(response)),
    });
    expect(await textOf(panel(page, title))).toContain(text);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('no port at all: says so, and not as an error', async () => {
    const page = await open('/', {
      prepare: (opened) => opened.route('**/v1/{ports,changes}*', (route) => route.fulfill({ json: [] })),
    });
    expect(await textOf(page.locator('.map-status .notice'))).toContain('No port is covered yet.');
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('while a response is under way: says what is loading', async () => {
    let release = (): void => {};
    const pending = new Promise<void>((resolve) => {
      release = resolve;
    });
    const page = await open('/docs/', {});
    await page.route('**/dwell?*', async (route) => {
      await pending;
      await route.continue();
    });
    await page.goto(page.url().replace('/docs/', `/?port=${PORT}`));
    const dwell = panel(page, 'Waits and berth stays');
    await dwell.getByText('Loading dwell').waitFor();
    expect(await dwell.getAttribute('aria-busy')).toBe('true');
    release();
    await dwell.locator('.period').first().waitFor();
    expect(await dwell.getAttribute('aria-busy')).toBeNull();
  });

  const busy = { status: 503, headers: { 'Retry-After': '1' }, json: { ...LIMITED, code: 'upstream_error' } };
  const proxyPage = { contentType: 'text/html', body: '<h1>Log in</h1>' };
  it.each<[string, string, (route: Route) => Promise<void>]>([
    ['no response at all', 'cannot be reached', (route) => route.abort()],
    ['a page of a proxy', "is not the API's own", (route) => route.fulfill(proxyPage)],
    ['503', 'upstream_error', (route) => route.fulfill(busy)],
  ])('%s: says so, and a retry brings the data', async (_, text, respond) => {
    const page = await open(`/?port=${PORT}`, {
      prepare: (opened) => opened.route('**/trend?*', respond, { times: 1 }),
    });
    const trend = panel(page, 'Trend');
    expect(await textOf(trend)).toContain(text);
    await trend.getByRole('button', { name: 'Retry now' }).click();
    await trend.locator('canvas').waitFor();
  });

  it('a key that is taken away: no port stays that was seen with it', async () => {
    const page = await open('/');
    await page.locator('.mover').first().waitFor();
    await page.locator('summary', { hasText: 'API key' }).click();
    await page.locator('#key').fill('');
    await page.getByRole('button', { name: 'Use' }).click();
    expect(await textOf(page.locator('.map-fault'))).toContain('Enter your API key');
    expect(await page.locator('.port-list tbody tr').count()).toBe(0);
    expect(await page.locator('.world .port-mark').count()).toBe(0);
  });
});
