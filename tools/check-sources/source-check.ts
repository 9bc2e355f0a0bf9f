/** Checks one source: its replies in a folder, or its current reply. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatInstant, type Instant } from '../../core/reference/time.ts';
import { createFolderArchive, timeStamp } from '../../core/store/raw-archive.ts';
import { UpstreamFailure } from '../../core/upstream/http/http-client.ts';
import type { FetchedFiles, Source, SourceDeclaration } from '../../core/upstream/source.ts';
import { textTable } from '../text-table.ts';
import { type CheckedReply, checkReplies } from './reply-check.ts';

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
