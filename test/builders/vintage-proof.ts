/**
 * The proof of vintages: a service reads an archive, and at the end of every UTC day, before it has read anything of a later
 * one, it responds to requests. Once it has read all, the same requests with `as_of` must get the same bytes.
 */
import { addDays, type Day, dayOf, endOfDay } from '../../core/reference/time.ts';
import { randomStream } from '../../core/sources/sample-simulator/source.ts';
import type { ArchivedFetch, Source } from '../../core/upstream/source.ts';
import type { KeyedOperation } from './keyed-handlers.ts';
import { type MemoryIngest, startMemoryIngest } from './memory-ingest.ts';
import { type ReadReply, readHandlers } from './read-handlers.ts';

export interface ReplayedArchive {
  readonly source: Source;
  /** Oldest first. */
  readonly fetches: Iterable<ArchivedFetch>;
  readonly ports: readonly string[];
  readonly codes?: readonly string[];
}

interface Request {
  readonly operation: KeyedOperation;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, readonly string[]>>;
}

/** The end of a day as a service that knows no more responded to it. */
interface DayEnd {
  readonly day: Day;
  readonly subject: string;
  readonly request: Request;
  readonly reply: ReadReply;
}

export interface Proof {
  /** Source, port or code, and day. */
  readonly triples: number;
  readonly responses: number;
  /** Responses that differ from today's: only these show that something was rolled back. */
  readonly changedSince: number;
  readonly unequal: readonly { readonly request: string; readonly cut: string; readonly asOf: string }[];
}

function requestsOf(subject: string, isCode: boolean, day: Day): Request[] {
  if (isCode)
    return ['json', 'csv'].map((format) => ({
      operation: 'hsImports',
      path: { code: subject },
      query: { format: [format] },
    }));
  const path = { UNLOCODE: subject };
  return [
    { operation: 'trend', path, query: { window: ['30d'] } },
    { operation: 'trend', path, query: { days: ['3'], until: [day], format: ['csv'] } },
    { operation: 'waits', path, query: {} },
    { operation: 'waits', path, query: { to: [day], class: ['container'], format: ['csv'] } },
    { operation: 'alerts', path, query: {} },
    { operation: 'alerts', path, query: { window: ['7d'], until: [day], format: ['csv'] } },
    { operation: 'snapshot', path, query: {} },
    { operation: 'ports', path: {}, query: { sort: ['-congestion_score'] } },
    { operation: 'ports', path: {}, query: { country: [subject.slice(0, 2)], format: ['csv'] } },
  ];
}

const replyTo = (ingest: MemoryIngest, { operation, path, query }: Request): Promise<ReadReply> =>
  readHandlers(ingest.tables, () => ingest.clock.nowAt, { replays: true })[operation]({ path, query });

async function endOf(
  ingest: MemoryIngest,
  day: Day,
  { ports, codes = [] }: ReplayedArchive,
): Promise<DayEnd[]> {
  ingest.clock.nowAt = endOfDay(day) - 1;
  const ends: DayEnd[] = [];
  for (const subject of [...ports, ...codes])
    for (const request of requestsOf(subject, codes.includes(subject), day))
      ends.push({ day, subject, request, reply: await replyTo(ingest, request) });
  return ends;
}

/** Reads the archive fetch by fetch, and keeps what the service responds at the end of every day but the last. */
async function dayEnds(ingest: MemoryIngest, archive: ReplayedArchive): Promise<DayEnd[]> {
  const { id } = archive.source.declaration;
  const ends: DayEnd[] = [];
  let day: Day | undefined;
  for (const { fetchedAt, files } of archive.fetches) {
    if (day !== undefined && dayOf(fetchedAt) > day) {
      // The last day before the fetch too: none may have been fetched on it.
      for (const end of new Set([day, addDays(dayOf(fetchedAt), -1)]))
        ends.push(...(await endOf(ingest, end, archive)));
    }
    day = dayOf(fetchedAt);
    await ingest.archive.write(id, fetchedAt, files);
    ingest.clock.nowAt = fetchedAt + 1000;
    await ingest.pass(archive.source, { ask: false });
  }
  return ends;
}

const tripleOf = ({ subject, day }: DayEnd): string => `${subject} ${day}`;

/** A random choice of at most `count` of the texts. */
function chosenOf(texts: readonly string[], count: number, seed: number): Set<string> {
  const random = randomStream('vintages', seed);
  const shuffled = texts.map((text) => ({ text, at: random() })).sort((a, b) => a.at - b.at);
  return new Set(shuffled.slice(0, count).map(({ text }) => text));
}

/** Compares at most `count` random triples of one archive. */
export async function proveVintages(archive: ReplayedArchive, count: number, seed = 1): Promise<Proof> {
  const ingest = startMemoryIngest({ nowAt: 0 });
  const ends = await dayEnds(ingest, archive);
  const chosen = chosenOf([...new Set(ends.map(tripleOf))], count, seed);
  const unequal: { request: string; cut: string; asOf: string }[] = [];
  let [responses, changedSince] = [0, 0];
  for (const end of ends) {
    // For a port without data the hints differ: one says when the vintages begin.
    if (!chosen.has(tripleOf(end)) || end.reply.status !== 200) continue;
    const { request, reply, day } = end;
    const asOf = await replyTo(ingest, { ...request, query: { ...request.query, as_of: [day] } });
    const now = await replyTo(ingest, request);
    responses += 1;
    if (now.body !== reply.body) changedSince += 1;
    if (asOf.status !== 200 || asOf.body !== reply.body || asOf.etag !== reply.etag)
      unequal.push({ request: JSON.stringify([request, day]), cut: reply.body, asOf: asOf.body });
  }
  return { triples: chosen.size, responses, changedSince, unequal };
}
