/** The coverage page in a browser: a port is chosen in the table or on the map, and the address names it. */
import { expect, it } from '@jest/globals';
import { describeInBrowser, textOf } from './browser.ts';

describeInBrowser('the coverage page', ({ open }) => {
  it('tells what a port rests on without leaving, and keeps it and the filters in the address', async () => {
    const page = await open('/docs/coverage.html?country=FI');
    await page.locator('.coverage-rows a', { hasText: 'Helsinki' }).click();
    const details = page.locator('.coverage-port');
    expect(await textOf(details)).toMatch(
      /Helsinki, Finland FIHEL.*Age\s+made-up sample data, newest observation .* ago.*Source\s+Fintraffic.*Evidence\s+recorded.*Endpoints\s+snapshot: yes/s,
    );
    expect(await page.evaluate('document.activeElement.id')).toBe('coverage-port');
    expect(new URL(page.url()).search).toBe('?country=FI&port=FIHEL');
    await page.locator('circle[data-port="HKHKG"]').dispatchEvent('click');
    await details.getByText('Hong Kong, Hong Kong').waitFor();
    await page.getByLabel('Evidence').selectOption('recorded');
    expect(new URL(page.url()).search).toBe('?country=FI&evidence=recorded&port=HKHKG');
    await details.getByRole('button', { name: 'Close' }).click();
    await details.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?country=FI&evidence=recorded');
  });

  it('opens on the port of its address, and says where a port is not covered', async () => {
    const page = await open('/docs/coverage.html?port=DKAAR');
    expect(await textOf(page.locator('.coverage-port'))).toMatch(
      /not known here.*Read in\s+[\d.]+° to [\d.]+° north/s,
    );
    const none = await open('/docs/coverage.html?port=ZZZZZ');
    expect(await textOf(none.locator('.coverage-chosen'))).toBe('ZZZZZ is not covered.');
  });
});
