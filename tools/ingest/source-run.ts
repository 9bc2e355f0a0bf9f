/** The run of one source: a pass that fetches, a back-fill, or the decision on one fetch. */
import type { Work, WorkEnd, WorkerPool } from './worker-pool.ts';

export interface SourceRun {
  readonly line: string;
  readonly outcome: WorkEnd['outcome'];
}

const many = (count: number, what: string, plural = `${what}s`): string =>
  `${count} ${count === 1 ? what : plural}`;

function figures({ fetches = 0, changedRecords = 0, leftOut = 0 }: WorkEnd): string {
  const changed = `${many(fetches, 'fetch', 'fetches')}, ${changedRecords} records changed`;
  return `${changed}${leftOut === 0 ? '' : `, ${leftOut} refused`}`;
}

export async function runSource(work: Work, pool: WorkerPool): Promise<SourceRun> {
  const { outcome, ...end } = await pool.run(work);
  const done = `${work.work === 'accept' ? 'accepted, ' : ''}${figures({ outcome, ...end })}`;
  return { line: `${work.source}: ${end.line ?? done}`, outcome };
}
