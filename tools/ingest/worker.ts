/** A worker process of `npm run ingest`: one piece of work after another, in the environment of the ingest function. */

import { acceptFetch, revokeFetch } from '../../core/ingest/acceptance.ts';
import { createBackFill } from '../../core/ingest/back-fill.ts';
import { createPass, type PassOutcome } from '../../core/ingest/pass.ts';
import { sourcesFor } from '../../core/sources/load-sources.ts';
import type { Source } from '../../core/upstream/source.ts';
import { AWS_SERVICES } from '../../lambdas/ingest/aws.ts';
import { openIngestDependencies } from '../../lambdas/ingest/dependencies.ts';
import { errorText } from '../../local/command-line.ts';
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

/** Whether it ends, is stopped or fails, the source goes back to its passes. */
async function fillBack(
  source: Source,
  { history, sinceAt, untilAt }: Work & { work: 'back-fill' },
): Promise<WorkEnd> {
  const { id } = source.declaration;
  const onDay = (): void => send({ news: 'day', of: id });
  let isDone = false;
  try {
    const nextDay = await backFill.load(source, { history, outOfTime, onDay });
    if (nextDay !== undefined) return { outcome: 'stopped' };
    const applied = await backFill.apply(source, { sinceAt, untilAt, outOfTime, onProgress: progress(id) });
    isDone = !applied.unfinished;
    return figures(applied);
  } finally {
    if (!isDone) await backFill.giveUp(source).catch(() => undefined);
  }
}

async function workOn(work: Work): Promise<WorkEnd> {
  const { source: id } = work;
  const source = findSource(id);
  switch (work.work) {
    case 'pass':
      return passOver(source);
    case 'back-fill':
      return fillBack(source, work);
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
