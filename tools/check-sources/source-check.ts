/** Checks one source: its replies in a folder, or its current reply. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listCounts } from '../../core/ingest/counts.ts';
import { ingestStores } from '../../core/ingest/dependencies.ts';
import { createVerdicts, newestEventAt } from '../../core/ingest/fetch-reader.ts';
import { createPass } from '../../core/ingest/pass.ts';
import { findPort } from '../../core/reference/ports.ts';
import { formatInstant, type Instant } from '../../core/reference/time.ts';
import { createFolderArchive, createFolderStates, timeStamp } from '../../core/store/raw-archive.ts';
import { INGEST_TABLES } from '../../core/store/tables.ts';
import { UpstreamFailure } from '../../core/upstream/http-client.ts';
import type { Verdict } from '../../core/upstream/judgement.ts';
import type { FetchedFiles, ParsedFetch, Source, SourceDeclaration } from '../../core/upstream/source.ts';
import { startEmbeddedStore } from '../../local/embedded-store.ts';
import { createTables, openStoreTables } from '../../local/tables.ts';
import { textTable } from '../text-table.ts';

// Compares the field names in the files of a reply, in any format, with the declared ones.

const LEAF = /<([A-Za-z_][\w.-]*)(?:\s[^<>]*)?(?:\/>|>[^<]*<\/\1>)/g;

function jsonNames(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  // A table has the names of its columns in the first row.
  if (Array.isArray(value)) return isColumns(value[0]) ? value[0] : value.flatMap(jsonNames);
  return Object.entries(value).flatMap(([name, inner]) => [name, ...jsonNames(inner)]);
}

const isColumns = (row: unknown): row is string[] =>
  Array.isArray(row) && row.every((name) => typeof name === 'string');

function namesIn(text: string): string[] {
  const first = text.trimStart()[0];
  if (first === '<') return [...text.matchAll(LEAF)].map(([, name = '']) => name);
  if (first !== '{' && first !== '[')
    return (text.split(/\r?\n/, 1)[0] ?? '').split(',').map((name) => name.trim());
  try {
    return jsonNames(JSON.parse(text));
  } catch {
    // The judgement reports that the file cannot be read.
    return [];
  }
}

/** Files that the fetch itself wrote; they are not part of the reply. */
const NOTES = new Set(['request.json', 'day.json', 'health.txt']);

function replyFields(files: FetchedFiles): ReadonlySet<string> {
  // Byte for byte: names are ASCII in every encoding of the sources.
  const texts = [...files].flatMap(([name, bytes]) =>
    NOTES.has(name) ? [] : [Buffer.from(bytes).toString('latin1')],
  );
  return new Set(texts.flatMap(namesIn));
}

/** Declared fields that a reply lacks (`A or B` needs one of them), of the lists that the parser has read; of all where it read none. */
function missingFields(
  { fields }: Pick<SourceDeclaration, 'fields'>,
  found: ReadonlySet<string>,
  lists: readonly string[] = [],
): string[] {
  const isNamed = fields.some(({ list }) => lists.includes(list));
  const missing = fields.filter(
    ({ list, name }) =>
      (!isNamed || lists.includes(list)) && !name.split(' or ').some((alternative) => found.has(alternative)),
  );
  return [...new Set(missing.map(({ name }) => name))];
}

// Judges the replies of one source by passes of the ingest, over tables in memory and a temporary folder.

interface CheckedReply {
  readonly fetchedAt: Instant;
  readonly verdict: Verdict;
  /** Declared fields that the reply lacks, and fields that no earlier reply had; undefined for the first one. */
  readonly missing: readonly string[];
  readonly added: readonly string[] | undefined;
  /** Absent where it cannot be read. */
  readonly rows?: number;
  /** Time of the newest event or month that it states. */
  readonly newestAt?: Instant | undefined;
}

const listsOf = (parsed: ParsedFetch) => (parsed.lists.length > 0 ? parsed.lists : listCounts(parsed));

const unasked = async (): Promise<never> => {
  throw new Error('a pass over the archive asks no upstream');
};

/** An ingest of one source whose pass applies the fetches up to a time, as if it ran then. `aside` gets all that it writes but rows. */
function openPass(
  source: Source,
  archive: ReturnType<typeof createFolderArchive>,
  endpoint: string,
  aside: string,
) {
  const { openTables, close } = openStoreTables(endpoint);
  let nowAt: Instant = 0;
  const now = (): Instant => nowAt;
  const pass = createPass({
    ...ingestStores(openTables(INGEST_TABLES, 'patient'), now),
    archive,
    steps: { calls: createFolderArchive(aside), states: createFolderStates(aside) },
    httpFor: () => ({ get: unasked }),
    secretFor: unasked,
    findPort,
    now,
    owner: 'check',
  });
  return {
    async upTo(untilAt: Instant): Promise<void> {
      nowAt = untilAt;
      await pass(source, { ask: false, untilAt });
    },
    close,
  };
}

/**
 * The replies of a source in an archive, oldest first, each judged after those before it: by the rules of today, whatever notes the
 * archive has. Writes nothing there.
 */
async function checkReplies(source: Source, replies: string): Promise<CheckedReply[]> {
  const { declaration } = source;
  const { id } = declaration;
  const aside = await mkdtemp(join(tmpdir(), 'check-'));
  const store = await startEmbeddedStore({ directory: undefined });
  await createTables(store.endpoint);
  const read = new Map<Instant, ParsedFetch>();
  const watched: Source = {
    ...source,
    parse(fetch) {
      const parsed = source.parse(fetch);
      read.set(fetch.fetchedAt, parsed);
      return parsed;
    },
  };
  const { readNote, writeNote, judged } = createFolderArchive(join(aside, 'notes'));
  const archive = { ...createFolderArchive(replies), readNote, writeNote, judged };
  const verdicts = createVerdicts(archive);
  const pass = openPass(watched, archive, store.endpoint, aside);
  let seen: ReadonlySet<string> | undefined;

  function checked(fetchedAt: Instant, files: FetchedFiles, verdict: Verdict): CheckedReply {
    const found = replyFields(files);
    const added = seen && [...found].filter((name) => !seen?.has(name));
    if (verdict.outcome === 'accepted') seen = new Set([...(seen ?? []), ...found]);
    const parsed = read.get(fetchedAt);
    read.delete(fetchedAt);
    const lists = parsed === undefined ? [] : listsOf(parsed);
    const missing = missingFields(
      declaration,
      found,
      lists.map(({ list }) => list),
    );
    if (parsed === undefined) return { fetchedAt, verdict, missing, added };
    const rows = lists.reduce((sum, list) => sum + list.rows, 0);
    return {
      fetchedAt,
      verdict,
      missing,
      added,
      rows,
      newestAt: newestEventAt(parsed.observations, fetchedAt),
    };
  }

  try {
    const results: CheckedReply[] = [];
    for (const fetchedAt of await archive.fetches(id, undefined, Number.POSITIVE_INFINITY)) {
      await pass.upTo(fetchedAt);
      const verdict = await verdicts.of(id, fetchedAt);
      if (verdict === undefined) throw new Error(`the pass has not judged the reply of ${id}`);
      results.push(checked(fetchedAt, (await archive.read(id, fetchedAt)) ?? new Map(), verdict));
    }
    return results;
  } finally {
    pass.close();
    await store.close();
    await rm(aside, { recursive: true });
  }
}

const COLUMNS = ['source', 'fetched', 'reached', 'rows', 'missing', 'new', 'newest', 'verdict'] as const;
export type CheckRow = Readonly<Partial<Record<(typeof COLUMNS)[number], string>>>;

export interface CheckedSource {
  readonly rows: readonly CheckRow[];
  /** Every reply was reached and accepted. */
  readonly isAccepted: boolean;
}

export interface CheckOptions {
  /** Folder of an archive; without it the upstream is asked. */
  readonly replay?: string | undefined;
  /** Folder of recordings to which an accepted current reply is written. */
  readonly record?: string | undefined;
  readonly nowAt: Instant;
  /** The current reply; undefined where the source's key is not configured. */
  ask(source: Source): Promise<FetchedFiles | undefined>;
}

/** Ages above this are stated in days. */
const HOURS_STATED = 72;

function age(newestAt: Instant, fetchedAt: Instant): string {
  const minutes = Math.round((fetchedAt - newestAt) / 60_000);
  if (minutes < 120) return `${minutes} min ago`;
  return minutes < HOURS_STATED * 60
    ? `${Math.round(minutes / 60)} h ago`
    : `${Math.round(minutes / 1440)} d ago`;
}

const names = (fields: readonly string[]): string => (fields.length === 0 ? 'none' : fields.join(' '));

const rowOf = (
  source: string,
  { fetchedAt, verdict, rows, missing, added, newestAt }: CheckedReply,
): CheckRow => ({
  source,
  fetched: formatInstant(fetchedAt),
  reached: 'yes',
  rows: rows?.toString(),
  missing: names(missing),
  new: added && names(added),
  newest: newestAt === undefined ? undefined : age(newestAt, fetchedAt),
  verdict: [verdict.outcome, [verdict.reason, verdict.detail].filter(Boolean).join(', ')]
    .filter(Boolean)
    .join(': '),
});

/** A row without a judgement, and why. */
const without = (source: string, fetchedAt: Instant, reached: 'yes' | 'no', verdict: string): CheckRow => ({
  source,
  fetched: formatInstant(fetchedAt),
  reached,
  verdict,
});

/** Trade values are served as published, so a licence to serve them permits a recording. */
const mayBeRecorded = ({ passesOnCalls, kind }: SourceDeclaration): boolean =>
  passesOnCalls === true || kind === 'trade';

/** Writes the files of a reply unchanged, and says where. */
async function record(folder: string, id: string, fetchedAt: Instant, files: FetchedFiles): Promise<string> {
  const home = join(folder, id, timeStamp(fetchedAt));
  await mkdir(home, { recursive: true });
  for (const [name, bytes] of files) await writeFile(join(home, name), bytes);
  return home;
}

async function checkFolder(source: Source, folder: string): Promise<CheckedSource> {
  const checked = await checkReplies(source, folder);
  return {
    rows: checked.map((reply) => rowOf(source.declaration.id, reply)),
    isAccepted: checked.every(({ verdict }) => verdict.outcome === 'accepted'),
  };
}

/** The judgement of a reply by itself. */
async function checkAlone(source: Source, fetchedAt: Instant, files: FetchedFiles): Promise<CheckedSource> {
  const folder = await mkdtemp(join(tmpdir(), 'reply-'));
  try {
    await createFolderArchive(folder).write(source.declaration.id, fetchedAt, files);
    return await checkFolder(source, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A live reply is compared with the newest recorded one by its fields alone, because too much time lies between them. */
export async function checkSource(source: Source, options: CheckOptions): Promise<CheckedSource> {
  const { replay, record: recordings, nowAt, ask } = options;
  const { declaration } = source;
  const { id } = declaration;
  // A day of positions is read region by region, with the state of the day before.
  if (source.days !== undefined && replay !== undefined) return { rows: [], isAccepted: true };
  if (replay !== undefined) return checkFolder(source, replay);
  const only = (isAccepted: boolean, row: CheckRow): CheckedSource => ({ rows: [row], isAccepted });
  try {
    const files = await ask(source);
    if (files === undefined)
      return only(true, without(id, nowAt, 'no', `${declaration.secret} is not configured`));
    if (source.days !== undefined)
      return only(true, without(id, nowAt, 'yes', `not judged: a day of positions, ${files.size} files`));
    const checked = await checkAlone(source, nowAt, files);
    if (!checked.isAccepted || recordings === undefined) return checked;
    const verdict = mayBeRecorded(declaration)
      ? `accepted, recorded in ${await record(recordings, id, nowAt, files)}`
      : 'accepted, not recorded: its licence does not let replies be passed on';
    return only(true, { ...checked.rows[0], verdict });
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    return only(false, without(id, nowAt, 'no', `${error.reason}, ${error.message}`));
  }
}

export const tableText = (rows: readonly CheckRow[]): string =>
  textTable([COLUMNS, ...rows.map((row) => COLUMNS.map((name) => row[name] ?? ''))]);
