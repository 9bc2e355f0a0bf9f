/** `core/reference/evidence.json`: what each source rests on, from its declaration, the recordings, and the list of replies elsewhere. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPositionSource } from '../../core/positions/fix-reader.ts';
import { isInside } from '../../core/positions/port-areas.ts';
import type { KnownSource } from '../../core/reference/evidence.ts';
import type { Locode } from '../../core/reference/locode.ts';
import { DEPLOYED_SOURCES } from '../../core/sources/registry.ts';
import { SAMPLE_DECLARATION } from '../../core/sources/sample-simulator/declaration.ts';
import { createFolderArchive } from '../../core/store/raw-archive.ts';
import {
  type ArchivedFetch,
  RefusedReply,
  type Source,
  type SourceDeclaration,
} from '../../core/upstream/source.ts';

/** What `recordings/replies.json` says beside the recordings themselves. */
export interface ReplyList {
  /** Sources whose recordings have published values in a layout that is not the publisher's: they are no replies. */
  readonly relaid: readonly string[];
  /** Real replies that may not be in the repository; `test/sources/real-replies.test.ts` reads each. */
  readonly elsewhere: readonly {
    readonly source: string;
    readonly fetchedAt: string;
    /** Path in the folder that REAL_REPLIES names, by name in the fetch. */
    readonly files: Readonly<Record<string, string>>;
    /** Records that the parser gives, by port. */
    readonly records: Readonly<Record<string, number>>;
  }[];
}

export const readReplyList = (recordings: string): ReplyList =>
  JSON.parse(readFileSync(join(recordings, 'replies.json'), 'utf8'));

/** The recorded replies of a source, in order of time. */
async function recordedFetches(recordings: string, source: string): Promise<ArchivedFetch[]> {
  const archive = createFolderArchive(recordings);
  const times = await archive.fetches(source, undefined, Number.MAX_SAFE_INTEGER);
  const fetches = times.map(async (fetchedAt) => {
    const files = await archive.read(source, fetchedAt);
    return files === undefined ? [] : [{ fetchedAt, files }];
  });
  return (await Promise.all(fetches)).flat();
}

/** The ports that a reply has data of, by the source's own reader; undefined when it is refused or has no data at all. */
function portsIn(source: Source, fetched: ArchivedFetch): Locode[] | undefined {
  try {
    if (!isPositionSource(source)) {
      const { reports } = source.parse(fetched);
      return reports.length === 0
        ? undefined
        : reports.flatMap((report) => ('port' in report ? report.port : []));
    }
    const { fixes } = source;
    const ports = new Set<Locode>();
    for (const [region, boxes] of Object.entries(fixes.regions))
      fixes.push(fetched, region, (fix) => {
        for (const box of boxes) if (isInside(box, fix, 0)) for (const port of box.ports) ports.add(port);
      });
    return ports.size === 0 ? undefined : [...ports];
  } catch (thrown) {
    if (thrown instanceof RefusedReply) return undefined;
    throw thrown;
  }
}

async function portEvidence(
  source: Source,
  recordings: string,
  list: ReplyList,
): Promise<Pick<KnownSource, 'evidence' | 'ports'>> {
  const { id } = source.declaration;
  const fetches = list.relaid.includes(id) ? [] : await recordedFetches(recordings, id);
  const recorded = fetches.map((fetched) => portsIn(source, fetched)).filter((ports) => ports !== undefined);
  if (recorded.length > 0) return { evidence: 'recorded', ports: [...new Set(recorded.flat())].toSorted() };
  const read = list.elsewhere.filter((reply) => reply.source === id);
  if (read.length === 0) return { evidence: 'expected' };
  return {
    evidence: 'read',
    ports: [...new Set(read.flatMap(({ records }) => Object.keys(records)))].toSorted(),
  };
}

const toEntry = (
  { id, freshnessBudgetMinutes, kind, gone }: SourceDeclaration,
  evidence: Pick<KnownSource, 'evidence' | 'ports'>,
): [string, KnownSource] => [
  id,
  {
    ...evidence,
    freshnessBudgetMinutes,
    ...(kind === 'polls' && { present: true }),
    ...(gone && { offlineSince: gone.since }),
  },
];

/** The text of the file. `recordings` is laid out as the raw archive is. */
export async function evidenceText(recordings: string): Promise<string> {
  const list = readReplyList(recordings);
  const deployed = DEPLOYED_SOURCES.map(async (source) =>
    toEntry(source.declaration, await portEvidence(source, recordings, list)),
  );
  const entries = [
    ...(await Promise.all(deployed)),
    toEntry(SAMPLE_DECLARATION, { evidence: 'simulated' }),
  ].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}
