/** The manifest of a release: its files with addresses, sizes and digests, their columns, and the sources of the rows. */
import * as z from 'zod/mini';
import { escaped } from '../contracts/feeds.ts';
import { KNOWN_DAYS } from '../contracts/published-files.ts';
import { groupBy } from '../reference/statistics.ts';
import { addDays, type Day, formatInstant, isDay, parseInstant } from '../reference/time.ts';
import { callTablesDeclaration } from '../sources/call-tables/declaration.ts';
import { SOURCE_DECLARATIONS } from '../sources/declarations.ts';
import type { PortRow } from '../store/ports.ts';
import { LATEST, MANIFEST, ReleaseFailure, releaseFolder } from '../store/release-place.ts';
import type { Beginning, Known } from '../store/series.ts';
import { type GivenTable, type SourceStatus, statedTable } from '../store/source-status.ts';
import type { SourceDeclaration } from '../upstream/source.ts';

// The sources of the rows of a release, and what their licences permit a release to contain.

/** The declarations of every source that a release may have rows of, but for the sample. */
export const RELEASED_DECLARATIONS: readonly SourceDeclaration[] = [
  ...SOURCE_DECLARATIONS,
  callTablesDeclaration,
];

/** What is shown of a table where the person who gave it states nothing. */
const NOT_STATED = 'not stated';

/** The columns that say where a row comes from. */
export interface Origin {
  readonly source: string;
  readonly licence: string;
}

/** A port whose rows may be passed on. */
export interface ReleasedPort {
  readonly row: Known<PortRow>;
  readonly origin: Origin;
  /** Whether the licences of all its sources permit that its single port calls are published. */
  readonly passesOnCalls: boolean;
  /** Undefined where nothing was known of it yet. */
  readonly begin: Beginning | undefined;
}

/** The last UTC day that a release of `today` has of a port: the last one that its observations cover, and the day before the release at most. */
export function lastDayOf({ lastDay }: Pick<PortRow, 'lastDay'>, today: Day): Day {
  const yesterday = addDays(today, -1);
  return lastDay !== undefined && lastDay < yesterday ? lastDay : yesterday;
}

type Terms = Pick<SourceDeclaration, 'id' | 'licence' | 'passesOnCalls'>;

export const originOf = (terms: readonly Terms[]): Origin => ({
  source: terms.map(({ id }) => id).join(' '),
  licence: terms.map(({ licence }) => licence).join('; '),
});

/**
 * Leaves out ports without a source or with an undeclared one: what its licence permits is unknown.
 * @param tables those of tables of calls, each with terms of its own
 */
export const releasedPorts = (
  rows: readonly Known<PortRow>[],
  declarations: readonly SourceDeclaration[],
  tables: readonly GivenTable[],
  beginnings: ReadonlyMap<string, Beginning>,
): ReleasedPort[] =>
  rows.flatMap((row) => {
    const declared = row.sources.flatMap((source) => declarations.find(({ id }) => id === source) ?? []);
    if (declared.length === 0 || declared.length < row.sources.length) return [];
    const terms = declared.map((declaration) =>
      declaration.id === callTablesDeclaration.id ? termsOf(tables, row.port) : declaration,
    );
    const passesOnCalls = terms.every((of) => of.passesOnCalls === true);
    return [{ row, origin: originOf(terms), passesOnCalls, begin: beginnings.get(row.port) }];
  });

/** The terms of the tables of a port together. */
function termsOf(tables: readonly GivenTable[], port: string): Terms {
  const { id } = callTablesDeclaration;
  const given = tables.filter(({ ports }) => ports.includes(port));
  const licences = new Set(given.map(({ licence = NOT_STATED }) => licence));
  const licence = [...licences].join(', ') || NOT_STATED;
  const passesOnCalls = given.length > 0 && given.every((table) => table.passesOnCalls);
  return passesOnCalls ? { id, licence, passesOnCalls } : { id, licence };
}

/** The source of the import values, if it has been fetched. */
export function importSource(
  declarations: readonly SourceDeclaration[],
  isFetched: (id: string) => boolean,
): SourceDeclaration | undefined {
  const candidates = declarations.filter(({ id }) => isFetched(id));
  // The simulator alone reports ports and trade.
  return candidates.find(({ kind }) => kind === 'trade') ?? candidates[0];
}

const day = z.string().check(z.refine(isDay, 'must be a day'));
const instant = z.string().check(z.refine((text) => parseInstant(text) !== undefined, 'must be an instant'));

/** A table's file within the dataset: no other path is ever read, whatever a manifest says. */
const FILE_PATH = /^release=(\d{4}-\d{2}-\d{2})\/(running\/)?table=\w+\/(year=\d{4}\/)?part-0\.parquet$/;

const file = z.object({
  table: z.string(),
  /** Absent where a table has no folder for each year. */
  year: z.optional(z.string()),
  /** Within the dataset. */
  path: z.string().check(z.regex(FILE_PATH)),
  address: z.string(),
  bytes: z.int().check(z.nonnegative()),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  rows: z.int().check(z.nonnegative()),
});

const manifest = z.object({
  /** UTC day on which it was made. The figures end with the day before. */
  release: day,
  address: z.string(),
  /** Version of the service that wrote the manifest. */
  methodology_version: z.string(),
  /** The versions that made the vintages of ports, each with the day from which its values are known. Absent in earlier releases. */
  vintage_methodologies: z.optional(z.array(z.object({ version: z.string(), known_from: day }))),
  tables: z.record(
    z.string(),
    z.array(z.object({ name: z.string(), type: z.string(), nullable: z.boolean() })),
  ),
  /** Files that the explorer reads, within the dataset: JSON, and no tables. Absent in earlier releases. */
  known_days: z.optional(z.array(z.string())),
  /** The same for the page of the record. Absent in earlier releases. */
  record: z.optional(z.array(z.string())),
  files: z.array(file),
  /** Files that a service needs besides the tables to begin with the release: rows of the incomplete day of the release. Absent in earlier releases. */
  running: z.optional(z.array(file)),
  /** Covered spans of each port, as pairs of instants, oldest first. Absent in earlier releases. */
  covered: z.optional(z.record(z.string(), z.array(z.tuple([instant, instant])))),
  /** `congestion_score`, `avg_wait_hours` and `at_anchor` of each port minus those of seven days before. Absent in earlier releases. */
  changes: z.optional(z.record(z.string(), z.tuple([z.number(), z.number(), z.number()]))),
  /** The publisher's name of the measure behind the import index of each code. Absent without one. */
  measures: z.optional(z.record(z.string(), z.string())),
  /** When it was written, by the clock of the machine. Absent in earlier releases. */
  made: z.optional(instant),
  sources: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      publisher: z.string(),
      homepage: z.nullable(z.string()),
      licence: z.string(),
      attribution: z.string(),
      calls: z.boolean(),
      /** Newest fetch with a good reply. Absent in earlier releases, and null before the first. */
      fetched_at: z.optional(z.nullable(instant)),
      /** Set when its figures were computed later from an archive, and so were not served on their days. */
      replayed: z.optional(z.literal(true)),
      /** What each table of calls states. Absent in earlier releases. */
      tables: z.optional(
        z.array(
          z.object({
            name: z.string(),
            publisher: z.nullable(z.string()),
            licence: z.nullable(z.string()),
            attribution: z.nullable(z.string()),
            calls: z.boolean(),
            ports: z.array(z.string()),
          }),
        ),
      ),
    }),
  ),
});

export type Manifest = z.infer<typeof manifest>;
export type ManifestSource = Manifest['sources'][number];
export type ManifestFile = z.infer<typeof file>;

/** The source as a manifest states it, with the status of its replies. */
export const manifestSource = (
  source: SourceDeclaration,
  { lastFetchAt, imported, tables }: Partial<SourceStatus> = {},
  replayed = imported?.replayed,
): ManifestSource => ({
  id: source.id,
  name: source.name,
  publisher: source.publisher,
  homepage: source.homepage ?? null,
  licence: source.licence,
  attribution: source.attribution,
  calls: source.passesOnCalls === true,
  fetched_at: lastFetchAt === undefined ? null : formatInstant(lastFetchAt),
  ...(replayed === true && { replayed }),
  ...(tables && { tables: tables.map(statedTable) }),
});

type Credit = Pick<ManifestSource, 'id' | 'licence' | 'attribution' | 'calls' | 'homepage'>;

/** Whom to credit for a release, and by which licence: its sources, and each table of calls in place of the source of all tables. */
export const creditsOf = (sources: readonly ManifestSource[]): Credit[] =>
  sources.flatMap((source): readonly Credit[] =>
    source.tables === undefined
      ? [source]
      : source.tables.map(({ name, licence, attribution, publisher, calls }) => ({
          id: `${source.id} ${name}`,
          licence: licence ?? NOT_STATED,
          attribution: attribution ?? publisher ?? NOT_STATED,
          calls,
          homepage: null,
        })),
  );

/** The versions among `beginnings`, oldest first. */
export function vintageMethodologies(
  beginnings: readonly Beginning[],
): NonNullable<Manifest['vintage_methodologies']> {
  const methods = beginnings.flatMap((beginning) => beginning.methods);
  const oldestFirst = methods.sort((a, b) =>
    `${a.since} ${a.version}` < `${b.since} ${b.version}` ? -1 : 1,
  );
  const byVersion = groupBy(oldestFirst, ({ version }) => version);
  return [...byVersion].map(([version, [first]]) => ({ version, known_from: first?.since ?? '' }));
}

export const manifestText = (content: Manifest): string => `${JSON.stringify(content, null, 1)}\n`;

/** The manifest of the release of `day` from its text; throws ReleaseFailure when it is damaged. */
export function readManifest(day: string, text: string): Manifest {
  const path = `${releaseFolder(day)}/${MANIFEST}`;
  const damaged = (what: string): ReleaseFailure =>
    new ReleaseFailure(
      `${path} is damaged: ${what}. Its Parquet files are not touched; remove ${releaseFolder(day)} to write the release again`,
    );
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw damaged('it is not JSON');
  }
  const { data, error } = manifest.safeParse(json);
  if (data === undefined) throw damaged(`${error.issues[0]?.path.join('.')} is missing or wrong`);
  if (data.release !== day) throw damaged(`it is of the release ${data.release}`);
  const other = [...data.files, ...(data.running ?? [])].find(
    (entry) => FILE_PATH.exec(entry.path)?.[1] !== day,
  );
  if (other !== undefined) throw damaged(`it names ${other.path}, of another release`);
  return data;
}

// A release in the two vocabularies that catalogues read: a Frictionless Data Package, and a schema.org Dataset.

/** Name of the Data Package within the folder of a release. */
export const DATA_PACKAGE = 'datapackage.json';

const TITLE = 'Port congestion: scores, waits, alerts and forecasts by day';
const DESCRIPTION =
  'Port calls, waits for a berth, vessels at anchor, congestion scores, alerts and forecasts of seaports by UTC day, with the figures as they were known on each day, and monthly import indices. The columns source and licence of each row say whom to credit.';
const PARQUET = 'application/vnd.apache.parquet';

/** Field types of Frictionless by column type. */
const FIELD_TYPES: Readonly<Record<string, string>> = {
  BOOLEAN: 'boolean',
  DATE: 'date',
  DOUBLE: 'number',
  INTEGER: 'integer',
  STRING: 'string',
  TIMESTAMP: 'datetime',
};

/** Types that hold for what the frictionless package gets from its Parquet reader: NumPy arrays for lists, and NaN where an integer is NULL. */
function fieldType({ type, nullable }: { readonly type: string; readonly nullable: boolean }): string {
  return type === 'INTEGER' && nullable ? 'number' : (FIELD_TYPES[type] ?? 'any');
}

/**
 * The Data Package (specs.frictionlessdata.io) of a release: each file is a resource, with its path in the folder of the release. Sizes and
 * digests are in the manifest alone: the frictionless package counts no bytes of Parquet files, and refuses the resources that state them.
 */
export function dataPackage({ release, tables, files, made, sources }: Manifest): object {
  return {
    profile: 'data-package',
    name: 'port-congestion',
    title: TITLE,
    description: DESCRIPTION,
    version: release,
    ...(made !== undefined && { created: made }),
    sources: creditsOf(sources).map(({ attribution, homepage }) => ({
      title: attribution,
      ...(homepage !== null && { path: homepage }),
    })),
    resources: files.map(({ table, year, path }) => ({
      profile: 'tabular-data-resource',
      name: year === undefined ? table : `${table}-${year}`,
      path: path.slice(path.indexOf('/') + 1),
      format: 'parquet',
      mediatype: PARQUET,
      schema: {
        fields: (tables[table] ?? []).map((column) => ({
          name: column.name,
          type: fieldType(column),
          ...(!column.nullable && { constraints: { required: true } }),
        })),
      },
    })),
  };
}

/** A schema.org Dataset as JSON-LD, which search engines for data read. Its addresses are those of the manifest. */
export function datasetJsonLd({ release, files, made, sources, covered = {} }: Manifest): object {
  const spans = Object.values(covered).flatMap((of) => {
    const days = of.flat().map((at) => at.slice(0, 10));
    return days.length === 0 ? [] : [`${days[0]}/${days.at(-1)}`];
  });
  const temporalCoverage = [...new Set(spans)].sort();
  return {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    name: TITLE,
    description: DESCRIPTION,
    version: release,
    ...(made !== undefined && { dateModified: made }),
    isAccessibleForFree: true,
    ...(temporalCoverage.length > 0 && { temporalCoverage }),
    spatialCoverage: Object.keys(covered).map((port) => ({ '@type': 'Place', identifier: port })),
    license: creditsOf(sources).map(({ licence, homepage }) => ({
      '@type': 'CreativeWork',
      name: licence,
      ...(homepage !== null && { url: homepage }),
    })),
    creditText: creditsOf(sources)
      .map(({ attribution }) => attribution)
      .join('; '),
    distribution: files.map(({ address, bytes, sha256 }) => ({
      '@type': 'DataDownload',
      encodingFormat: PARQUET,
      contentUrl: address,
      contentSize: `${bytes} B`,
      sha256,
    })),
  };
}

// The page that lists the newest release.

const cells = (...texts: readonly string[]): string => texts.map((text) => `<td>${text}</td>`).join('');

/** HTML without scripts and styles. Its links are relative, so that it can be copied with the files. The JSON-LD has the manifest's addresses. */
export function indexPage(manifest: Manifest): string {
  const { release, methodology_version: version, files, sources } = manifest;
  const link = (path: string, text: string) => `<a href="${escaped(path)}">${escaped(text)}</a>`;
  const fileRows = files.map(
    ({ table, year = '', path, rows, bytes }) =>
      `<tr>${cells(escaped(table), escaped(year), link(path, path), String(rows), String(bytes))}</tr>`,
  );
  const sourceRows = creditsOf(sources).map(
    ({ id, licence, attribution, calls }) =>
      `<tr>${cells(...[id, licence, attribution, calls ? 'yes' : 'no'].map(escaped))}</tr>`,
  );
  // No text of a source may end the element.
  const jsonLd = JSON.stringify(datasetJsonLd(manifest)).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Port congestion data, ${release}</title>
<script type="application/ld+json">${jsonLd}</script></head>
<body>
<h1>Port congestion data, release ${release}</h1>
<p>Figures up to the day before, methodology ${escaped(version)}. ${link(`${releaseFolder(release)}/${MANIFEST}`, MANIFEST)} has every
address, size, digest and column, ${link(`${releaseFolder(release)}/${DATA_PACKAGE}`, DATA_PACKAGE)} describes the files as a
Frictionless Data Package; ${link(LATEST, LATEST)} names the newest release;
${link(KNOWN_DAYS, KNOWN_DAYS)} the files by day that the explorer reads.</p>
<table>
<tr><th>Table</th><th>Year</th><th>File</th><th>Rows</th><th>Bytes</th></tr>
${fileRows.join('\n')}
</table>
<table>
<tr><th>Source</th><th>Licence</th><th>Attribution</th><th>Single calls</th></tr>
${sourceRows.join('\n')}
</table>
</body>
</html>
`;
}
