/** A worker process of `npm run ingest`: one piece of work after another, in the environment of the ingest function. */

import { acceptFetch } from '../../core/ingest/acceptance.ts';
import { createBackFill } from '../../core/ingest/back-fill.ts';
import type { Partition } from '../../core/ingest/partitions.ts';
import { createPass, type PassOutcome } from '../../core/ingest/pass.ts';
import type { Instant } from '../../core/reference/time.ts';
import { sourcesFor } from '../../core/sources/load-sources.ts';
import { partitionKey } from '../../core/store/source-status.ts';
import type { Source } from '../../core/upstream/source.ts';
import { openIngestDependencies } from '../../lambdas/ingest/dependencies.ts';
import { errorText } from '../../local/start-error.ts';
import type { Work, WorkEnd, WorkMessage } from './work.ts';

const dependencies = openIngestDependencies(process.env, process.env.LEASE_OWNER ?? `ingest-${process.pid}`);
const sources = await sourcesFor(process.env);
const pass = createPass(dependencies);
const backFill = createBackFill(dependencies);
let stopping = false;
const outOfTime = (): boolean => stopping;
const send = (message: WorkMessage): void => {
  process.send?.(message);
};

function findSource(id: string): Source {
  const source = sources.find(({ declaration }) => declaration.id === id);
  if (source === undefined) throw new Error(`there is no source ${id}`);
  return source;
}

const progress = (of: string) => (done: number, total: number) => send({ news: 'fetch', of, done, total });

const figures = ({ fetches, changedRecords, refusals, unfinished }: PassOutcome): WorkEnd => ({
  outcome: unfinished ? 'stopped' : 'done',
  fetches,
  changedRecords,
  leftOut: refusals.count,
});

async function passOver(source: Source): Promise<WorkEnd> {
  const { id } = source.declaration;
  const outcome = await pass(source, { ask: true, outOfTime, onProgress: progress(id) });
  const { state, reason, detail } = outcome;
  if (state === 'ok') return figures(outcome);
  const said = [reason, detail].filter(Boolean).join(', ');
  const failed = state === 'failed' || state === 'held' || state === 'busy';
  return {
    ...figures(outcome),
    outcome: failed ? 'failed' : 'done',
    line: `${state}${said === '' ? '' : `, ${said}`}`,
  };
}

async function open({ source: id, ...span }: Work & { work: 'open' }): Promise<WorkEnd> {
  const onDay = (): void => send({ news: 'day', of: id });
  const { nextDay, partitions } = await backFill.open(findSource(id), { ...span, outOfTime, onDay });
  return { outcome: nextDay === undefined ? 'done' : 'stopped', partitions };
}

async function walk(partition: Partition): Promise<WorkEnd> {
  const { source, part } = partition;
  const onProgress = progress(partitionKey(source, part));
  return figures(await backFill.walk(findSource(source), partition, { outOfTime, onProgress }));
}

async function accept(id: string, fetchedAt: Instant): Promise<WorkEnd> {
  const onPlan = (lines: readonly string[]): void => send({ news: 'plan', of: id, lines });
  const changedRecords = await acceptFetch(dependencies, findSource(id), fetchedAt, onPlan);
  return { outcome: 'done', fetches: 1, changedRecords };
}

async function workOn(work: Work): Promise<WorkEnd> {
  if (work.work === 'accept') return accept(work.source, work.fetchedAt);
  if (work.work === 'pass') return passOver(findSource(work.source));
  if (work.work === 'open') return open(work);
  if (work.work === 'walk') return walk(work.partition);
  await backFill.close(findSource(work.source));
  return { outcome: 'done' };
}

// Ctrl-C reaches every process of a terminal; the parent process decides when to stop.
process.on('SIGINT', () => undefined);
process.once('disconnect', () => {
  stopping = true;
});
process.on('message', async (work: Work | 'stop') => {
  if (work === 'stop') {
    stopping = true;
    return;
  }
  const end = await workOn(work).catch(
    (thrown: unknown): WorkEnd => ({ outcome: 'failed', line: `failed: ${errorText(thrown)}` }),
  );
  send({ news: 'end', end });
});
