/** The run of one source: a pass that fetches, or a back-fill from open to close. */

import { partsOf } from '../../core/ingest/partitions.ts';
import { partitionKey } from '../../core/store/source-status.ts';
import type { SourceDeclaration } from '../../core/upstream/source.ts';
import type { BackFillSpan, Work, WorkEnd, WorkerPool, WorkNews } from './worker-pool.ts';

export interface SourceRun {
  readonly line: string;
  readonly outcome: WorkEnd['outcome'];
}

const partitionKeys = (declaration: SourceDeclaration): string[] =>
  partsOf(declaration).map((part) => partitionKey(declaration.id, part));

/** Number of steps by subject of a message: days of the history, and fetches of each partition. */
export const makeSteps = (
  declaration: SourceDeclaration,
  { days, fetches }: { readonly days: number; readonly fetches: number },
): [string, number][] => [
  [declaration.id, days],
  ...partitionKeys(declaration).map((key): [string, number] => [key, fetches]),
];

const many = (count: number, what: string, plural = `${what}s`): string =>
  `${count} ${count === 1 ? what : plural}`;

function figures(ends: readonly WorkEnd[]): string {
  const sum = (of: (end: WorkEnd) => number | undefined): number =>
    ends.reduce((total, end) => total + (of(end) ?? 0), 0);
  const fetches = many(Math.max(0, ...ends.map((end) => end.fetches ?? 0)), 'fetch', 'fetches');
  const parts = ends.length > 1 ? ` in ${many(ends.length, 'partition')}` : '';
  const leftOut = sum((end) => end.leftOut);
  const changed = `${sum((end) => end.changedRecords)} records changed`;
  return `${fetches}${parts}, ${changed}${leftOut === 0 ? '' : `, ${leftOut} refused`}`;
}

/** One failure fails the whole run; one stopped partition leaves the run unfinished. */
function toOutcome(ends: readonly WorkEnd[]): WorkEnd['outcome'] {
  const outcomes = ends.map(({ outcome }) => outcome);
  if (outcomes.includes('failed')) return 'failed';
  return outcomes.includes('stopped') ? 'stopped' : 'done';
}

/** One pass, or the decision on one fetch. */
export async function runOnce(
  work: Work & { work: 'pass' | 'accept' | 'revoke' },
  pool: WorkerPool,
): Promise<SourceRun> {
  const end = await pool.run(work);
  const done = `${work.work === 'accept' ? 'accepted, ' : ''}${figures([end])}`;
  return { line: `${work.source}: ${end.line ?? done}`, outcome: end.outcome };
}

export async function backFill(
  declaration: SourceDeclaration,
  span: BackFillSpan,
  pool: WorkerPool,
  onNews: (news: WorkNews) => void,
): Promise<SourceRun> {
  const { id } = declaration;
  const opened = await pool.run({ work: 'open', source: id, ...span });
  if (opened.outcome === 'failed') {
    // No automatic retry: the source goes back to its scheduled passes.
    await pool.run({ work: 'close', source: id });
    return { line: `${id} ${opened.line}`, outcome: 'failed' };
  }
  if (opened.partitions === undefined) return { line: `${id}: not started`, outcome: 'stopped' };
  const walks = opened.partitions.map(async (partition) => {
    const end = await pool.run({ work: 'walk', source: id, partition });
    if (end.outcome === 'done') onNews({ news: 'over', of: partitionKey(id, partition.part) });
    return end;
  });
  const walked = await Promise.all(walks);
  const closed = await pool.run({ work: 'close', source: id });
  const outcome = toOutcome([opened, ...walked, closed]);
  const failed = [...walked, closed].find((end) => end.outcome === 'failed');
  if (failed !== undefined) return { line: `${id} ${failed.line}`, outcome };
  // Work that was done before the run counts as done.
  if (outcome === 'done') for (const of of [id, ...partitionKeys(declaration)]) onNews({ news: 'over', of });
  return { line: `${id}: ${figures(walked)}`, outcome };
}
