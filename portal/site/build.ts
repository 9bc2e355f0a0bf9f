/** Builds the portal: pages, scripts, styles, feed and the files that programs read. */
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contactObject } from '../../core/contracts/contact.ts';
import {
  documentOf,
  MEDIA_TYPE_FILES,
  type MediaType,
  type OpenApiDocument,
} from '../../core/contracts/openapi/document.ts';
import {
  PLAIN_FILE,
  POSTMAN_FILE,
  plainDocument,
  postmanCollection,
} from '../../core/contracts/openapi/other-forms.ts';
import { dayOf } from '../../core/reference/time.ts';
import { COVERAGE_LIST } from '../api/coverage.ts';
import { READABLE_PORTS } from '../api/files.ts';
import { SOURCE_LIST } from '../api/source-list.ts';
import { SEARCH_INDEX } from '../docs/search.ts';
import { NOT_FOUND_PAGE } from '../served-headers.ts';
import { buildAssets } from './assets.ts';
import { atomFeed, CHANGES, CORRECTIONS, type DatedFeed, feedPath, readSections } from './changelog.ts';
import { coverageList } from './coverage.ts';
import { coverageHead } from './coverage-map.ts';
import {
  type AssetAddresses,
  docsBody,
  explorerBody,
  type Frame,
  framed,
  movedBody,
  notFoundBody,
  TITLE,
} from './layout.ts';
import { type DocsPage, docsPages, listedSources, type SiteSettings } from './pages.ts';
import { readablePorts } from './readable-ports.ts';
import { searchIndex } from './search-index.ts';
import { tryItBody } from './try-it-page.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const STATUS_PAGE = '/docs/status.html';

/** `llms.txt`: the content of the portal for programs that read text, with the Markdown version of each page. */
const llmsText = (pages: readonly DocsPage[]): string => `# ${TITLE}

> Read-only, keyed HTTP API: congestion score, waiting time, vessel counts, dwell periods and alerts of seaports, the freshness of the sources behind them, and monthly import momentum by HS code. JSON, and CSV where the response is a list.

- Every request but \`GET /v1/health\` needs the header \`X-API-Key\`. Never put a key into a URL, a page or a log.
- Start with \`GET /v1/ports\`, then \`GET /v1/ports/{UNLOCODE}/snapshot\` or \`/trend?window=30d\`.
- On 429 wait for the seconds in \`Retry-After\`. On 5xx wait 1, 2, 4, 8 s with 20 % jitter. Never retry another 4xx: \`hint\` says what to change.
- An agent can use the API through MCP tools instead: see [Agents](/docs/agents.md).
- The whole contract is [openapi.json](/openapi.json).

## Pages

${pages.map(({ title, summary, twin }) => `- [${title}](${twin}): ${summary}`).join('\n')}
`;

/** Puts the part that a script fills into a page, where no text moves when it is filled; by name of the page. */
const LIVE_PARTS: Readonly<Record<string, (html: string) => string>> = {
  status: (html) =>
    `${html}<section class="live" id="live" data-live="status" aria-label="State of the sources now"><noscript>The current state needs JavaScript.</noscript></section>`,
  record: (html) =>
    `${html}<section class="live" id="live" data-live="record" aria-label="Forecasts and alerts beside what came"><noscript>The record needs JavaScript. <a href="/data/record.json">record.json</a> has the same.</noscript></section>`,
  coverage: (html) => html.replace('</p>', `</p>${coverageHead(coverageList())}`),
};

type Write = (path: string, text: string) => void;

function writeDocs(write: Write, assets: AssetAddresses, settings: SiteSettings): void {
  const pages = docsPages(settings);
  for (const page of pages) {
    const { name, title, summary: description, twin, markdown, pictures } = page;
    const body = docsBody({ ...page, html: LIVE_PARTS[name]?.(page.html) ?? page.html }, pages);
    const head = `<link rel="alternate" type="text/markdown" href="${twin}">\n`;
    const frame: Frame = { ...settings, title, description, section: 'Docs', assets, body, head };
    write(`/docs/${name}.html`, framed(frame));
    write(twin, markdown);
    for (const [path, picture] of pictures) write(`/docs/${path}`, picture);
  }
  write(SEARCH_INDEX, JSON.stringify(searchIndex(pages)));
  write('/llms.txt', llmsText(pages));
}

/** The committed OpenAPI document with the address and the contact of the stage. */
function stageDocument({ contact, apiAddress }: SiteSettings): OpenApiDocument {
  const committed = JSON.parse(readFileSync(`${root}docs/openapi.json`, 'utf8')) as OpenApiDocument;
  const { info, servers } = committed;
  const stated = contact === undefined ? info.contact : { ...info.contact, ...contactObject(contact) };
  return {
    ...committed,
    info: { ...info, contact: stated },
    servers: servers.map((server) => ({ ...server, url: apiAddress ?? server.url })),
  };
}

/** The document whole, once for each media type, in OpenAPI 3.0, and as a Postman collection. */
function writeOpenApi(write: Write, document: OpenApiDocument, { demoKey }: SiteSettings): void {
  const writeJson = (path: string, content: object): void =>
    write(path, `${JSON.stringify(content, null, 2)}\n`);
  writeJson('/openapi.json', document);
  for (const [mediaType, path] of Object.entries(MEDIA_TYPE_FILES))
    writeJson(path, documentOf(document, mediaType as MediaType));
  const plain = plainDocument(document);
  writeJson(PLAIN_FILE, plain);
  writeJson(POSTMAN_FILE, postmanCollection(plain, demoKey));
}

/** Writes the portal to `outDir`: into a folder next to it first, so that a reader never gets an incomplete portal. */
export async function buildPortal(outDir: string, settings: SiteSettings = {}): Promise<void> {
  const unfinished = `${outDir}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  const write: Write = (path, text) => {
    mkdirSync(dirname(join(unfinished, path)), { recursive: true });
    writeFileSync(join(unfinished, path), text);
  };
  const assets = await buildAssets(unfinished);
  const document = stageDocument(settings);
  const page = (path: string, frame: Frame): void => write(path, framed({ ...settings, ...frame }));
  page('/index.html', {
    title: 'Explorer',
    description: 'Congestion of seaports: map, trend, waits, alerts.',
    section: 'Explorer',
    assets: assets.explorer,
    body: explorerBody(),
  });
  page('/try-it.html', {
    title: 'Try it',
    description: 'Send requests to every endpoint from the browser.',
    section: 'Try it',
    assets: assets.tryIt,
    body: tryItBody(document),
  });
  page(NOT_FOUND_PAGE, {
    title: 'Page not found',
    description: 'No page has this address.',
    assets: assets.docs,
    body: notFoundBody(),
  });
  page('/status.html', {
    title: 'Status',
    description: 'State of the sources.',
    assets: assets.docs,
    body: movedBody(STATUS_PAGE),
    head: `<meta http-equiv="refresh" content="0; url=${STATUS_PAGE}">\n`,
  });
  writeDocs(write, assets.docs, settings);
  const writeFeed = (feed: DatedFeed, file: string): void => {
    const sections = readSections(readFileSync(root + file, 'utf8'));
    write(feedPath(feed), atomFeed(feed, sections, dayOf(Date.now())));
  };
  writeFeed(CHANGES, 'CHANGELOG.md');
  writeFeed(CORRECTIONS, 'portal/pages/corrections.md');
  write(SOURCE_LIST, `${JSON.stringify(listedSources(), null, 2)}\n`);
  write(COVERAGE_LIST, `${JSON.stringify(coverageList(), null, 2)}\n`);
  write(READABLE_PORTS, JSON.stringify(readablePorts()));
  writeOpenApi(write, document, settings);
  cpSync(`${root}portal/favicon.svg`, join(unfinished, 'favicon.svg'));
  rmSync(outDir, { recursive: true, force: true });
  renameSync(unfinished, outDir);
}
