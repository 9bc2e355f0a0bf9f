/** What the tests of sources have in common: replies, clients that give them, fetches, and what a parse says. */
import type { CallsObservation } from '../../core/calls/observation.ts';
import type { HttpClient, HttpReply } from '../../core/upstream/http-client.ts';
import {
  type ArchivedFetch,
  type FetchContext,
  type FetchedFiles,
  type ParsedFetch,
  RefusedReply,
} from '../../core/upstream/source.ts';

/** Texts as they are, other contents as JSON. */
export const bytesOf = (content: unknown): Uint8Array =>
  content instanceof Uint8Array
    ? content
    : new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content));

export const filesOf = (contents: Readonly<Record<string, unknown>>): Map<string, Uint8Array> =>
  new Map(Object.entries(contents).map(([name, content]) => [name, bytesOf(content)]));

export const reply = (
  status: number,
  content: unknown = '',
  headers: Record<string, string> = {},
): HttpReply => ({ status, headers, body: bytesOf(content) });

/** A client whose replies, or failures, are those of `respond`, and the addresses that it is asked for. */
export function clientOf(respond: (url: URL, headers: Readonly<Record<string, string>>) => HttpReply) {
  const asked: URL[] = [];
  const http: HttpClient = {
    get: async (address, headers = {}) => {
      const url = new URL(address);
      asked.push(url);
      return respond(url, headers);
    },
  };
  return { asked, http };
}

/** What a source is given for its first fetch, or with the changes. */
export const fetchContext = (http: HttpClient, changes: Partial<FetchContext> = {}): FetchContext => ({
  http,
  now: () => 0,
  lastFetchAt: undefined,
  secret: undefined,
  ...changes,
});

/** An archive for past fetches that has some of these times. */
export function memoryPast(...archived: readonly number[]) {
  const written = new Map<number, FetchedFiles>();
  return {
    written,
    has: async (at: number) => archived.includes(at) || written.has(at),
    read: async (at: number) => written.get(at),
    write: async ({ fetchedAt, files }: ArchivedFetch) => {
      written.set(fetchedAt, files);
    },
  };
}

/** The note of a source on its request. */
export const requestIn = (files: FetchedFiles) =>
  JSON.parse(Buffer.from(files.get('request.json') ?? []).toString());

/** The batch of a port. */
export function batchIn({ observations }: ParsedFetch, port: string): CallsObservation {
  const batch = observations.find(
    (report): report is CallsObservation => report.kind === 'call-batch' && report.port === port,
  );
  if (!batch) throw new Error(`no batch of ${port}`);
  return batch;
}

export const reasonsOf = ({ refusals }: Pick<ParsedFetch, 'refusals'>): string[] =>
  refusals.first.map(({ reason }) => reason);

/** Why a parse refuses its reply. */
export function refusalOf(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (error instanceof RefusedReply) return error.reason;
    throw error;
  }
  return 'taken';
}

/** The only one of a list. */
export function only<Item>(items: readonly Item[]): Item {
  const [item] = items;
  if (item === undefined || items.length > 1) throw new Error(`${items.length} instead of one`);
  return item;
}
