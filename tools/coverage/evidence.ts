/** `core/reference/evidence.json`: what each source rests on, from its declaration, the recordings, and the list of replies elsewhere. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallRecord } from '../../core/calls/observation.ts';
import type { Locode } from '../../core/reference/codes.ts';
import type { KnownSource } from '../../core/reference/evidence.ts';
import { endOfDay } from '../../core/reference/time.ts';
import { callTablesDeclaration } from '../../core/sources/call-tables/declaration.ts';
import { loadSources } from '../../core/sources/load-sources.ts';
import { SAMPLE_DECLARATION } from '../../core/sources/sample-simulator/declaration.ts';
import { createFolderArchive } from '../../core/store/raw-archive.ts';
import {
  type ArchivedFetch,
  type ParsedFetch,
  RefusedReply,
  type Source,
  type SourceDeclaration,
} from '../../core/upstream/source.ts';

/** What `recordings/replies.json` says beside the recordings themselves. */
export interface ReplyList {
  /** Sources whose recordings have published values in a layout of ours, so they are not replies. */
  readonly relaid: readonly string[];
  /** Real replies that may not be in the repository; `test/sources/real-replies.test.ts` reads each. */
  readonly elsewhere: readonly {
    readonly source: string;
    readonly fetchedAt: string;
    /** Path in the folder that REAL_REPLIES names, by name in the fetch. */
    readonly files: Readonly<Record<string, string>>;
    /** Number of records that the parser gives, by port. */
    readonly records: Readonly<Record<string, number>>;
  }[];
}

export const readReplyList = (recordings: string): ReplyList =>
  JSON.parse(readFileSync(join(recordings, 'replies.json'), 'utf8'));

async function recordedFetches(recordings: string, source: string): Promise<ArchivedFetch[]> {
  const archive = createFolderArchive(recordings);
  const times = await archive.fetches(source, undefined, Number.MAX_SAFE_INTEGER);
  const fetches = times.map(async (fetchedAt) => {
    const files = await archive.read(source, fetchedAt);
    return files === undefined ? [] : [{ fetchedAt, files }];
  });
  return (await Promise.all(fetches)).flat();
}

/** The parsed recorded replies, in order of time, without the refused ones. */
function* parsedReplies(source: Source, fetches: readonly ArchivedFetch[]): Generator<ParsedFetch> {
  /** State by region, for a source of days. */
  const states = new Map<string, Uint8Array>();
  for (const fetched of fetches)
    try {
      yield source.parse({
        ...fetched,
        files: new Map([...fetched.files, ...stepFiles(source, fetched, states)]),
      });
    } catch (thrown) {
      if (!(thrown instanceof RefusedReply)) throw thrown;
    }
}

/** The calls that the steps of a source of positions make of a reply. */
function* stepFiles(
  { declaration, step, days }: Source,
  fetched: ArchivedFetch,
  states: Map<string, Uint8Array>,
): Generator<[string, Uint8Array]> {
  if (step !== undefined) {
    const { calls, state } = step(fetched, states.get(''));
    states.set('', state);
    yield* calls;
  }
  const day = days?.dayOf(fetched.files);
  if (days === undefined || day === undefined) return;
  const asOfAt = endOfDay(day);
  for (const region of Object.keys(declaration.regions ?? {})) {
    const before = states.get(region);
    const input = { region, files: fetched.files, before, asOfAt, recordedAt: asOfAt, replaced: undefined };
    const { calls, state } = days.step(input);
    states.set(region, state);
    yield* calls;
  }
}

const isClosed = ({ stops }: CallRecord): boolean =>
  stops.some(({ atdAt, startUnknown, endUnknown }) => atdAt !== undefined && !startUnknown && !endUnknown);

/** The ports with data in recorded replies; for positions, with a stay seen from beginning to end. Undefined when there are no data. */
export function recordedPorts(source: Source, fetches: readonly ArchivedFetch[]): Locode[] | undefined {
  const isPositions = source.step !== undefined || source.days !== undefined;
  const observations = [...parsedReplies(source, fetches)].flatMap((parsed) => parsed.observations);
  const proven = observations.filter(
    (observation) =>
      observation.kind !== 'call-batch' ||
      observation.records.some((record) => !isPositions || isClosed(record)),
  );
  if (proven.length === 0) return undefined;
  return [
    ...new Set(proven.flatMap((observation) => ('port' in observation ? observation.port : []))),
  ].toSorted();
}

type Evidence = Pick<KnownSource, 'evidence' | 'ports'>;

async function portEvidence(source: Source, recordings: string, list: ReplyList): Promise<Evidence> {
  const { id } = source.declaration;
  const fetches = list.relaid.includes(id) ? [] : await recordedFetches(recordings, id);
  const ports = recordedPorts(source, fetches);
  if (ports !== undefined) return { evidence: 'recorded', ports };
  const read = list.elsewhere.filter((reply) => reply.source === id);
  if (read.length === 0) return { evidence: 'expected' };
  const named = read.flatMap(({ records }) => Object.keys(records));
  return { evidence: 'read', ports: [...new Set(named)].toSorted() };
}

/** The text of the file. */
export async function evidenceText(recordings: string): Promise<string> {
  const list = readReplyList(recordings);
  const known = new Map<SourceDeclaration, Evidence>([
    [SAMPLE_DECLARATION, { evidence: 'simulated' }],
    [callTablesDeclaration, { evidence: 'given' }],
  ]);
  for (const source of await loadSources())
    known.set(source.declaration, await portEvidence(source, recordings, list));
  const entries = Array.from(known, ([declaration, evidence]): [string, KnownSource] => {
    const { id, freshnessBudgetMinutes, kind } = declaration;
    const present = kind === 'polls' && { present: true };
    return [id, { ...evidence, freshnessBudgetMinutes, ...present }];
  }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}
