/** Markdown of a documentation page to HTML: headings with anchors, tables that scroll, code that wraps, inline pictures. */
import hljs from 'highlight.js/lib/common';
import MarkdownIt from 'markdown-it';

interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

export interface RenderedPage {
  readonly html: string;
  /** Text of the first heading. */
  readonly title: string;
  /** Plain text of the first paragraph. */
  readonly summary: string;
  /** Second-level headings, for the list at the side. */
  readonly headings: readonly Heading[];
}

/** `auth_missing` stays; `What a window covers` becomes `what-a-window-covers`. */
export const headingAnchor = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_. -]/gu, '')
    .trim()
    .replace(/ +/g, '-');

const highlight = (code: string, language: string): string =>
  hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : '';

/** SVG documents by the address under which a page shows them. */
export type Pictures = ReadonlyMap<string, string>;

const markdown = new MarkdownIt({ html: false, linkify: false, highlight });
type Tokens = ReturnType<typeof markdown.parse>;

/** Lets a line of code break after punctuation, so that a narrow page never breaks a word or hides the end of a line. */
const breakable = (html: string): string =>
  html.replace(/<[^>]*>|&#?\w+;|:-|[,?](?=\S)|\/(?=[^\s/])/g, (found) =>
    /^[<&]/.test(found) ? found : `${found}<wbr>`,
  );

const rules = markdown.renderer.rules;
for (const rule of ['fence', 'code_block'] as const) {
  const rendered = rules[rule];
  rules[rule] = (...given) =>
    (rendered?.(...given) ?? '').replace(
      /(<code[^>]*>)([\s\S]*)(<\/code>)/,
      (_, open, code, close) => open + breakable(code) + close,
    );
}
/** Longer inline code may break after punctuation; shorter code never breaks. */
const MAX_UNBROKEN = 26;
rules.code_inline = (tokens, at) => {
  const text = tokens[at]?.content ?? '';
  const html = markdown.utils.escapeHtml(text);
  return text.length > MAX_UNBROKEN ? `<code class="long">${breakable(html)}</code>` : `<code>${html}</code>`;
};
/** An SVG picture is inlined into the page, where the page's theme colours it. */
rules.image = (tokens, at, options, env, self) => {
  const token = tokens[at];
  if (token === undefined) return '';
  const text = self.renderInlineAsText(token.children ?? [], options, env);
  const svg = (env as { pictures: Pictures }).pictures.get(String(token.attrGet('src')));
  if (svg !== undefined) {
    const label = `aria-label="${markdown.utils.escapeHtml(text)}"`;
    return `<span class="plot-scroll" tabindex="0" role="region" ${label}>${svg.trim().replace('<svg ', `<svg class="plot" ${label} `)}</span>`;
  }
  token.attrSet('alt', text);
  return self.renderToken(tokens, at, options);
};
rules.table_open = (tokens, at) => {
  const number = tokens.slice(0, at + 1).filter(({ type }) => type === 'table_open').length;
  return `<div class="table-scroll" tabindex="0" role="region" aria-label="Table ${number}"><table class="data">`;
};
rules.table_close = () => '</table></div>';
// A column without a name has no header.
rules.th_open = (tokens, at) => (tokens[at + 1]?.content === '' ? '<td>' : '<th scope="col">');
rules.th_close = (tokens, at) => (tokens[at - 1]?.content === '' ? '</td>' : '</th>');

/** Pages link to one another as Markdown files; in HTML the links go to the pages. */
function leadToPages(tokens: Tokens): void {
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type !== 'link_open') continue;
    const href = String(token.attrGet('href'));
    if (!/^[a-z]+:/.test(href)) token.attrSet('href', href.replace(/\.md(?=#|$)/, '.html'));
  }
}

function anchorHeadings(tokens: Tokens): Heading[] {
  const taken = new Set<string>();
  return tokens.flatMap((token, i) => {
    if (token.type !== 'heading_open') return [];
    const text = (tokens[i + 1]?.children ?? []).map(({ content }) => content).join('');
    const anchor = headingAnchor(text);
    let id = anchor;
    for (let n = 2; taken.has(id); n += 1) id = `${anchor}-${n}`;
    taken.add(id);
    token.attrSet('id', id);
    return [{ level: Number(token.tag.slice(1)), id, text }];
  });
}

function firstParagraph(tokens: Tokens): string {
  const at = tokens.findIndex(({ type }) => type === 'paragraph_open');
  const children = tokens[at + 1]?.children ?? [];
  return children.map(({ content, type }) => (type === 'softbreak' ? ' ' : content)).join('');
}

/** Throws when the page has no heading: every page needs a title. */
export function renderMarkdown(text: string, pictures: Pictures = new Map()): RenderedPage {
  const tokens = markdown.parse(text, {});
  const headings = anchorHeadings(tokens);
  leadToPages(tokens);
  const [title] = headings;
  if (title === undefined) throw new Error(`a page without a heading: ${text.slice(0, 60)}`);
  return {
    html: markdown.renderer.render(tokens, markdown.options, { pictures }),
    title: title.text,
    summary: firstParagraph(tokens),
    headings: headings.filter(({ level }) => level === 2),
  };
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}
