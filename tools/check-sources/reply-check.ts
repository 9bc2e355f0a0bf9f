/** Judges the replies of one source by passes of the ingest, over tables in memory and a temporary folder. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ingestStores } from '../../core/ingest/dependencies.ts';
import { newestEventAt } from '../../core/ingest/freshness.ts';
import { createPass } from '../../core/ingest/pass.ts';
import { listCounts } from '../../core/ingest/reply-counts.ts';
import { createVerdicts } from '../../core/ingest/verdicts.ts';
import { findPort } from '../../core/reference/ports.ts';
import type { Instant } from '../../core/reference/time.ts';
import { createFolderStates } from '../../core/store/position-states.ts';
import { createFolderArchive } from '../../core/store/raw-archive.ts';
import { INGEST_TABLES } from '../../core/store/tables.ts';
import type { Verdict } from '../../core/upstream/judgement.ts';
import type { FetchedFiles, ParsedFetch, Source } from '../../core/upstream/source.ts';
import { startEmbeddedStore } from '../../local/embedded-store.ts';
import { createTables, openStoreTables } from '../../local/tables.ts';
import { missingFields, replyFields } from './reply-fields.ts';

export interface CheckedReply {
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
export async function checkReplies(source: Source, replies: string): Promise<CheckedReply[]> {
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
    return { fetchedAt, verdict, missing, added, rows, newestAt: newestEventAt(parsed.reports, fetchedAt) };
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
