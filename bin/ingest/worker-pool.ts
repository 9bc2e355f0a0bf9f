/** Walks partitions in processes of their own, so many at a time; what one does neither stops nor delays another. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { WalkEnd, WalkNews, WalkOrder } from './walk.ts';

export interface WorkerPoolOptions {
  readonly workers: number;
  /** Environment of every worker. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onNews: (news: WalkNews) => void;
  /** No further partition is begun, and those under way stop between two fetches. */
  readonly signal: AbortSignal;
}

const PROGRAM = fileURLToPath(new URL('./worker.ts', import.meta.url));

/** The end of each order, in any order; partitions that were never begun are `stopped`. */
export async function walkAll(orders: readonly WalkOrder[], options: WorkerPoolOptions): Promise<WalkEnd[]> {
  const queue = [...orders];
  const ends: WalkEnd[] = [];
  const work = async (): Promise<void> => {
    for (let order = queue.shift(); order !== undefined; order = queue.shift())
      ends.push(options.signal.aborted ? 'stopped' : await walkOne(order, options));
  };
  await Promise.all(Array.from({ length: Math.min(options.workers, orders.length) }, work));
  return ends;
}

/** Resolves when the worker has told of the order's end, or has died of it. */
function walkOne(order: WalkOrder, { environment, onNews, signal }: WorkerPoolOptions): Promise<WalkEnd> {
  const worker = fork(PROGRAM, {
    env: environment as NodeJS.ProcessEnv,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const stop = (): void => {
    if (worker.connected) worker.send('stop');
  };
  signal.addEventListener('abort', stop);
  let [complaint, outcome] = ['', undefined as WalkEnd | undefined];
  worker.stderr?.on('data', (chunk) => {
    complaint = `${complaint}${chunk}`.slice(-2000);
  });
  worker.on('message', (news: WalkNews) => {
    if (news.news === 'end') outcome = news.outcome;
    onNews(news);
  });
  worker.send(order);
  return new Promise((resolve) => {
    worker.on('close', (code) => {
      signal.removeEventListener('abort', stop);
      const { source } = order;
      if (outcome === undefined) {
        const reason = /^\w*Error: .*/m.exec(complaint)?.[0] ?? `its process ended with code ${code}`;
        const line = `${source} failed: ${reason}`;
        onNews({ news: 'end', source, line, outcome: 'failed' });
      }
      resolve(outcome ?? 'failed');
    });
  });
}
