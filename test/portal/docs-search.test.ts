/** The search field of the documentation in a browser. */
import { expect, it } from '@jest/globals';
import { describeInBrowser, textOf, watched } from './browser.ts';

describeInBrowser('the search of the documentation', ({ open }) => {
  it('loads its index with the first use, and leads to the section that is found', async () => {
    const { asked, prepare } = watched();
    const page = await open('/docs/', { prepare });
    expect(asked).not.toContain('/docs/search.json');
    await page.getByRole('searchbox', { name: 'Search the documentation' }).fill('rate_limited');
    await page.locator('.results a').first().waitFor();
    expect(asked).toContain('/docs/search.json');
    expect(await textOf(page.locator('.search [role=status]'))).toMatch(/sections? found/);
    await page.getByRole('searchbox').press('Enter');
    await page.waitForURL('**/docs/errors.html#rate_limited');
  });

  it('says when nothing is found', async () => {
    const page = await open('/docs/');
    await page.getByRole('searchbox').fill('no such words here');
    expect(await textOf(page.locator('.results'))).toBe('Nothing found.');
  });
});
