/** The views as they are kept in pictures, in two themes and two widths. `npm run pictures` makes them anew. */
import { expect, it } from '@jest/globals';
import { describeInBrowser } from './browser.ts';
import { hasSameFonts, pictureFault } from './picture.ts';
import { THEMES, VIEWPORTS, VIEWS } from './views.ts';

describeInBrowser('the pictures', ({ open }) => {
  it.each(VIEWS)('of $name are as they are kept', async ({ name, path, ready, prepare }) => {
    const faults: string[] = [];
    for (const viewport of VIEWPORTS) {
      for (const colorScheme of THEMES) {
        const page = await open(path, { viewport, colorScheme, ...(prepare && { prepare }) });
        await page.locator(ready).first().waitFor();
        const canvas = await page.context().newPage();
        if (!(await hasSameFonts(page))) {
          console.warn('the pictures were made with other fonts: nothing is compared');
          return;
        }
        faults.push(
          ...[(await pictureFault(page, canvas, `${name}-${viewport.width}-${colorScheme}`)) ?? []].flat(),
        );
      }
    }
    expect(faults).toEqual([]);
  });
});
