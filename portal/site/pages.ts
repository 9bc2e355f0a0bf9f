/** The documentation pages in their order, and the origin of each text. */
import { readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isEmail } from '../../core/contracts/contact.ts';
import { knownSource } from '../../core/reference/evidence.ts';
import { findPort } from '../../core/reference/ports.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { SAMPLE_DECLARATION } from '../../core/sources/sample-simulator/declaration.ts';
import type { SourceDeclaration } from '../../core/upstream/source.ts';
import { durationText, type ListedSource } from '../api/source-list.ts';
import { dataDictionary, errorExample, errorSections, errorTable, planTable } from './contract-tables.ts';
import { coverageSections } from './coverage.ts';
import { markdownTable, type Pictures, type RenderedPage, renderMarkdown } from './markdown.ts';

// The sources with licence, attribution, cadence and budget, from their declarations; for people and as a file.

/** The sample is listed with the others, because a local service may serve nothing else. */
const DECLARED: readonly SourceDeclaration[] = [...SOURCE_DECLARATIONS, SAMPLE_DECLARATION];

export const listedSources = (): ListedSource[] =>
  DECLARED.map((source) => ({
    id: source.id,
    name: source.name,
    publisher: source.publisher,
    trade: source.kind === 'trade',
    homepage: source.homepage,
    licence: source.licence,
    attribution: source.attribution,
    everyMinutes: source.everyMinutes,
    freshnessBudgetMinutes: source.freshnessBudgetMinutes,
    passesOnCalls: source.passesOnCalls === true,
    simulated: source.id === SAMPLE_DECLARATION.id,
  }));

const KINDS: Readonly<Record<SourceDeclaration['kind'], string>> = {
  polls: 'shows the present only, so it is polled and changes are dated between two polls',
  events: 'states the times of arrival, berthing and departure itself',
  trade: 'monthly import values',
};

function section(source: SourceDeclaration): string {
  const { homepage } = source;
  const ports = source.ports.map((code) => `${findPort(code)?.name ?? code} (\`${code}\`)`);
  return [
    `## ${source.name}`,
    markdownTable(
      ['', ''],
      [
        ['Id', `\`${source.id}\``],
        ['Publisher', source.publisher],
        ...(homepage === undefined ? [] : [['Page', `[${new URL(homepage).hostname}](${homepage})`]]),
        ['Evidence', knownSource(source.id).evidence],
        ['Licence', source.licence],
        ['Attribution to show', source.attribution],
        ['Kind', KINDS[source.kind]],
        ['Fetched every', durationText(source.everyMinutes)],
        ['Stale after', durationText(source.freshnessBudgetMinutes)],
        ...(ports.length > 0 ? [['Ports', ports.join(', ')]] : []),
      ],
    ),
  ].join('\n\n');
}

const sourceSections = (): string => DECLARED.map(section).join('\n\n');

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The files of the pages, relative to the repository, by their heading in the list of pages. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Start: [
    'portal/pages/index.md',
    'portal/pages/client.md',
    'portal/pages/limits.md',
    'portal/pages/csv.md',
    'docs/agents.md',
  ],
  Recipes: [
    'portal/pages/recipes.md',
    'docs/recipes/python.md',
    'docs/recipes/r.md',
    'docs/recipes/duckdb.md',
    'docs/recipes/excel.md',
    'docs/recipes/google-sheets.md',
    'docs/recipes/grafana.md',
    'docs/recipes/webhook.md',
  ],
  Reference: ['portal/pages/data-dictionary.md', 'portal/pages/errors.md', 'docs/glossary.md'],
  Data: [
    'portal/pages/coverage.md',
    'docs/methodology.md',
    'docs/methodology-reference.md',
    'portal/pages/record.md',
    'docs/accuracy.md',
    'docs/ais-accuracy.md',
    'portal/pages/sources.md',
    'portal/pages/status.md',
  ],
  Changes: ['portal/pages/versioning.md', 'portal/pages/corrections.md', 'CHANGELOG.md'],
};

const pageName = (file: string): string => basename(file, '.md').toLowerCase();

export interface DocsPage extends RenderedPage {
  readonly name: string;
  readonly group: string;
  readonly href: string;
  /** Address of its Markdown version. */
  readonly twin: string;
  readonly markdown: string;
  /** Its pictures as text, by their address relative to the page. */
  readonly pictures: Pictures;
}

/** A Markdown link to the operator; plain words when the stage has no contact. */
const contactLink = (contact: string | undefined): string => {
  if (contact === undefined) return 'the operator of the service';
  return isEmail(contact) ? `[${contact}](mailto:${contact})` : `[${new URL(contact).host}](${contact})`;
};

type Generator = (settings: SiteSettings) => string;

export interface SiteSettings {
  /** Contact for questions about keys and plans: an e-mail address or an https address. */
  readonly contact?: string | undefined;
  /** A public key that every page uses until the reader enters another. */
  readonly demoKey?: string | undefined;
  /** Where the API is reached; the address of a service on this machine when undefined. */
  readonly apiAddress?: string | undefined;
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

/** Languages of the examples, where they are not called like the extension. */
const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'bash',
  py: 'python',
  txt: '',
  csv: '',
  R: 'r',
  pq: '',
  gs: 'javascript',
};

/** A file of `docs/examples` as a code block: the bytes that the tests run. */
function example(name: string): string {
  const text = readFileSync(`${root}docs/examples/${name}`, 'utf8').trimEnd();
  const extension = extname(name).slice(1);
  return `\`\`\`${LANGUAGES[extension] ?? extension}\n${text}\n\`\`\``;
}

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
  const files = new Set(Object.values(GROUPS).flat());
  const pageOf = (file: string): string | undefined => (files.has(file) ? pageName(file) : undefined);
  const readPage = (file: string, group: string): DocsPage => {
    const text = withTables(complete(readFileSync(root + file, 'utf8'), settings), dirname(file));
    const markdown = relinked(text, file, pageOf);
    const shown = pictures(text, file);
    const name = pageName(file);
    const href = name === 'index' ? '/docs/' : `/docs/${name}.html`;
    const twin = `/docs/${name}.md`;
    return { ...renderMarkdown(markdown, shown), name, group, href, twin, markdown, pictures: shown };
  };
  return Object.entries(GROUPS).flatMap(([group, listed]) => listed.map((file) => readPage(file, group)));
}
