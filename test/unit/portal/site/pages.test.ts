/** Pages from Markdown: anchors, links between files, tables and code; the changelog as a feed. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { XMLParser } from 'fast-xml-parser';
import { atomFeed, CHANGES, CORRECTIONS, readSections } from '../../../../portal/site/changelog.ts';
import { headingAnchor, markdownTable, renderMarkdown } from '../../../../portal/site/markdown.ts';
import { docsPages, relinked } from '../../../../portal/site/pages.ts';

describe('Markdown', () => {
  it('gives title, summary, and anchors that differ', () => {
    const page = renderMarkdown(
      '# One `two`\n\nFirst\nparagraph.\n\n## `auth_missing`\n\n## Same\n\n## Same\n',
    );
    expect([page.title, page.summary]).toEqual(['One two', 'First paragraph.']);
    expect(page.headings.map(({ id }) => id)).toEqual(['auth_missing', 'same', 'same-2']);
    expect(headingAnchor('What a window covers?')).toBe('what-a-window-covers');
    expect(() => renderMarkdown('no heading')).toThrow('without a heading');
  });

  it('leads to pages, keeps markup out, and gives code classes instead of styles', () => {
    const { html } = renderMarkdown(
      '# T\n\n[a](errors.md#x) [b](https://x.org/a.md) <script>\n\n```python\nx = 1\n```\n',
    );
    expect(html).toContain('href="errors.html#x"');
    expect(html).toContain('href="https://x.org/a.md"');
    expect(html).not.toContain('<script>');
    expect(html).toContain('class="hljs-number"');
    expect(html).not.toContain('style=');
  });

  it('makes tables whose cells may contain a bar', () => {
    const { html } = renderMarkdown(`# T\n\n${markdownTable(['', 'b'], [['x|y', '1']])}\n`);
    expect(html).toContain('<td>x|y</td>');
    expect(html.match(/<th /g)).toHaveLength(1);
  });

  it('links to pages stay, links to other files of the repository become text', () => {
    const pageOf = (file: string) => (file === 'docs/methodology.md' ? 'methodology' : undefined);
    const text = '[a](methodology.md#b) [c](../core/x.ts) [d](#e) [f](https://g.h) [i](/docs/)';
    expect(relinked(text, 'docs/accuracy.md', pageOf)).toBe(
      '[a](methodology.md#b) c [d](#e) [f](https://g.h) [i](/docs/)',
    );
  });

  it('shows a table that lies beside the page in the place of its link', () => {
    const page = docsPages().find(({ name }) => name === 'ais-accuracy')?.markdown ?? '';
    expect(page).not.toContain('.json)');
    expect(page.match(/\n\n\*\*Each run\*\*\n\n\| Run \| Recall \|/g)).toHaveLength(1);
    expect(page.match(/\n\| seed 1 \| /g)).toHaveLength(1);
  });

  it('says what each field of the data dictionary means', () => {
    const page = docsPages().find(({ name }) => name === 'data-dictionary')?.markdown ?? '';
    const rows = page.match(/^\| `.+ \| (always|when known) \| .*$/gm);
    expect(rows?.filter((row) => /\| (always|when known) \| +\|/.test(row))).toEqual([]);
  });

  it('is whole on every page', () => {
    const pages = docsPages();
    expect(new Set(pages.map(({ name }) => name)).size).toBe(pages.length);
    for (const { markdown } of pages) {
      expect(() => renderMarkdown(markdown)).not.toThrow();
      expect(markdown).not.toContain('<!--');
    }
  });

  it('name the file of the client as it is packed', () => {
    const { name, version } = JSON.parse(
      readFileSync(new URL('../../../../packages/client/package.json', import.meta.url), 'utf8'),
    );
    const page = docsPages().find((entry) => entry.name === 'client');
    expect(page?.markdown).toContain(`npm install ${name}-${version}.tgz`);
  });
});

it('each correction is an entry of their feed, which leads to its heading', () => {
  const text = readFileSync(new URL('../../../../portal/pages/corrections.md', import.meta.url), 'utf8');
  const xml = atomFeed(CORRECTIONS, readSections(text), '2026-11-20');
  const { feed } = new XMLParser({ ignoreAttributes: false }).parse(xml);
  expect(feed.entry).toHaveLength(text.match(/^## /gm)?.length ?? 0);
  const ids = renderMarkdown(text).html;
  for (const { link } of feed.entry) expect(ids).toContain(`id="${String(link['@_href']).split('#')[1]}"`);
});

describe('the changelog', () => {
  const text =
    '# Changelog\n\nIntro\n\n## [Unreleased]\n\n- soon\n\n## [1.1.0] - 2026-12-01\n\n- a < b & "c"\n\n## 1.0.0 - 2026-11-01\n\n- first\n';

  it('is read release by release', () => {
    expect(readSections(text)).toEqual([
      { title: 'Unreleased', heading: '[Unreleased]', day: undefined, text: '- soon' },
      { title: '1.1.0', heading: '[1.1.0] - 2026-12-01', day: '2026-12-01', text: '- a < b & "c"' },
      { title: '1.0.0', heading: '1.0.0 - 2026-11-01', day: '2026-11-01', text: '- first' },
    ]);
  });

  it('is a feed of what has been released', () => {
    const xml = atomFeed(CHANGES, readSections(text), '2026-11-20');
    const { feed } = new XMLParser({ ignoreAttributes: false }).parse(xml);
    expect(feed.updated).toBe('2026-12-01T00:00:00Z');
    expect(feed.entry.map(({ title }: { title: string }) => String(title))).toEqual(['1.1.0', '1.0.0']);
    expect(feed.entry[0].content['#text']).toBe('- a < b & "c"');
  });

  it('links each entry to the heading that the page gives it', () => {
    const ids = renderMarkdown(text).html;
    const anchors = atomFeed(CHANGES, readSections(text), '2026-11-20').matchAll(/changelog\.html#([^"]+)"/g);
    for (const [, anchor] of anchors) expect(ids).toContain(`id="${anchor}"`);
  });
});
