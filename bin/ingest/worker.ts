/** A worker process of `npm run ingest`: walks one partition, in the environment of the ingest function. */
import { sourceById } from '../../core/sources/registry.ts';
import { createHistory } from '../../lambdas/ingest/history.ts';
import { openIngestParts } from '../../lambdas/ingest/ingest-parts.ts';
import { createPass, type PassOutcome } from '../../lambdas/ingest/pass.ts';
import { faultText } from '../../local/start-fault.ts';
import type { WalkEnd, WalkNews, WalkOrder } from './walk.ts';

const parts = openIngestParts(process.env, process.env.LEASE_OWNER ?? `ingest-${process.pid}`);
const pass = createPass(parts);
const history = createHistory(parts);
let stopping = false;
const outOfTime = (): boolean => stopping;
const tell = (news: WalkNews): void => {
  process.send?.(news);
};

function lineOf({ source, state, fetches, changedRecords, refusals, reason, detail }: PassOutcome): string {
  const said = [reason, detail].filter(Boolean).join(', ');
  const left = refusals.length === 0 ? '' : `, ${refusals.length} left out`;
  const work = `${fetches} ${fetches === 1 ? 'fetch' : 'fetches'}, ${changedRecords} records changed${left}`;
  return state === 'ok' ? `${source}: ${work}` : `${source}: ${state}${said === '' ? '' : `, ${said}`}`;
}

async function walk(order: WalkOrder): Promise<{ line: string; outcome: WalkEnd }> {
  const { source: id, ask, fromAt, untilAt } = order;
  const source = sourceById(id);
  if (source === undefined) return { line: `${id}: there is no such source`, outcome: 'failed' };
  if (order.history !== undefined) {
    const next = await history(source, {
      fromDay: order.history.from,
      toDay: order.history.to,
      outOfTime,
      onDay: (day) => tell({ news: 'day', source: id, day }),
    });
    if (next !== undefined) return { line: `${id}: stopped before ${next}`, outcome: 'stopped' };
  }
  const outcome = await pass(source, {
    ask,
    outOfTime,
    ...(fromAt === undefined ? {} : { fromAt }),
    ...(untilAt === undefined ? {} : { untilAt }),
    onProgress: (done, total) => tell({ news: 'fetch', source: id, done, total }),
  });
  const failed = outcome.state === 'failed' || outcome.state === 'busy';
  return { line: lineOf(outcome), outcome: failed ? 'failed' : outcome.unfinished ? 'stopped' : 'done' };
}

// Ctrl-C reaches every process of a terminal; when to stop is for the one that was started by hand to say.
process.on('SIGINT', () => undefined);
process.once('disconnect', () => {
  stopping = true;
});
process.on('message', async (order: WalkOrder | 'stop') => {
  if (order === 'stop') {
    stopping = true;
    return;
  }
  const { source } = order;
  const end = await walk(order).catch((thrown: unknown) => ({
    line: `${source} failed: ${faultText(thrown)}`,
    outcome: 'failed' as const,
  }));
  tell({ news: 'end', source, ...end });
  process.disconnect?.();
});
