/** The builder in a browser: request, chart, table, download and code are of one request and agree with the API. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, textOf } from './browser.ts';
import { bodyOf, keys, portalUrl } from './portal.ts';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const REQUEST = '/?build=trend&UNLOCODE=USLAX&window=14d';
const PATH = '/v1/ports/USLAX/trend?window=14d';

const rowsOf = (page: Page): Promise<string[]> =>
  page.locator('.builder .table-scroll tbody tr').allInnerTexts();
const addressOf = async (page: Page): Promise<string> => (await page.locator('.address').textContent()) ?? '';
const settled = (page: Page, path: string) =>
  page
    .locator('.builder .request-link', { hasText: path })
    .waitFor()
    .then(() => page.waitForLoadState('networkidle'));

async function codeOf(page: Page, language: string): Promise<string> {
  await page.getByRole('button', { name: language, exact: true }).click();
  return (await page.locator('pre.code').textContent()) ?? '';
}

/** What the code prints when a reader runs it. */
async function run(command: string, args: readonly string[], code: string, file: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'builder-'));
  try {
    const path = join(folder, file);
    writeFileSync(path, code);
    const env = {
      ...process.env,
      PCD_API_KEY: keys.bench,
      TSX_TSCONFIG_PATH: join(CHECKOUT, 'examples/tsconfig.json'),
    };
    const { stdout } = await promisify(execFile)(command, [...args, path], {
      cwd: CHECKOUT,
      env,
      timeout: 15_000,
    });
    return stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const canRun = (command: string): boolean => spawnSync(command, ['--version']).status === 0;

describeInBrowser('the builder', ({ open }) => {
  it('draws and lists what its address returns', async () => {
    const page = await open(REQUEST);
    await settled(page, PATH);
    expect(await addressOf(page)).toBe(portalUrl() + PATH);
    const points = JSON.parse(await bodyOf(PATH)) as object[];
    expect((await rowsOf(page)).map((row) => row.split('\t'))).toEqual(
      points.map((point) => Object.values(point).map(String)),
    );
    expect(await page.locator('.builder .chart canvas').count()).toBe(1);
  });

  it('updates address, page address, response and code when a field changes', async () => {
    const page = await open(REQUEST);
    await settled(page, PATH);
    await page.locator('#field-UNLOCODE').fill('HKHKG');
    await page.locator('#field-days').fill('3');
    const path = '/v1/ports/HKHKG/trend?days=3';
    await settled(page, path);
    expect(await addressOf(page)).toBe(portalUrl() + path);
    expect(await page.locator('#field-window').inputValue()).toBe('');
    expect(new URL(page.url()).search).toBe('?build=trend&UNLOCODE=HKHKG&days=3');
    for (const language of ['curl', 'Python'])
      expect(await codeOf(page, language)).toContain(portalUrl() + path);
    expect(await codeOf(page, 'TypeScript')).toContain("client.trend('HKHKG', { days: 3 })");
    expect(await rowsOf(page)).toHaveLength((JSON.parse(await bodyOf(path)) as object[]).length);
  });

  it('saves the CSV that the API sends, under its name', async () => {
    const page = await open(REQUEST);
    await settled(page, PATH);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('USLAX-trend-14d.csv');
    expect(readFileSync(await download.path(), 'utf8')).toBe(await bodyOf(`${PATH}&format=csv`));
  });

  it('lists a CSV response as it lists JSON', async () => {
    const page = await open(`${REQUEST}&format=csv`);
    await settled(page, `${PATH}&format=csv`);
    const [, ...lines] = (await bodyOf(`${PATH}&format=csv`)).trimEnd().split('\n');
    expect((await rowsOf(page)).map((row) => row.split('\t').join(','))).toEqual(lines);
  });

  it('says what is wrong with a value, as the API does', async () => {
    const page = await open(REQUEST);
    await settled(page, PATH);
    await page.locator('#field-UNLOCODE').fill('uslax');
    await page.locator('#field-UNLOCODE-fault', { hasText: 'Did you mean USLAX?' }).waitFor();
    const notice = page.locator('.builder .notice-error');
    await notice.waitFor();
    expect(await textOf(notice)).toContain('validation_failed');
    expect(await textOf(notice.locator('.notice-hint'))).toContain('USLAX');
  });

  it('gives code that prints the response of the API', async () => {
    const page = await open(REQUEST);
    await settled(page, PATH);
    const expected = JSON.parse(await bodyOf(PATH));
    if (canRun('curl'))
      expect(JSON.parse(await run('sh', [], await codeOf(page, 'curl'), 'request.sh'))).toEqual(expected);
    if (canRun('python3'))
      expect(JSON.parse(await run('python3', [], await codeOf(page, 'Python'), 'request.py'))).toEqual(
        expected,
      );
    const typescript = await run(
      process.execPath,
      ['--import', 'tsx'],
      await codeOf(page, 'TypeScript'),
      'request.mts',
    );
    expect(JSON.parse(typescript)).toEqual(expected);
  });

  it('copies the address, and says so when it may not', async () => {
    const page = await open(REQUEST);
    await settled(page, PATH);
    const copy = page.locator('.actions button').first();
    await page.evaluate('navigator.clipboard.writeText = async (text) => { globalThis.copied = text; }');
    await copy.click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('globalThis.copied')).toBe(portalUrl() + PATH);
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))");
    await copy.click();
    await page.getByRole('button', { name: 'Not copied' }).waitFor();
    await page.getByRole('button', { name: 'Copy URL' }).waitFor();
  });

  it('shows no key in address, page or code', async () => {
    const page = await open(REQUEST);
    await settled(page, PATH);
    for (const language of ['curl', 'TypeScript', 'Python'])
      expect(await codeOf(page, language)).not.toContain('pcd_');
    expect(page.url()).not.toContain('pcd_');
    expect(await textOf(page.locator('body'))).not.toContain(keys.bench);
  });
});
