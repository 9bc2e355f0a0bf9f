/** The views and states as they are kept in pictures, in two themes and two widths. `PICTURES=write TEST_EXTENT=portal npm test -- pictures` makes them anew. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { end, type Started, start } from '../builders/started-service.ts';
import { describeInBrowser, textOf, type Visitor } from './browser.ts';
import { hasSameFonts, pictureFault } from './picture.ts';
import { FIRST_START, STATES, THEMES, VIEWPORTS, VIEWS, type View } from './views.ts';

type Look = Required<Pick<NonNullable<Parameters<Visitor['open']>[1]>, 'viewport' | 'colorScheme'>>;
const ALL_LOOKS = VIEWPORTS.flatMap((viewport) =>
  THEMES.map((colorScheme): Look => ({ viewport, colorScheme })),
);
/** Each width and each theme once. */
const TWO_LOOKS = VIEWPORTS.map((viewport, i): Look => ({ viewport, colorScheme: THEMES[i] ?? 'light' }));

/** The view once it is drawn, with its part of the page at the top. */
async function opened(
  { open }: Visitor,
  { path, ready, at, prepare, isPending, settings }: View,
  look: Look,
): Promise<Page> {
  const page = await open(path, {
    ...look,
    ...(prepare && { prepare }),
    ...(isPending && { isPending }),
    ...(settings && { settings }),
  });
  await page.locator(ready).first().waitFor();
  if (at !== undefined) await page.locator(at).evaluate((node) => node.scrollIntoView({ block: 'start' }));
  return page;
}

async function compared(visitor: Visitor, view: View, looks: readonly Look[]): Promise<void> {
  const faults: string[] = [];
  for (const look of looks) {
    const page = await opened(visitor, view, look);
    const canvas = await page.context().newPage();
    if (!(await hasSameFonts(page))) {
      console.warn('the pictures were made with other fonts: nothing is compared');
      return;
    }
    const name = `${view.name}-${look.viewport?.width}-${look.colorScheme}`;
    faults.push(...[(await pictureFault(page, canvas, name)) ?? []].flat());
  }
  expect(faults).toEqual([]);
}

describeInBrowser('the pictures', (visitor) => {
  it.each(VIEWS)('of $name are as they are kept', (view) => compared(visitor, view, ALL_LOOKS));
  it.each(STATES)('of $name are as they are kept', (view) => compared(visitor, view, TWO_LOOKS));
});

describeInBrowser('the first start', (visitor) => {
  const sampleUrl = process.env.PORTAL_URL;
  let dataDir = '';
  let started: Started;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'first-start-'));
    started = start('--data-dir', dataDir);
    [, process.env.PORTAL_URL = ''] = await started.until(/^ready (\S+)$/m);
  }, 240_000);
  afterAll(async () => {
    process.env.PORTAL_URL = sampleUrl;
    await end(started);
    await rm(dataDir, { recursive: true, force: true });
  });

  it('tells what happened at a real port', async () => {
    const page = await visitor.open('/', { settings: 'own' });
    expect(await textOf(page.locator('.lead'))).toMatch(
      /^Kaohsiung stopped five times in 2025\. On 23 September no vessel berthed; \d\d is usual\. On 4 October: /,
    );
  });

  it.each(FIRST_START)('has pictures of $name as they are kept', (view) =>
    compared(visitor, view, ALL_LOOKS),
  );
});
