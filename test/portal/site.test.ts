/** The built files: links that lead somewhere, twins, anchors, the feed, and what the local service makes of them. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { ERROR_CODES } from '../../core/contracts/errors.ts';
import { PAGES } from '../../core/contracts/openapi/document.ts';
import { RECORD, STATUS_FILE } from '../../core/contracts/published-files.ts';
import { ROUTES } from '../../core/contracts/routes.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { CONTACT, portalFile, portalFiles } from './portal.ts';

const pages = (): string[] => portalFiles().filter((path) => path.endsWith('.html'));
const docs = (): string[] => pages().filter((path) => path.startsWith('/docs/'));
const fileOf = (path: string): string => (path.endsWith('/') ? `${path}index.html` : path);
/** What the pages link to is in the build, or made while the service runs. */
const addressed = (): Set<string> => new Set([...portalFiles(), STATUS_FILE, `/data/${RECORD}`]);
const captured = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);

describe('the pages', () => {
  it('are those that the API names', () => {
    for (const address of Object.values(PAGES)) expect(pages()).toContain(fileOf(address));
  });

  /** The links of a page or its Markdown twin that lead nowhere. */
  function broken(page: string, links: readonly string[]): string[] {
    const files = addressed();
    return links.flatMap((href) => {
      const { origin, pathname, hash } = new URL(href, `http://portal${page}`);
      if (origin !== 'http://portal') return /^(?:https|mailto):/.test(href) ? [] : [`${page}: ${href}`];
      const file = fileOf(pathname);
      const heading = `id="${decodeURIComponent(hash.slice(1))}"`;
      const leads =
        files.has(file) && (hash === '' || portalFile(file.replace(/\.md$/, '.html')).includes(heading));
      return leads ? [] : [`${page}: ${href}`];
    });
  }

  it('lead to files and headings that exist', () => {
    expect(
      pages().flatMap((page) => broken(page, captured(portalFile(page), /(?:href|src)="([^"]+)"/g))),
    ).toEqual([]);
  });

  it('link in their Markdown twins to files and headings that exist', () => {
    const twins = docs().map((page) => page.replace('.html', '.md'));
    expect(
      twins.flatMap((twin) => broken(twin, captured(portalFile(twin), /(?<!!)\[[^\]]*\]\(([^)\s]+)\)/g))),
    ).toEqual([]);
  });

  it('contain shell code that a shell can parse', () => {
    const blocks = docs().flatMap((page) =>
      captured(portalFile(page.replace('.html', '.md')), /```(?:bash|sh)\n([\s\S]*?)```/g),
    );
    expect(blocks.length).toBeGreaterThan(3);
    for (const input of blocks)
      expect(spawnSync('bash', ['-n'], { input, encoding: 'utf8' }).stderr).toBe('');
  });

  it('say whom to ask for a key', () => {
    expect(portalFile('/docs/index.html')).toContain(`href="mailto:${CONTACT}"`);
    for (const page of pages())
      expect(portalFile(page)).toContain(`<a id="contact" href="mailto:${CONTACT}">`);
    expect(JSON.parse(portalFile('/openapi.json')).info.contact).toMatchObject({ email: CONTACT });
  });

  it('draw the plots of the accuracy study inside the page, where the theme reaches them', () => {
    const html = portalFile('/docs/accuracy.html');
    expect(html.match(/<svg class="plot" aria-label="[^"]+"/g)?.length).toBeGreaterThan(4);
    expect(html).not.toMatch(/<img/);
    expect(portalFile('/docs/accuracy.md')).not.toContain('do not edit');
  });

  it('load nothing from another host and contain no inline code or style', () => {
    for (const page of pages()) {
      const html = portalFile(page);
      expect(html).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)="https?:/);
      expect(html).not.toMatch(
        /<script(?![^>]*(?:src=|type="application\/json"))|<style|\sstyle="|\son[a-z]+="/,
      );
    }
  });

  it('have a Markdown twin that says so, and are listed in llms.txt', () => {
    const llms = portalFile('/llms.txt');
    for (const page of docs()) {
      const twin = page.replace('.html', '.md');
      const heading = portalFile(twin).match(/^# (.+)$/m)?.[1] ?? 'no heading';
      expect(portalFile(page)).toContain(`<link rel="alternate" type="text/markdown" href="${twin}">`);
      expect(llms).toContain(`[${heading}](${twin})`);
      expect(portalFile(twin)).not.toMatch(/<!-- (?:include|example|output)/);
    }
  });

  it('send a reader of /status.html on to the status page', () => {
    expect(portalFile('/status.html')).toContain('content="0; url=/docs/status.html"');
  });

  it('explain every error, name every path, and carry every attribution', () => {
    for (const code of ERROR_CODES) expect(portalFile('/docs/errors.html')).toContain(`id="${code}"`);
    for (const { paths } of Object.values(ROUTES))
      expect(portalFile('/docs/data-dictionary.md')).toContain(paths[0]);
    for (const { attribution, licence } of SOURCE_DECLARATIONS) {
      expect(portalFile('/docs/sources.md')).toContain(attribution);
      expect(portalFile('/docs/sources.json')).toContain(licence);
    }
  });

  it('contain no key', () => {
    for (const file of portalFiles().filter(
      (path) => /\.(?:html|js|json)$/.test(path) && !/^\/(?:docs|openapi)/.test(path),
    ))
      expect(portalFile(file)).not.toMatch(/pcd_(?:dev|live)_[A-Za-z0-9]{24}/);
  });
});
