/** The interface of an upstream source: a declaration, a fetch and a parse. */
import type { Notice, Observation } from '../calls/observation.ts';
import type { Locode } from '../reference/codes.ts';
import type { Approach, PortBox } from '../reference/port-boxes.ts';
import type { Clock, Day, Instant } from '../reference/time.ts';
import type { HttpClient, WholeAnswer } from './http-client.ts';

// The refused records of a reply, in bounded memory: a count by reason, and the first few in full.

/** A record that is refused, and why; the rest of the reply is accepted. */
export interface Refusal {
  /** A short stable word for metrics, for example `impossible-time`. */
  readonly reason: string;
  /** One line for the log: which record, which value. */
  readonly detail: string;
}

/** Characters of a detail, which may quote an upstream. */
const MAX_DETAIL = 500;

/** The detail as logs and rows have it. */
const clipped = (detail: string): string =>
  detail.length > MAX_DETAIL ? `${detail.slice(0, MAX_DETAIL - 1)}…` : detail;

export interface Refused {
  readonly count: number;
  readonly byReason: Readonly<Record<string, number>>;
  /** At most twenty. */
  readonly first: readonly Refusal[];
}

const KEPT = 20;

export class Refusals implements Refused {
  count = 0;
  readonly byReason: Record<string, number> = {};
  readonly first: Refusal[] = [];

  constructor(...refusals: readonly Refusal[]) {
    for (const refusal of refusals) this.push(refusal);
  }

  push({ reason, detail }: Refusal): void {
    this.add({ count: 1, byReason: { [reason]: 1 }, first: [{ reason, detail: clipped(detail) }] });
  }

  add({ count, byReason, first }: Refused): this {
    this.count += count;
    for (const [reason, more] of Object.entries(byReason))
      this.byReason[reason] = (this.byReason[reason] ?? 0) + more;
    this.first.push(...first.slice(0, Math.max(0, KEPT - this.first.length)));
    return this;
  }

  /** What `read` gives, and how many refusals it has made. */
  during<Read>(read: () => Read): { readonly read: Read; readonly refused: number } {
    const before = this.count;
    return { read: read(), refused: this.count - before };
  }
}

/** For the limits of replies. */
export const MEGABYTE = 1_000_000;

/** The endpoints of a port that the coverage page lists. */
export const COVERAGE_ENDPOINTS = ['snapshot', 'trend', 'waits', 'alerts'] as const;
export type CoverageEndpoint = (typeof COVERAGE_ENDPOINTS)[number];

/** Notes for callers about the data of a source's ports, as the coverage page shows them. */
interface SourceCoverage {
  /** When its data begin. */
  readonly since: string;
  /** How old the newest event is when the source publishes it. */
  readonly delay: string;
  /** Why an endpoint has no data for its ports, by endpoint. */
  readonly lacks?: Partial<Readonly<Record<CoverageEndpoint, string>>>;
  /** When an endpoint has data for its ports, where that differs from other sources of the kind. */
  readonly notes?: Partial<Readonly<Record<CoverageEndpoint, string>>>;
  /** What is unknown until a deployment has read the source, each as a sentence. */
  readonly unknown?: readonly string[];
}

/** One of the feeds that an upstream merges. */
export interface SourceFeed {
  /** As the settings `excludedFeeds` and EXCLUDED_FEEDS name it. */
  readonly name: string;
  /** The terms of its rows. */
  readonly licence: string;
  /** What it asks to be credited as. */
  readonly credit?: string;
}

/** A field that a figure rests on. */
export interface NeededField {
  /** List or file of the reply that has it, as the source names it. */
  readonly list: string;
  readonly name: string;
  /** Its form, as the table in the docs words it: 'time "YYYY-MM-DD HH:mm" of Taipei', 'number with thousands separators', 'one of A, B'. */
  readonly form: string;
  /** Rows may lack it (an empty value is fine), but the field itself must be there in the list. */
  readonly optional?: true;
  /** Few rows have it, so a short list may lack it. */
  readonly rare?: true;
}

/** What one list of a reply holds. */
export interface ListCount {
  readonly list: string;
  readonly port?: Locode;
  readonly rows: number;
  readonly refused: number;
  /** Rows with the id of an earlier row of the list. */
  readonly repeated?: number;
  /** Days of the requested span, where the request states one. */
  readonly days?: number;
  /** Rows that lie outside it. */
  readonly outside?: number;
  /** Rows that fill a field, by its name. */
  readonly filled?: Readonly<Record<string, number>>;
}

export interface SourceDeclaration {
  /** Stable id: folder name here and in the raw archive, and `source` on the wire. */
  readonly id: string;
  readonly name: string;
  readonly publisher: string;
  /** The publisher's page on the data; absent for sources without one. */
  readonly homepage?: string;
  readonly licence: string;
  /** The attribution that the licence requires. */
  readonly attribution: string;
  /** The licence lets single port calls be passed on, in the open dataset. Absent: only figures made from many of them. */
  readonly passesOnCalls?: true;
  /** Minutes between two passes. */
  readonly everyMinutes: number;
  /** Data older than this are stale; alarms and the freshness page use it. */
  readonly freshnessBudgetMinutes: number;
  /**
   * The longest that the newest event of a good reply, or the time that the reply states, lies before its fetch; and before a newest
   * event that is known.
   */
  readonly silence?: {
    readonly of: 'events' | 'reply';
    readonly maxHours: number;
    readonly backHours?: number;
  };
  /** The feeds that the upstream merges, where its rows name them. */
  readonly feeds?: readonly SourceFeed[];
  /** `polls` shows only the present, `events` states event times, `trade` has monthly values. */
  readonly kind: 'polls' | 'events' | 'trade';
  /** Its data are vessel positions, from which the calls are inferred: the boxes around its ports. */
  readonly boxes?: readonly PortBox[];
  /** For positions: areas read besides the boxes. */
  readonly approaches?: readonly Approach[];
  /** For days of positions: groups of ports with a state each; vessels of one never change the calls of another. */
  readonly regions?: Readonly<Record<string, readonly Locode[]>>;
  /** UN/LOCODEs that it covers; no other source of a deployment may cover the same. Empty for trade. */
  readonly ports: readonly Locode[];
  /** Hosts that it may contact; redirects to other hosts are refused. */
  readonly hosts: readonly string[];
  /** Largest accepted reply, in bytes, decompressed. */
  readonly maxReplyBytes: number;
  /** Most rows of an accepted file, counted before it is parsed: elements of a list in XML, objects and lists in JSON. */
  readonly maxRows: number;
  /** Every field that a figure rests on. */
  readonly fields: readonly NeededField[];
  /** Name of the secret that a fetch requires, if any. */
  readonly secret?: string;
  /** Forms of a reply that concerns every request, in order of precedence: it ends the pass, and is not requested again. */
  readonly wholeAnswers?: readonly WholeAnswer[];
  /** Notes on the data of its ports; without them the coverage page states those of the kind. */
  readonly coverage?: SourceCoverage;
}

/** The origin of the figures of the source's ports, as `method` of `GET /v1/ports` states it. */
export const sourceMethod = ({ kind, boxes }: SourceDeclaration): 'records' | 'polls' | 'positions' =>
  boxes ? 'positions' : kind === 'polls' ? 'polls' : 'records';

/** The unchanged files of one fetch, by name. */
export type FetchedFiles = ReadonlyMap<string, Uint8Array>;

/** One fetch in the raw archive. */
export interface ArchivedFetch {
  readonly fetchedAt: Instant;
  readonly files: FetchedFiles;
}

export interface FetchContext {
  readonly http: HttpClient;
  readonly now: Clock;
  /** Time of the newest completely accepted fetch, or the time that its reply stated where that is earlier. */
  readonly lastFetchAt: Instant | undefined;
  /** The archived files of the newest fetch that was read, for sources that record in them which files they have fetched. */
  readonly lastFiles?: () => Promise<FetchedFiles | undefined>;
  /** The value of the declared secret, when it is configured. */
  readonly secret: string | undefined;
}

/** Numbers of a fetch for operators, by name. */
export type Counts = Readonly<Record<string, number>>;

/** Added up, name by name; undefined when there is nothing to add. */
export function sumCounts(all: readonly (Counts | undefined)[]): Counts | undefined {
  const sum: Record<string, number> = {};
  for (const counts of all)
    for (const [name, count] of Object.entries(counts ?? {})) sum[name] = (sum[name] ?? 0) + count;
  return Object.keys(sum).length === 0 ? undefined : sum;
}

export interface ParsedFetch {
  /** The time the reply itself states, else the fetch's. */
  readonly asOfAt: Instant;
  readonly observations: readonly Observation[];
  readonly refusals: Refused;
  readonly lists: readonly ListCount[];
  readonly notices?: readonly Notice[];
  readonly counts?: Counts | undefined;
}

/** The whole reply is unusable: no record is taken and freshness does not change. */
export class RefusedReply extends Error {
  override readonly name = 'RefusedReply';
  constructor(
    readonly reason: string,
    detail: string,
    /** Notices and counts of a step over positions before it refused them. */
    readonly noted: Pick<ParsedFetch, 'notices' | 'counts'> = {},
  ) {
    super(clipped(detail));
  }
}

/** The refusal of a whole reply, for the first reason of its refusals. */
export const refusedFor = ({ first: [first] }: Refused, otherwise: string): RefusedReply =>
  new RefusedReply(first?.reason ?? 'empty', first?.detail ?? otherwise);

/** The archive for past fetches, and the fetches that it already has. */
export interface PastFetches {
  has(fetchedAt: Instant): Promise<boolean>;
  /** The files of an archived fetch, for histories that record in them which files they have fetched. */
  read?(fetchedAt: Instant): Promise<FetchedFiles | undefined>;
  /** Writes all of a fetch or nothing, so that a run that dies leaves no partial fetch. */
  write(fetch: ArchivedFetch): Promise<void>;
}

export interface HistoryLimits {
  /** Fetches after this time could not have been made yet. */
  readonly now: Clock;
  /** Checked between requests by a history whose days take long; when true, it stops there. */
  readonly outOfTime: () => boolean;
}

/** Past fetches that an upstream still serves. */
interface SourceHistory {
  /** Hosts that it contacts; redirects to other hosts are refused. */
  readonly hosts: readonly string[];
  /**
   * Writes the fetches of one UTC day that `past` lacks, with a polite number of parallel requests. Throws
   * `UpstreamFailure`; a repeated call continues where the last one stopped. Resolves to false when it stopped for
   * lack of time.
   */
  fetchDay(http: HttpClient, past: PastFetches, day: Day, limits: HistoryLimits): Promise<unknown>;
}

/** The result of a step over one fetch of positions. */
export interface PositionStep {
  /** Files that `parse` reads instead of those of the fetch. */
  readonly calls: FetchedFiles;
  /** State for the step over the next fetch. */
  readonly state: Uint8Array;
}

/** One day of one region, and the state before it. */
export interface DayInput {
  readonly region: string;
  /** The fetch that the day's file came with. */
  readonly files: FetchedFiles;
  /** State at the end of the day before; undefined at the first. */
  readonly before: Uint8Array | undefined;
  /** End of the newest day that is known: records of an older day are corrections as of that time. */
  readonly asOfAt: Instant;
  /** Stamp of the records, later than that of all records before. */
  readonly recordedAt: Instant;
  /** The calls that an earlier step over the day made: each of its records is replaced or withdrawn. */
  readonly replaced: FetchedFiles | undefined;
}

export interface DayStep extends PositionStep {
  /** Digest of the state's content: with equal digests all later steps are the same. */
  readonly digest: string;
}

/** For sources whose fetches are whole days of positions, each read with the state of the day before. */
export interface DaySteps {
  /** The UTC day of a fetch; undefined when the fetch has no usable file. */
  dayOf(files: FetchedFiles): Day | undefined;
  /** Pure. */
  step(input: DayInput): DayStep;
}

interface AnySource {
  readonly declaration: SourceDeclaration;
  /** Fetches from the upstream; throws `UpstreamFailure` when it does not respond. */
  fetch(context: FetchContext): Promise<FetchedFiles>;
  /** Reads an archived fetch; pure. Throws `RefusedReply` when the fetch is unusable. */
  parse(fetched: ArchivedFetch): ParsedFetch;
  /** The same source without the rows of the named feeds: they are counted and never used. */
  without?(feeds: readonly string[]): Source;
  /** For sources whose past is still available. */
  readonly history?: SourceHistory;
}

/** A source whose replies state calls, the vessels in port, or trade values. */
export interface RecordSource extends AnySource {
  readonly step?: undefined;
  readonly days?: undefined;
}

/** A source of positions that is polled. */
export interface PollSource extends AnySource {
  /**
   * Makes call records from a fetch and the state of the previous step, undefined at the first; `parse` reads them.
   * Pure: repeating a step gives the same bytes.
   */
  step(fetched: ArchivedFetch, state: Uint8Array | undefined): PositionStep;
  readonly days?: undefined;
}

/** A source of whole days of positions, by region; `parse` reads the calls beside the files of the fetch. */
export interface DaySource extends AnySource {
  readonly step?: undefined;
  readonly days: DaySteps;
}

export type Source = RecordSource | PollSource | DaySource;
