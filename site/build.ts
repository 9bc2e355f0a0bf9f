/** Builds the portal: pages, scripts, styles, feed and the files that programs read. */
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SOURCE_LIST } from '../portal/api/source-list.ts';
import { buildAssets } from './assets.ts';
import { atomFeed, readReleases } from './changelog.ts';
import { docsBody, explorerBody, framed, tryItBody } from './layout.ts';
import { llmsText } from './llms-text.ts';
import { renderMarkdown } from './markdown.ts';
import { docsPages } from './pages.ts';
import { listedSources } from './source-sections.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const CHANGELOG_PAGE = '/docs/changelog.html';
const CHANGELOG_FEED = '/docs/changelog.atom';

/** Behind the first paragraph of a page that has one; a script fills it. */
const LIVE_PART =
  '<section class="live" id="live" aria-label="State of the sources now"><noscript>The state now is drawn with JavaScript.</noscript></section>';

type Write = (path: string, text: string) => void;

function writeDocs(write: Write, assets: Awaited<ReturnType<typeof buildAssets>>): void {
  const pages = docsPages().map(({ name, group, markdown, live, pictures }) => ({
    pictures,
    group,
    markdown,
    live,
    page: renderMarkdown(markdown),
    file: `/docs/${name}.html`,
    href: name === 'index' ? '/docs/' : `/docs/${name}.html`,
    twin: `/docs/${name}.md`,
  }));
  const listed = pages.map(({ group, href, page }) => ({ group, href, title: page.title }));
  for (const { page, file, href, twin, markdown, live, pictures } of pages) {
    const html = live ? page.html.replace('</p>', `</p>${LIVE_PART}`) : page.html;
    const body = docsBody({ ...page, html }, href, twin, listed);
    const head = `<link rel="alternate" type="text/markdown" href="${twin}">\n`;
    const { title, summary: description } = page;
    write(file, framed({ title, description, section: 'Docs', assets: assets.docs, body, head }));
    write(twin, markdown);
    for (const [path, picture] of pictures) write(`/docs/${path}`, readFileSync(picture, 'utf8'));
  }
  write('/llms.txt', llmsText(pages.map(({ page, twin }) => ({ ...page, twin }))));
}

/** Writes the portal to `outDir`: into a folder next to it first, so that a reader never gets half of it. */
export async function buildPortal(outDir: string): Promise<void> {
  const unfinished = `${outDir}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  const write: Write = (path, text) => {
    mkdirSync(dirname(join(unfinished, path)), { recursive: true });
    writeFileSync(join(unfinished, path), text);
  };
  const assets = await buildAssets(unfinished);
  const frame = {
    title: 'Explorer',
    section: 'Explorer',
    assets: assets.explorer,
    body: explorerBody(),
  } as const;
  write(
    '/index.html',
    framed({ ...frame, description: 'Congestion of seaports: map, trend, waits, alerts.' }),
  );
  write(
    '/try-it.html',
    framed({
      title: 'Try it',
      description: 'Every endpoint, to be tried from the browser.',
      section: 'Try it',
      assets: assets.tryIt,
      body: tryItBody(),
    }),
  );
  writeDocs(write, assets);
  write(
    CHANGELOG_FEED,
    atomFeed(readReleases(readFileSync(`${root}CHANGELOG.md`, 'utf8')), CHANGELOG_PAGE, CHANGELOG_FEED),
  );
  write(SOURCE_LIST, `${JSON.stringify(listedSources(), null, 2)}\n`);
  // A local service says more here; a deployed one has no key to give away.
  write('/portal-settings.json', '{}\n');
  cpSync(`${root}docs/openapi.json`, join(unfinished, 'openapi.json'));
  cpSync(`${root}portal/favicon.svg`, join(unfinished, 'favicon.svg'));
  rmSync(outDir, { recursive: true, force: true });
  renameSync(unfinished, outDir);
}
