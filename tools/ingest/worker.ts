/** A worker process of `npm run ingest`: one piece of work after another, in the environment of the ingest function. */

import { acceptFetch, revokeFetch } from '../../core/ingest/acceptance.ts';
import { createBackFill } from '../../core/ingest/back-fill.ts';
import { createPass, type PassOutcome } from '../../core/ingest/pass.ts';
import { sourcesFor } from '../../core/sources/load-sources.ts';
import { partitionKey } from '../../core/store/source-status.ts';
import type { Source } from '../../core/upstream/source.ts';
import { AWS_SERVICES } from '../../lambdas/ingest/aws.ts';
import { openIngestDependencies } from '../../lambdas/ingest/dependencies.ts';
import { errorText } from '../../local/start-error.ts';
import { wiringOf } from './ingest-place.ts';
import type { Work, WorkEnd, WorkMessage } from './worker-pool.ts';

const dependencies = openIngestDependencies(wiringOf(process.env), `ingest-${process.pid}`, AWS_SERVICES);
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

async function workOn(work: Work): Promise<WorkEnd> {
  const { source: id } = work;
  const source = findSource(id);
  switch (work.work) {
    case 'pass':
      return passOver(source);
    case 'open': {
      const onDay = (): void => send({ news: 'day', of: id });
      const { nextDay, partitions } = await backFill.open(source, { ...work, outOfTime, onDay });
      return { outcome: nextDay === undefined ? 'done' : 'stopped', partitions };
    }
    case 'walk': {
      const onProgress = progress(partitionKey(id, work.partition.part));
      return figures(await backFill.walk(source, work.partition, { outOfTime, onProgress }));
    }
    case 'close':
      await backFill.close(source);
      return { outcome: 'done' };
    case 'accept': {
      const onPlan = (lines: readonly string[]): void => send({ news: 'plan', of: id, lines });
      const changedRecords = await acceptFetch(dependencies, source, work.fetchedAt, onPlan);
      return { outcome: 'done', fetches: 1, changedRecords };
    }
    case 'revoke': {
      const isRestored = await revokeFetch(dependencies, source, work.fetchedAt);
      if (isRestored) return { outcome: 'done', line: 'revoked: the tables are those without it' };
      return { outcome: 'done', line: 'revoked: what it replaced is no longer kept, so rebuild the tables' };
    }
  }
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
