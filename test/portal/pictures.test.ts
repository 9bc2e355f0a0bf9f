/** The views and states as they are kept in pictures, in two themes and two widths. `PICTURES=write TEST_EXTENT=portal npm test -- pictures` makes them anew. */
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, type Visitor } from './browser.ts';
import { hasSameFonts, pictureFault } from './picture.ts';
import { STATES, THEMES, VIEWPORTS, VIEWS, type View } from './views.ts';

type Look = Required<Pick<NonNullable<Parameters<Visitor['open']>[1]>, 'viewport' | 'colorScheme'>>;
const ALL_LOOKS = VIEWPORTS.flatMap((viewport) =>
  THEMES.map((colorScheme): Look => ({ viewport, colorScheme })),
);
/** Each width and each theme once. */
const TWO_LOOKS = VIEWPORTS.map((viewport, i): Look => ({ viewport, colorScheme: THEMES[i] ?? 'light' }));

/** The view once it is drawn, with its part of the page at the top. */
async function opened(
  { open }: Visitor,
  { path, ready, at, prepare, isPending }: View,
  look: Look,
): Promise<Page> {
  const page = await open(path, { ...look, ...(prepare && { prepare }), ...(isPending && { isPending }) });
  await page.locator(ready).first().waitFor();
  if (at !== undefined) await page.locator(at).evaluate((node) => node.scrollIntoView({ block: 'start' }));
  return page;
}

describeInBrowser('the pictures', (visitor) => {
  const compared = async (view: View, looks: readonly Look[]): Promise<void> => {
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
  };
  it.each(VIEWS)('of $name are as they are kept', (view) => compared(view, ALL_LOOKS));
  it.each(STATES)('of $name are as they are kept', (view) => compared(view, TWO_LOOKS));
});
