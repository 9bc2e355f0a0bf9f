/** The try-it page sends a request to the API that serves it, with a key that is nowhere but in memory. */
import { expect, it } from '@jest/globals';
import { ROUTES } from '../../core/contracts/routes.ts';
import { describeInBrowser, watched } from './browser.ts';
import { keys } from './portal.ts';

describeInBrowser('the try-it page', ({ open }) => {
  it('lists every operation, and loads the console for the one that is chosen', async () => {
    const { asked, prepare } = watched();
    const page = await open('/try-it.html', { prepare });
    const paths = Object.values(ROUTES).flatMap((route) => route.paths);
    expect(await page.locator('.operations a').count()).toBe(paths.length);
    const isConsole = (path: string): boolean => path.includes('/swagger-ui');
    expect(asked.filter(isConsole)).toEqual([]);
    await page.locator('.operations a[href="#Service-sources"]').click();
    await page.locator('#operations-Service-sources .response-col_status').first().waitFor();
    expect(asked.filter(isConsole)).toHaveLength(2);
    expect(await page.locator('.opblock').count()).toBe(paths.length);
  });

  it('executes the operation that the address names', async () => {
    const page = await open('/try-it.html#Ports-snapshot');
    const operation = page.locator('#operations-Ports-snapshot');
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
