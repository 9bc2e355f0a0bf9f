/** The try-it page sends a request to the API that serves it, with a key that is nowhere but in memory. */
import { expect, it } from '@jest/globals';
import { ROUTES } from '../../core/contracts/routes.ts';
import { describeInBrowser } from './browser.ts';
import { keys } from './portal.ts';

describeInBrowser('the try-it page', ({ open }) => {
  it('lists every operation and executes one', async () => {
    const page = await open('/try-it.html');
    // The console draws itself after the page has loaded.
    await page.locator('.opblock').first().waitFor();
    const paths = Object.values(ROUTES).flatMap((route) => route.paths);
    expect(await page.locator('.opblock').count()).toBe(paths.length);
    const operation = page.locator('#operations-Ports-snapshot');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('tr[data-param-name="UNLOCODE"] input').fill('USLAX');
    const responded = page.waitForResponse('**/v1/ports/USLAX/snapshot');
    await operation.getByRole('button', { name: 'Execute' }).click();
    const response = await responded;
    expect(response.status()).toBe(200);
    expect(await response.request().headerValue('X-API-Key')).toBe(keys.bench);
    expect(
      await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])'),
    ).not.toContain('pcd_');
  });
});
