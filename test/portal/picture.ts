/** Pictures of views: made, kept as WebP files, and compared by Chromium itself, which can decode and scale them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const FOLDER = fileURLToPath(new URL('pictures/', import.meta.url));
const FAILED = fileURLToPath(new URL('../../dist/pictures/', import.meta.url));
/** Points are compared after scaling by this factor: what is left of letters is their ink, not their edges. */
const SCALE = 0.25;
/** Levels of 255 by which a channel of a point has to differ. */
const MIN_DIFFERENCE = 32;
/** Share of differing points that is noise: antialiasing, and versions of Chromium. */
const TOLERANCE = 0.004;

/** Runs in a page: a picture as WebP, in base64. */
const ENCODE = `async (png) => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + png;
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas.toDataURL('image/webp', 0.8).split(',')[1];
}`;

/** Runs in a page: the share of points that differ; 1 where the sizes do. */
const COMPARE = `async (webps, scale, least) => {
  const images = webps.map((webp) => Object.assign(new Image(), { src: 'data:image/webp;base64,' + webp }));
  for (const image of images) await image.decode();
  const [one, other] = images;
  if (one.width !== other.width || one.height !== other.height) return 1;
  const [width, height] = [Math.round(one.width * scale), Math.round(one.height * scale)];
  const [a, b] = images.map((image) => {
    const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, width, height);
    return context.getImageData(0, 0, width, height).data;
  });
  let differing = 0;
  for (let i = 0; i < a.length; i += 4)
    if ([0, 1, 2].some((channel) => Math.abs(a[i + channel] - b[i + channel]) >= least)) differing += 1;
  return differing / (width * height);
}`;

/** Runs in a page: widths of the same letters in the three families of the pages. */
const FONTS = `() => ['sans', 'serif', 'mono'].map((family) => {
  const text = Object.assign(document.createElement('span'), { textContent: 'Hamburgefonstiv 0123456789' });
  text.style.cssText = 'position:absolute;white-space:nowrap;font:20px var(--' + family + ')';
  document.body.append(text);
  const { width } = text.getBoundingClientRect();
  text.remove();
  return width.toFixed(1);
}).join(' ')`;

/** Widths of the fonts with which the kept pictures were made: DejaVu, as Debian installs it with Chromium. */
const FONTS_FILE = `${FOLDER}fonts.txt`;

const call = (page: Page, code: string, ...given: readonly unknown[]): Promise<unknown> =>
  page.evaluate(`(${code})(...${JSON.stringify(given)})`);

/** Whether to write the pictures instead of comparing them. */
const isWriting = (): boolean => process.env.PICTURES === 'write';

function write(file: string, content: Buffer | string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Whether letters are drawn as in the kept pictures; with other fonts every text is elsewhere. */
export async function hasSameFonts(page: Page): Promise<boolean> {
  const widths = String(await call(page, FONTS));
  if (isWriting()) write(FONTS_FILE, `${widths}\n`);
  return existsSync(FONTS_FILE) && readFileSync(FONTS_FILE, 'utf8').trim() === widths;
}

/**
 * Compares what `page` shows with the kept picture. Returns what is wrong in one sentence, and undefined where nothing is.
 *
 * @param canvas a page without a policy, in which pictures are drawn
 */
export async function pictureFault(page: Page, canvas: Page, name: string): Promise<string | undefined> {
  const shot = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  const webp = String(await call(canvas, ENCODE, shot.toString('base64')));
  const file = `${FOLDER}${name}.webp`;
  if (isWriting()) {
    write(file, Buffer.from(webp, 'base64'));
    return undefined;
  }
  if (!existsSync(file))
    return `there is no picture ${name}: PICTURES=write TEST_EXTENT=portal npm test -- pictures makes it`;
  const kept = readFileSync(file).toString('base64');
  const share = Number(await call(canvas, COMPARE, [kept, webp], SCALE, MIN_DIFFERENCE));
  if (share <= TOLERANCE) return undefined;
  write(`${FAILED}${name}.webp`, Buffer.from(webp, 'base64'));
  return `${name} differs in ${(100 * share).toFixed(1)} % of its points: see dist/pictures, or PICTURES=write TEST_EXTENT=portal npm test -- pictures to keep it`;
}
