/** The built files: links that lead somewhere, twins, anchors, the feed, and what the local service makes of them. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { XMLParser } from 'fast-xml-parser';
import { ERROR_CODES } from '../../core/contracts/errors.ts';
import { PAGES } from '../../core/contracts/openapi.ts';
import { RECORD } from '../../core/contracts/record.ts';
import { ROUTES } from '../../core/contracts/routes.ts';
import { STATUS_FILE } from '../../core/contracts/status.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { CONTACT, portalFile, portalFiles } from './portal.ts';

const pages = (): string[] => portalFiles().filter((path) => path.endsWith('.html'));
const docs = (): string[] => pages().filter((path) => path.startsWith('/docs/'));
const fileOf = (path: string): string => (path.endsWith('/') ? `${path}index.html` : path);
/** What the pages link to is in the build, or made while the service runs. */
const addressed = (): Set<string> => new Set([...portalFiles(), STATUS_FILE, `/data/${RECORD}`]);
const hrefs = (html: string): string[] =>
  [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, href = '']) => href);

describe('the pages', () => {
  it('are all there', () => {
    const names = [
      'index',
      'data-dictionary',
      'methodology',
      'accuracy',
      'errors',
      'limits',
      'csv',
      'sources',
    ];
    for (const name of [...names, 'status', 'versioning', 'changelog', 'client', 'glossary'])
      expect(docs()).toContain(`/docs/${name}.html`);
    for (const address of Object.values(PAGES)) expect(pages()).toContain(fileOf(address));
  });

  it.each(['/', '/docs/'])('under %s lead to files and headings that exist', (folder) => {
    const files = addressed();
    const broken = pages()
      .filter((page) => page.startsWith(folder))
      .flatMap((page) =>
        hrefs(portalFile(page)).flatMap((href) => {
          const { origin, pathname, hash } = new URL(href, `http://portal${page}`);
          if (origin !== 'http://portal') return /^(?:https|mailto):/.test(href) ? [] : [`${page}: ${href}`];
          const file = fileOf(pathname);
          if (!files.has(file)) return [`${page}: ${href}`];
          const named = hash === '' || portalFile(file).includes(`id="${decodeURIComponent(hash.slice(1))}"`);
          return named ? [] : [`${page}: ${href}`];
        }),
      );
    expect(broken).toEqual([]);
  });

  it('link in their Markdown twins to files and headings that exist', () => {
    const files = addressed();
    const broken = docs().flatMap((page) => {
      const twin = page.replace('.html', '.md');
      return [...portalFile(twin).matchAll(/(?<!!)\[[^\]]*\]\(([^)\s]+)\)/g)].flatMap(([, href = '']) => {
        const { origin, pathname, hash } = new URL(href, `http://portal${twin}`);
        if (origin !== 'http://portal') return [];
        const file = fileOf(pathname);
        const target = file.replace(/\.md$/, '.html');
        const found =
          files.has(file) &&
          (hash === '' || portalFile(target).includes(`id="${decodeURIComponent(hash.slice(1))}"`));
        return found ? [] : [`${twin}: ${href}`];
      });
    });
    expect(broken).toEqual([]);
  });

  it('link methodology, glossary and accuracy to one another', () => {
    expect(portalFile('/docs/methodology.html')).toContain('href="glossary.html"');
    expect(portalFile('/docs/methodology.html')).toContain('href="accuracy.html"');
    expect(portalFile('/docs/glossary.html')).toContain('href="methodology.html"');
  });

  it('contain shell code that a shell can parse', () => {
    const blocks = docs().flatMap((page) =>
      [...portalFile(page.replace('.html', '.md')).matchAll(/```(?:bash|sh)\n([\s\S]*?)```/g)].map(
        ([, code = '']) => code,
      ),
    );
    expect(blocks.length).toBeGreaterThan(3);
    for (const input of blocks)
      expect(spawnSync('bash', ['-n'], { input, encoding: 'utf8' }).stderr).toBe('');
  });

  it('say whom to ask for a key', () => {
    expect(portalFile('/docs/index.html')).toContain(`href="mailto:${CONTACT}"`);
    for (const page of pages())
      expect(portalFile(page)).toContain(`<a id="contact" href="mailto:${CONTACT}">`);
    expect(JSON.parse(portalFile('/openapi.json')).info.contact).toEqual({ email: CONTACT });
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

  it('have a feed that reads as Atom', () => {
    const { feed } = new XMLParser({ ignoreAttributes: false }).parse(portalFile('/docs/changelog.atom'));
    expect(feed['@_xmlns']).toBe('http://www.w3.org/2005/Atom');
    expect(Date.parse(feed.updated)).not.toBeNaN();
  });

  it('contain no key', () => {
    for (const file of portalFiles().filter(
      (path) => /\.(?:html|js|json)$/.test(path) && !/^\/(?:docs|openapi)/.test(path),
    ))
      expect(portalFile(file)).not.toMatch(/pcd_(?:dev|live)_[A-Za-z0-9]{24}/);
  });
});
