/** An upstream lies, then sends the truth: good replies are accepted again within the bound, and no figure stays wrong. */
import { isDeepStrictEqual } from 'node:util';
import { MINUTE_MS, SECOND_MS } from '../../core/reference/time.ts';
import { verdictName } from '../../core/store/raw-archive.ts';
import type { HttpClient } from '../../core/upstream/http-client.ts';
import { ACCEPTED } from '../../core/upstream/judgement.ts';
import type { ArchivedFetch, FetchedFiles, Source } from '../../core/upstream/source.ts';
import { type MemoryIngest, startMemoryIngest } from '../builders/memory-ingest.ts';
import { valuesOf } from '../builders/table-dump.ts';
import { dataOf } from './fault-run.ts';
import { changesOf, type Lie, liesAbout, type Subject } from './lies.ts';
import { lyingServer, NETWORK_LIES } from './lying-server.ts';

/**
 * Good replies after a fault; at the last one the service must have recovered. They are the one that the lie has altered, which has
 * no later event than the lie, and three that have.
 */
const BOUND = 4;

/** Replies in order; the last four come after the lie, which alters the first of them. */
export interface ReplyBase extends Subject {
  readonly name: string;
  readonly source: Source;
  readonly replies: readonly ArchivedFetch[];
  /** What the fetch archives of the files that the upstream sends, where it is not these. */
  archived?(files: FetchedFiles): FetchedFiles;
  /** Complete replies of earlier times, and others that no change of a field or list makes. */
  readonly lies?: readonly Lie[];
}

export interface CaseResult {
  readonly kind: string;
  readonly what: string;
  /** `harmless`: accepted, and the tables equal those after the unaltered reply, or after it without the refused files. */
  readonly outcome: 'refused' | 'held' | 'harmless' | 'figures changed';
  /** Why it was not accepted, or the first row that differs. */
  readonly detail: string;
  /** The last of the good replies after it was not accepted. */
  readonly isBlocked: boolean;
  /** After the good replies the tables differ from those of a service without the lie. */
  readonly isLasting: boolean;
  /** Why it is blocked, or the first row that differs. */
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
  { source, archived = (files) => files }: Pick<ReplyBase, 'source' | 'archived'>,
  { fetchedAt, files }: ArchivedFetch,
): Promise<Verdict | undefined> {
  await ingest.archive.write(source.declaration.id, fetchedAt, archived(files));
  ingest.clock.nowAt = fetchedAt + MINUTE_MS;
  const { status } = await ingest.restarted()(source, { ask: false });
  if (status?.lastFetchAt === fetchedAt) return undefined;
  const { outcome = 'refused', reason = '', detail = '' } = status?.doubt ?? {};
  return { outcome, detail: `${reason}: ${detail}` };
}

const isAccepted = async (ingest: MemoryIngest, id: string, { fetchedAt }: ArchivedFetch): Promise<boolean> =>
  ((await ingest.archive.readNote(id, verdictName(fetchedAt))) as { readonly outcome?: string } | undefined)
    ?.outcome === ACCEPTED.outcome;

/** Text of the first difference between two rows. */
function firstDifference(lost = '', added = ''): string {
  let at = 0;
  while (at < lost.length && lost[at] === added[at]) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 40), at + 40);
  return `${around(lost)} / ${around(added)}`;
}

/** Number of rows that differ, and the first of them; undefined when the two are equal. */
function difference(
  found: Figures,
  expected: Figures,
): { readonly rows: number; readonly words: string } | undefined {
  if (isDeepStrictEqual(found, expected)) return undefined;
  const tables = Object.entries(expected).flatMap(([table, rows]) => {
    const [has, wants] = [new Set(found[table]), new Set(rows)];
    const added = (found[table] ?? []).filter((row) => !wants.has(row));
    const lost = rows.filter((row) => !has.has(row));
    const words = `${table}: ${lost.length} rows lost or changed, ${added.length} new: ${firstDifference(lost[0], added[0])}`;
    return lost.length + added.length === 0 ? [] : [{ rows: lost.length + added.length, words }];
  });
  return {
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    words: tables[0]?.words ?? 'the tables differ',
  };
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

/**
 * Current values, which a recovery restores: what was served meanwhile stays among the vintages, forecasts and alerts as raised, and the
 * first of two replies that state the same stamps a row. So does the arrival under which a call was first stored, which is its key.
 */
async function currentOf({ tables }: MemoryIngest): Promise<Figures> {
  const { sourceStatus: _, alertFeed: __, importValues: ___, ...rest } = tables;
  /** The records that a call was stated by are kept beside its figures, for later corrections of single ones. */
  const withoutRecords = (row: string): string => {
    const { call, ...others } = JSON.parse(row) as { readonly call?: string };
    if (call === undefined) return row;
    const { records: _, ...stated } = JSON.parse(call);
    return JSON.stringify({ call: JSON.stringify(stated), ...others });
  };
  const withoutStamps = (row: string): string =>
    withoutRecords(row)
      .replaceAll(/(\\*"(?:changedAt|recordedAt|expiresAt|firstAtaAt)\\*":)\d+/g, '$1')
      .replaceAll(/(\\*"(?:callKey|of)\\*":\\*")\d{4}-[^#"]*(?=#)/g, '$1')
      // Which calls were withdrawn, for records of them that come late.
      .replace(/"cancelled":\{[^}]*\},?/, '');
  return Object.fromEntries(
    Object.entries(await valuesOf(rest)).map(([table, rows]) => [table, rows.map(withoutStamps).sort()]),
  );
}

/** A service that has read all replies but the last ones, before each case. */
async function preparedIngest(base: ReplyBase, unread: number) {
  const { replies } = base;
  const { http, use } = changingClient();
  const ingest = startMemoryIngest({ nowAt: replies[0]?.fetchedAt ?? 0, http, secret: 'a key' });
  for (const reply of replies.slice(0, -unread)) {
    const verdict = await given(ingest, base, reply);
    if (verdict !== undefined) throw new Error(`a real reply is ${verdict.outcome}: ${verdict.detail}`);
  }
  const restore = ingest.save();
  const known = new Map<string, { readonly data: Figures; readonly current: Figures }>();
  /** The figures after these replies; `name` identifies them. The ingest is as before afterwards. */
  async function after(name: string, ...fetches: readonly ArchivedFetch[]) {
    const found = known.get(name);
    if (found !== undefined) return found;
    const goOn = ingest.save();
    restore();
    for (const fetch of fetches) await given(ingest, base, fetch);
    const made = { data: await dataOf(ingest), current: await currentOf(ingest) };
    known.set(name, made);
    goOn();
    return made;
  }
  return { ingest, restore, after, use };
}

/** Undefined where the figures equal any of those allowed; else the smallest difference. */
function apart(found: Figures, allowed: readonly Figures[]): string | undefined {
  const differences = allowed.map((expected) => difference(found, expected));
  return differences.includes(undefined)
    ? undefined
    : differences.reduce((least, other) => ((other?.rows ?? 0) < (least?.rows ?? 0) ? other : least))?.words;
}

interface Options {
  /** Replies in a row that the lie alters, without a good one between them; 0: one, a second before the good one. */
  readonly patience?: number;
  /** The lie is accepted as if no limit had seen it. */
  readonly isAccepted?: boolean;
}

/** Sends every chosen lie to a service that has read the replies before it, and then good ones until one is accepted and shows the truth. */
export async function lieAbout(
  base: ReplyBase,
  chosen: (lie: Lie, index: number) => boolean = () => true,
  { patience = 0, isAccepted: isForced = false }: Options = {},
): Promise<CaseResult[]> {
  const { source, replies } = base;
  const { id } = source.declaration;
  const goods = replies.slice(-BOUND);
  const [good] = goods;
  if (good === undefined) throw new Error('there is no reply');
  const { ingest, restore, after } = await preparedIngest(base, patience + BOUND);
  const liedAbout: readonly ArchivedFetch[] =
    patience === 0
      ? [{ ...good, fetchedAt: good.fetchedAt - SECOND_MS }]
      : replies.slice(-BOUND - patience, -BOUND);
  const [first] = liedAbout;
  const isChange = changesOf(base, good.files);
  const lies = [...liesAbout(base), ...(base.lies ?? [])].filter(chosen).filter(isChange);
  const results: CaseResult[] = [];
  for (const lie of lies) {
    const lied = first && lie.alter(first.files);
    const altered = [...(first?.files ?? [])]
      .filter(([name, bytes]) => !Buffer.from(lied?.get(name) ?? []).equals(bytes))
      .map(([name]) => name);
    const rest = liedAbout.map(({ fetchedAt, files }) => ({
      fetchedAt,
      files: new Map([...files].filter(([name]) => !altered.includes(name))),
    }));
    /** Returns the first difference from what the tables may be after the lie and `count` good replies; undefined where there is none. */
    const differs = async (count: number): Promise<string | undefined> => {
      const [found, then] = [await currentOf(ingest), goods.slice(0, count)];
      const accepted: ArchivedFetch[] = [];
      for (const fetch of then) if (await isAccepted(ingest, id, fetch)) accepted.push(fetch);
      const allowed = [
        () => after(`nothing ${count}`, ...then),
        () => after(`whole ${count}`, ...liedAbout, ...then),
        () => after(`without ${altered.join()} ${count}`, ...rest, ...then),
        // A good reply that was held, and has no later event than the lie, stays held.
        () => after(`accepted ${accepted.map(({ fetchedAt }) => fetchedAt).join()}`, ...accepted),
      ];
      const figures: Figures[] = [];
      for (const make of allowed) {
        figures.push((await make()).current);
        if (apart(found, figures) === undefined) return undefined;
      }
      return apart(found, figures);
    };
    restore();
    let verdict: Verdict | undefined;
    for (const { fetchedAt, files } of liedAbout) {
      if (isForced) await ingest.archive.writeNote(id, verdictName(fetchedAt), ACCEPTED);
      verdict = (await given(ingest, base, { fetchedAt, files: lie.alter(files) })) ?? verdict;
    }
    const changed = await differs(0);
    let blocked: Verdict | undefined;
    let lasting: string | undefined;
    for (const [index, fetch] of goods.entries()) {
      blocked = await given(ingest, base, fetch);
      lasting = await differs(index + 1);
      // The tables are those of a service without the lie: so they stay.
      if (blocked === undefined && lasting === undefined) break;
    }
    const afterwards = blocked && `the last good reply is ${blocked.outcome}: ${blocked.detail}`;
    const { kind, what } = lie;
    results.push({
      kind: [
        kind,
        ...(patience > 0 ? [`${patience} times in a row`] : []),
        ...(isForced ? ['accepted'] : []),
      ].join(', '),
      what,
      outcome: changed === undefined ? (verdict?.outcome ?? 'harmless') : 'figures changed',
      detail: [changed, verdict?.detail].filter(Boolean).join(' | '),
      isBlocked: blocked !== undefined,
      isLasting: lasting !== undefined,
      ...((afterwards ?? lasting) !== undefined && { afterwards: afterwards ?? lasting }),
    });
  }
  return results;
}

/** The same for HTTP-level faults, which occur while the source fetches. */
export async function lieBelow(base: ReplyBase): Promise<CaseResult[]> {
  const { source, replies } = base;
  const [good] = replies.slice(-BOUND);
  if (good === undefined) throw new Error('there is no reply');
  const { ingest, restore, after, use } = await preparedIngest(base, BOUND);
  const [before, then] = [await after('nothing'), await after('good', good)];
  const results: CaseResult[] = [];
  for (const [kind, turn] of Object.entries(NETWORK_LIES)) {
    restore();
    ingest.clock.nowAt = good.fetchedAt - SECOND_MS;
    const { state, reason = state } = await lyingServer(source.declaration, turn, (http) => {
      use(http);
      return ingest.restarted()(source, { ask: true });
    });
    const changed = apart(await dataOf(ingest), [before.data]);
    const blocked = await given(ingest, base, good);
    const lasting = apart(await currentOf(ingest), [then.current]);
    results.push({
      kind,
      what: 'HTTP',
      outcome: changed === undefined ? (state === 'ok' ? 'harmless' : 'refused') : 'figures changed',
      detail: [changed, reason].filter(Boolean).join(' | '),
      isBlocked: blocked !== undefined,
      isLasting: lasting !== undefined,
      ...((blocked?.detail ?? lasting) !== undefined && { afterwards: blocked?.detail ?? lasting }),
    });
  }
  return results;
}
