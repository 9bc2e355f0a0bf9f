/** The manifest of a release: its files with addresses, sizes and digests, their columns, and the sources of the rows. */
import * as z from 'zod/mini';
import { groupBy } from '../reference/grouping.ts';
import { formatInstant, isDay, parseInstant } from '../reference/time.ts';
import type { Beginning } from '../store/beginnings.ts';
import { MANIFEST, ReleaseFailure, releaseFolder } from '../store/release-place.ts';
import { type SourceStatus, statedTable } from '../store/source-status.ts';
import type { SourceDeclaration } from '../upstream/source.ts';
import { NOT_STATED } from './origins.ts';

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
