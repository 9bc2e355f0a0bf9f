/** The frame of every page of the portal, as HTML. */
import { isEmail } from '../../core/contracts/contact.ts';
import { groupBy } from '../../core/reference/statistics.ts';
import { settingsBlock } from '../settings-block.ts';
import type { DocsPage } from './pages.ts';

/** Addresses of the built files that pages refer to. */
export interface AssetAddresses {
  readonly script: string;
  readonly style: string;
  /** Loaded before the page is drawn. */
  readonly theme: string;
}

export const TITLE = 'Port Congestion Data Service';

const SECTIONS = [
  { href: '/', label: 'Explorer', view: 'map' },
  { href: '/?imports=85', label: 'Imports', view: 'imports' },
  { href: '/try-it.html', label: 'Try it', view: undefined },
  { href: '/docs/', label: 'Docs', view: undefined },
] as const;

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const BRAND = `<a class="brand" href="/"><svg viewBox="0 0 24 24" aria-hidden="true"><path class="keel" d="M3 12h18l-3 6H6zM8 6h3v4H8zm5-2h3v6h-3z"/><path class="wave" d="M2 21.5c2 0 2-1.3 4-1.3s2 1.3 4 1.3 2-1.3 4-1.3 2 1.3 4 1.3 2-1.3 4-1.3"/></svg>${TITLE}</a>`;
const THEME = `<button type="button" class="theme-button" id="theme" aria-label="Switch theme"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2v14a7 7 0 0 1 0-14z"/></svg></button>`;

export interface Frame {
  readonly title: string;
  readonly description: string;
  /** The section of the portal that the page belongs to; none for the 404 page. */
  readonly section?: (typeof SECTIONS)[number]['label'];
  readonly contact?: string | undefined;
  /** A public key that the page uses; a local service puts its own in its place. */
  readonly demoKey?: string | undefined;
  readonly assets: AssetAddresses;
  /** HTML of the body between header and footer. */
  readonly body: string;
  readonly head?: string;
}

function navigation(current: Frame['section']): string {
  const links = SECTIONS.map(({ href, label, view }) => {
    const attributes = `${view === undefined ? '' : ` data-view="${view}"`}${label === current ? ' aria-current="page"' : ''}`;
    return `<a href="${href}"${attributes}>${label}</a>`;
  });
  return `<nav aria-label="Portal">${links.join('')}</nav>`;
}

/** Scripts read its address too, to name the contact for keys. */
const contactAnchor = (contact: string): string =>
  `<a id="contact" href="${escapeHtml(isEmail(contact) ? `mailto:${contact}` : contact)}">Contact</a>`;

export function framed(frame: Frame): string {
  const { title, description, section, assets, body, head = '', contact, demoKey } = frame;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · ${TITLE}</title>
<meta name="description" content="${escapeHtml(description)}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="alternate" type="application/atom+xml" title="Changes" href="/docs/changelog.atom">
<link rel="alternate" type="application/atom+xml" title="Corrections" href="/docs/corrections.atom">
${head}${settingsBlock({ demoKey })}
<link rel="stylesheet" href="${assets.style}">
<script src="${assets.theme}"></script>
<script type="module" src="${assets.script}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="frame-head">${BRAND}${navigation(section)}${THEME}</header>
${body}
<footer class="frame-foot"><span>${TITLE}</span><a href="/docs/sources.html">Sources and licences</a><a href="/docs/changelog.html">Changes</a><a href="/openapi.json">OpenAPI</a><a href="/llms.txt">llms.txt</a>${contact === undefined ? '' : contactAnchor(contact)}</footer>
</body>
</html>
`;
}

/** A script makes it search; it is here so that nothing moves when the script comes. */
const SEARCH =
  '<search class="search"><input type="search" placeholder="Search the docs" aria-label="Search the documentation" autocomplete="off"></search>';

/** A documentation page between the list of pages and the list of its own headings. */
export function docsBody({ html, headings, href, twin }: DocsPage, pages: readonly DocsPage[]): string {
  const groups = [...groupBy(pages, ({ group }) => group)].map(([group, listed]) => {
    const links = listed.map(
      (page) =>
        `<li><a href="${page.href}"${page.href === href ? ' aria-current="page"' : ''}>${escapeHtml(page.title)}</a></li>`,
    );
    return `<p>${group}</p><ul>${links.join('')}</ul>`;
  });
  const contents = headings.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`);
  const side =
    contents.length < 2
      ? ''
      : `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${contents.join('')}</ul></nav>`;
  return `<div class="docs">
<nav class="pages" aria-label="Documentation">${SEARCH}<details open><summary>Documentation</summary>${groups.join('')}</details></nav>
<main id="content" tabindex="-1"><article>${html}</article><p class="twin"><a href="${twin}" type="text/markdown">This page as Markdown</a></p></main>
${side}</div>`;
}

export const explorerBody =
  (): string => `<div class="banner"><div id="banner" role="status"></div><div id="key-slot"></div></div>
<main id="content"><h1 class="visually-hidden">Port congestion explorer</h1><noscript><p class="notice">The explorer draws with JavaScript. The <a href="/docs/">documentation</a> needs none.</p></noscript><div id="view"><div class="map-view"><p class="lead">Congestion of seaports, from open port-call data.</p><div class="overview"><div class="story"></div><div class="map-side"><div class="map"></div></div></div></div></div></main>`;

export const notFoundBody = (): string =>
  `<main id="content" class="lone" tabindex="-1"><h1>Page not found</h1><p>No page of this portal has this address. Go to the <a href="/">explorer</a> or the <a href="/docs/">documentation</a>.</p></main>`;

/** For an address that readers try: the page itself is at `href`. */
export const movedBody = (href: string): string =>
  `<main id="content" class="lone" tabindex="-1"><h1>This page has moved</h1><p>It is at <a href="${href}">${href}</a>.</p></main>`;
