/** The documentation pages in their order, and the origin of each text. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isEmail } from '../../core/contracts/contact.ts';
import { dataDictionary, errorExample, errorSections, errorTable, planTable } from './contract-tables.ts';
import { coverageSections } from './coverage.ts';
import { markdownTable, type Pictures } from './markdown.ts';
import { sourceSections } from './source-sections.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A part of a page that a script fills. */
export type LivePart = 'status' | 'coverage' | 'record';

interface PageSource {
  /** File name of the page and its Markdown version, without extension. */
  readonly name: string;
  /** Relative to the repository. */
  readonly file: string;
  /** The page has a part that is drawn in the browser. */
  readonly live?: LivePart;
}

const own = (name: string): PageSource => ({ name, file: `portal/pages/${name}.md` });

/** The pages by their heading in the list of pages. */
const GROUPS: Readonly<Record<string, readonly PageSource[]>> = {
  Start: [
    own('index'),
    own('client'),
    own('limits'),
    own('csv'),
    own('recipes'),
    { name: 'agents', file: 'docs/agents.md' },
  ],
  Reference: [own('data-dictionary'), own('errors'), { name: 'glossary', file: 'docs/glossary.md' }],
  Data: [
    { ...own('coverage'), live: 'coverage' },
    { name: 'methodology', file: 'docs/methodology.md' },
    { ...own('record'), live: 'record' },
    { name: 'accuracy', file: 'docs/accuracy.md' },
    { name: 'ais-accuracy', file: 'docs/ais-accuracy.md' },
    own('sources'),
    { ...own('status'), live: 'status' },
  ],
  Changes: [own('versioning'), { name: 'changelog', file: 'CHANGELOG.md' }],
};

export interface DocsPage {
  readonly name: string;
  readonly group: string;
  /** The whole page as Markdown. */
  readonly markdown: string;
  readonly live: LivePart | undefined;
  /** Its pictures as text, by their address relative to the page. */
  readonly pictures: Pictures;
}

/** A Markdown link to the operator; plain words when the stage has no contact. */
const contactLink = (contact: string | undefined): string => {
  if (contact === undefined) return 'the operator of the service';
  return isEmail(contact) ? `[${contact}](mailto:${contact})` : `[${new URL(contact).host}](${contact})`;
};

type Generator = (settings: SiteSettings) => string;

/** Settings of the portal of one stage. */
export interface SiteSettings {
  /** Contact for questions about keys and plans: an e-mail address or an https address. */
  readonly contact?: string | undefined;
  /** A public key that every page uses until the reader enters another. */
  readonly demoKey?: string | undefined;
}

const GENERATORS: Readonly<Record<string, Generator>> = {
  contact: ({ contact }) => `Ask ${contactLink(contact)}.`,
  'data-dictionary': dataDictionary,
  'error-example': errorExample,
  'error-table': errorTable,
  'error-sections': errorSections,
  plans: planTable,
  coverage: () => coverageSections(),
  sources: sourceSections,
};

const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'bash',
  ts: 'ts',
  py: 'python',
  txt: '',
  json: 'json',
  csv: '',
  R: 'r',
  pq: '',
};

/** A file of `docs/examples` as a code block: the bytes that the tests run. */
function example(name: string): string {
  const text = readFileSync(`${root}docs/examples/${name}`, 'utf8').trimEnd();
  return `\`\`\`${LANGUAGES[name.split('.').at(-1) ?? ''] ?? ''}\n${text}\n\`\`\``;
}

/** The recorded output of an example, which the tests compare. */
function output(name: string): string {
  return `\`\`\`\n${readFileSync(`${root}docs/examples/output/${name}.txt`, 'utf8').trimEnd()}\n\`\`\``;
}

/** A table of JSON, by its address relative to the repository, with its title. */
function storedTable(file: string): string {
  const { title, columns, rows } = JSON.parse(readFileSync(root + file, 'utf8')) as {
    readonly title: string;
    readonly columns: readonly string[];
    readonly rows: readonly (readonly string[])[];
  };
  return `**${title}**\n\n${markdownTable(columns, rows)}`;
}

/** Replaces a paragraph that is only the link to a table by the table. `folder` is that of the page, in the repository. */
const withTables = (text: string, folder: string): string =>
  text.replace(/^\[[^\]]+\]\((\S+\.json)\)$/gm, (_, path: string) => storedTable(`${folder}/${path}`));

/** Replaces `<!-- include: plans -->` and `<!-- example: quickstart.sh -->` with the named content; removes other comments. */
function complete(text: string, settings: SiteSettings): string {
  return text
    .replace(/<!-- include: (\S+) -->/g, (_, name: string) => {
      const generate = GENERATORS[name];
      if (!generate) throw new Error(`no generator is called ${name}`);
      return generate(settings);
    })
    .replace(/^<!-- example: (\S+) -->$/gm, (_, name: string) => example(name))
    .replace(/^<!-- output: (\S+) -->$/gm, (_, name: string) => output(name))
    .replace(/^<!--(?! (?:include|example|output)).*-->\n/gm, '');
}

/**
 * Links between files of the repository become links between pages; a link to a file without a page becomes plain text, because
 * a reader of the portal has no repository.
 */
export function relinked(text: string, file: string, pageOf: (file: string) => string | undefined): string {
  return text.replace(/(?<!!)\[([^\]]+)\]\(([^)\s]+)\)/g, (whole, label: string, href: string) => {
    if (/^(?:[a-z]+:|\/|#)/.test(href)) return whole;
    const [path = '', anchor] = href.split('#');
    const target = new URL(path, `file:///${file}`).pathname.slice(1);
    const page = pageOf(target);
    if (page === undefined) return label;
    return `[${label}](${page}.md${anchor === undefined ? '' : `#${anchor}`})`;
  });
}

/** The pictures of a page, which lie next to its file. */
function pictures(text: string, file: string): Pictures {
  const named = [...text.matchAll(/!\[[^\]]*\]\(([^):]+)\)/g)].map(([, path = '']) => path);
  return new Map(named.map((path) => [path, readFileSync(join(root, dirname(file), path), 'utf8')]));
}

/** Every page; throws when a file of one is missing. */
export function docsPages(settings: SiteSettings = {}): DocsPage[] {
  const sources = Object.entries(GROUPS).flatMap(([group, pages]) =>
    pages.map((page) => ({ ...page, group })),
  );
  const byFile = new Map(sources.map(({ file, name }) => [file, name]));
  return sources.map(({ name, file, group, live }) => {
    const text = withTables(complete(readFileSync(root + file, 'utf8'), settings), dirname(file));
    const markdown = relinked(text, file, (target) => byFile.get(target));
    return { name, group, live, markdown, pictures: pictures(text, file) };
  });
}
