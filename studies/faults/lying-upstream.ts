/** An upstream lies between two good replies: nothing but the source's status may tell that it did. */
import { isDeepStrictEqual } from 'node:util';
import { MINUTE_MS, SECOND_MS } from '../../core/reference/time.ts';
import type { ArchivedFetch, FetchedFiles, Source } from '../../core/upstream/source.ts';
import { type MemoryIngest, startMemoryIngest } from '../../test/builders/memory-ingest.ts';
import { dataOf } from './fault-run.ts';
import { type Lie, liesAbout, type Subject } from './lies.ts';

/** Real replies, of which the last is told altered before it is told as it is. */
export interface Told extends Subject {
  readonly name: string;
  readonly source: Source;
  readonly replies: readonly ArchivedFetch[];
  /** Whole replies that are real, and not those of now. */
  readonly lies?: readonly Lie[];
}

export interface CaseResult {
  readonly kind: string;
  readonly what: string;
  /** `harmless`: accepted, and the tables are those of the reply as it was. */
  readonly outcome: 'refused' | 'held' | 'harmless' | 'figures changed';
  /** Why it was not accepted, or the first row that differs. */
  readonly detail: string;
  /** Why the good reply after it was not accepted, or the first row that differs from one that was never lied to. */
  readonly afterwards?: string;
}

type Figures = Awaited<ReturnType<typeof dataOf>>;

/** Applies one reply as a pass would that has just got it. Undefined when it was accepted, else the verdict. */
async function given(
  ingest: MemoryIngest,
  source: Source,
  { fetchedAt, files }: ArchivedFetch,
): Promise<{ readonly outcome: 'refused' | 'held'; readonly detail: string } | undefined> {
  await ingest.archive.write(source.declaration.id, fetchedAt, files);
  ingest.clock.nowAt = fetchedAt + MINUTE_MS;
  const { status } = await ingest.restarted()(source, { ask: false });
  if (status?.lastFetchAt === fetchedAt) return undefined;
  const { outcome = 'refused', reason = '', detail = '' } = status?.doubt ?? {};
  return { outcome, detail: `${reason}: ${detail}` };
}

/** Where two rows part. */
function firstDifference(lost = '', added = ''): string {
  let at = 0;
  while (at < lost.length && lost[at] === added[at]) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 40), at + 40);
  return `${around(lost)} / ${around(added)}`;
}

/** The first row that one has and the other lacks; undefined when the two are equal. */
function difference(found: Figures, expected: Figures): string | undefined {
  if (isDeepStrictEqual(found, expected)) return undefined;
  for (const [table, rows] of Object.entries(expected)) {
    const [has, wants] = [new Set(found[table]), new Set(rows)];
    const added = (found[table] ?? []).filter((row) => !wants.has(row));
    const lost = rows.filter((row) => !has.has(row));
    if (added.length + lost.length > 0)
      return `${table}: ${lost.length} rows lost or changed, ${added.length} new: ${firstDifference(lost[0], added[0])}`;
  }
  return 'the tables differ';
}

/** Tells every lie about the last reply, each to a service that has read the others. */
export async function lieAbout(
  told: Told,
  chosen: (lie: Lie, index: number) => boolean = () => true,
): Promise<CaseResult[]> {
  const { source, replies } = told;
  const ingest = startMemoryIngest({ nowAt: replies[0]?.fetchedAt ?? 0 });
  const good = replies.at(-1);
  if (good === undefined) throw new Error('there is no reply');
  for (const reply of replies.slice(0, -1)) {
    const verdict = await given(ingest, source, reply);
    if (verdict !== undefined) throw new Error(`a real reply is ${verdict.outcome}: ${verdict.detail}`);
  }
  const restore = ingest.save();
  const restored = async (...fetches: readonly ArchivedFetch[]): Promise<Figures> => {
    restore();
    for (const fetch of fetches) await given(ingest, source, fetch);
    return dataOf(ingest);
  };
  const early = (files: FetchedFiles): ArchivedFetch => ({ fetchedAt: good.fetchedAt - SECOND_MS, files });
  const before = await restored();
  const after = await restored(good);
  const truth = await restored(early(good.files));
  const truthTwice = await restored(early(good.files), good);
  const results: CaseResult[] = [];
  for (const lie of [...liesAbout(told, good.files), ...(told.lies ?? [])].filter(chosen)) {
    restore();
    const verdict = await given(ingest, source, early(lie.tell(good.files)));
    const figures = await dataOf(ingest);
    const second = await given(ingest, source, good);
    const last = await dataOf(ingest);
    const changed =
      verdict === undefined
        ? difference(figures, before) && difference(figures, truth)
        : difference(figures, before);
    const apart = difference(last, after) && (verdict ? difference(last, after) : difference(last, truthTwice));
    const afterwards = second ? `${second.outcome}: ${second.detail}` : apart;
    results.push({
      kind: lie.kind,
      what: lie.what,
      outcome: changed === undefined ? (verdict?.outcome ?? 'harmless') : 'figures changed',
      detail: [changed, verdict?.detail].filter(Boolean).join(' | '),
      ...(afterwards !== undefined && { afterwards }),
    });
  }
  return results;
}
