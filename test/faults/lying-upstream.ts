/** An upstream lies between two good replies: only the source's status may differ afterwards. */
import { isDeepStrictEqual } from 'node:util';
import { MINUTE_MS, SECOND_MS } from '../../core/reference/time.ts';
import type { HttpClient } from '../../core/upstream/http/http-client.ts';
import type { ArchivedFetch, Source } from '../../core/upstream/source.ts';
import { type MemoryIngest, startMemoryIngest } from '../builders/memory-ingest.ts';
import { dataOf } from './fault-run.ts';
import { type Lie, liesAbout, type Subject } from './lies.ts';
import { lyingServer, NETWORK_LIES } from './lying-server.ts';

/** Real replies; the last is first sent altered, then unaltered. */
export interface ReplyBase extends Subject {
  readonly name: string;
  readonly source: Source;
  readonly replies: readonly ArchivedFetch[];
  /** Complete real replies of earlier times. */
  readonly lies?: readonly Lie[];
}

export interface CaseResult {
  readonly kind: string;
  readonly what: string;
  /** `harmless`: accepted, and the tables equal those after the unaltered reply, or after it without the refused files. */
  readonly outcome: 'refused' | 'held' | 'harmless' | 'figures changed';
  /** Why it was not accepted, or the first row that differs. */
  readonly detail: string;
  readonly isGoodRefused: boolean;
  /** Why the good reply after it was not accepted, or the first row that differs from one that was never lied to. */
  readonly afterwards?: string;
}

interface Verdict {
  readonly outcome: 'refused' | 'held';
  readonly detail: string;
}

type Figures = Awaited<ReturnType<typeof dataOf>>;

/** Applies one reply as a pass does. Undefined when it was accepted, else the verdict. */
async function given(
  ingest: MemoryIngest,
  source: Source,
  { fetchedAt, files }: ArchivedFetch,
): Promise<Verdict | undefined> {
  await ingest.archive.write(source.declaration.id, fetchedAt, files);
  ingest.clock.nowAt = fetchedAt + MINUTE_MS;
  const { status } = await ingest.restarted()(source, { ask: false });
  if (status?.lastFetchAt === fetchedAt) return undefined;
  const { outcome = 'refused', reason = '', detail = '' } = status?.doubt ?? {};
  return { outcome, detail: `${reason}: ${detail}` };
}

/** Text of the first difference between two rows. */
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

/** A client whose server differs from case to case. */
function changingClient(): { readonly http: HttpClient; use(http: HttpClient): void } {
  let used: HttpClient | undefined;
  return {
    http: { get: (...request) => used?.get(...request) ?? Promise.reject(new Error('nothing is asked')) },
    use: (http) => {
      used = http;
    },
  };
}

/** A service that has read all replies but the last ones, before each case. */
async function preparedIngest({ source, replies }: ReplyBase, unread: number) {
  const { http, use } = changingClient();
  const ingest = startMemoryIngest({ nowAt: replies[0]?.fetchedAt ?? 0, http, secret: 'a key' });
  for (const reply of replies.slice(0, -unread)) {
    const verdict = await given(ingest, source, reply);
    if (verdict !== undefined) throw new Error(`a real reply is ${verdict.outcome}: ${verdict.detail}`);
  }
  const restore = ingest.save();
  /** The figures after these replies. */
  async function figures(...fetches: readonly ArchivedFetch[]): Promise<Figures> {
    restore();
    for (const fetch of fetches) await given(ingest, source, fetch);
    return dataOf(ingest);
  }
  return { ingest, restore, figures, use };
}

interface Compared {
  readonly verdict: Verdict | undefined;
  /** Figures after the lie, and the permitted ones. */
  readonly found: Figures;
  readonly allowed: readonly Figures[];
  /** Verdict on the good reply after the lie. */
  readonly secondVerdict: Verdict | undefined;
  readonly last: Figures;
  readonly allowedLast: readonly Figures[];
}

function judged(compared: Compared): Pick<CaseResult, 'outcome' | 'detail' | 'isGoodRefused' | 'afterwards'> {
  const { verdict, secondVerdict } = compared;
  const apart = (figures: Figures, allowed: readonly Figures[]): string | undefined => {
    const differences = allowed.map((expected) => difference(figures, expected));
    return differences.includes(undefined) ? undefined : differences[0];
  };
  const changed = apart(compared.found, compared.allowed);
  const lasting = apart(compared.last, compared.allowedLast);
  const good = secondVerdict && `the good reply is ${secondVerdict.outcome}: ${secondVerdict.detail}`;
  const isUnchanged = changed === undefined && lasting === undefined;
  return {
    outcome: isUnchanged ? (verdict?.outcome ?? 'harmless') : 'figures changed',
    detail: [changed, verdict?.detail].filter(Boolean).join(' | '),
    isGoodRefused: secondVerdict !== undefined,
    ...((good ?? lasting) !== undefined && { afterwards: good ?? lasting }),
  };
}

/**
 * Sends every chosen lie to a service that has read the replies before it, and then the last reply unaltered. With `patience`
 * the lie alters that many real replies in a row, without a good one between them.
 */
export async function lieAbout(
  base: ReplyBase,
  chosen: (lie: Lie, index: number) => boolean = () => true,
  patience = 0,
): Promise<CaseResult[]> {
  const { source, replies } = base;
  const good = replies.at(-1);
  if (good === undefined) throw new Error('there is no reply');
  const { ingest, restore, figures } = await preparedIngest(base, patience + 1);
  const early: ArchivedFetch = { ...good, fetchedAt: good.fetchedAt - SECOND_MS };
  const liedAbout: readonly ArchivedFetch[] = patience === 0 ? [early] : replies.slice(-1 - patience, -1);
  const [before, after] = [await figures(), await figures(good)];
  const truth = await figures(...liedAbout);
  const truthThenGood = await figures(...liedAbout, good);
  const last = good;
  /** The rest of a reply without its refused altered files, by name. */
  const remains = new Map<string, readonly [Figures, Figures]>();
  const withoutFiles = async (altered: readonly string[]): Promise<readonly Figures[]> => {
    const names = altered.join();
    const kept = liedAbout.map(({ fetchedAt, files }) => ({
      fetchedAt,
      files: new Map([...files].filter(([name]) => !altered.includes(name))),
    }));
    const known = remains.get(names) ?? ([await figures(...kept), await figures(...kept, last)] as const);
    remains.set(names, known);
    return known;
  };
  const results: CaseResult[] = [];
  for (const lie of [...liesAbout(base, good.files), ...(base.lies ?? [])].filter(chosen)) {
    const [first] = liedAbout;
    const lied = first && lie.alter(first.files);
    const altered = [...(first?.files ?? [])]
      .filter(([name, bytes]) => !Buffer.from(lied?.get(name) ?? []).equals(bytes))
      .map(([name]) => name);
    const [part = before, partThenGood = after] = await withoutFiles(altered);
    restore();
    let verdict: Verdict | undefined;
    for (const { fetchedAt, files } of liedAbout)
      verdict = (await given(ingest, source, { fetchedAt, files: lie.alter(files) })) ?? verdict;
    const found = await dataOf(ingest);
    const secondVerdict = await given(ingest, source, good);
    const lastFigures = await dataOf(ingest);
    const allowed = [before, truth, part];
    const allowedLast = [after, truthThenGood, partThenGood];
    const { kind, what } = lie;
    results.push({
      kind: patience === 0 ? kind : `${kind}, ${patience} times in a row`,
      what,
      ...judged({ verdict, found, allowed, secondVerdict, last: lastFigures, allowedLast }),
    });
  }
  return results;
}

/** The same for HTTP-level faults, which occur while the source fetches. */
export async function lieBelow(base: ReplyBase): Promise<CaseResult[]> {
  const { source, replies } = base;
  const good = replies.at(-1);
  if (good === undefined) throw new Error('there is no reply');
  const { ingest, restore, figures, use } = await preparedIngest(base, 1);
  const [before, after] = [await figures(), await figures(good)];
  const results: CaseResult[] = [];
  for (const [kind, turn] of Object.entries(NETWORK_LIES)) {
    restore();
    ingest.clock.nowAt = good.fetchedAt - SECOND_MS;
    const { state, reason = state } = await lyingServer(source.declaration, turn, (http) => {
      use(http);
      return ingest.restarted()(source, { ask: true });
    });
    const found = await dataOf(ingest);
    const secondVerdict = await given(ingest, source, good);
    const verdict: Verdict | undefined = state === 'ok' ? undefined : { outcome: 'refused', detail: reason };
    const compared = { verdict, found, allowed: [before], secondVerdict };
    results.push({
      kind,
      what: 'HTTP',
      ...judged({ ...compared, last: await dataOf(ingest), allowedLast: [after] }),
    });
  }
  return results;
}
