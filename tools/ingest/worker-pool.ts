/** Runs work in a limited number of processes; a failure in one neither stops nor delays another. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Day, Instant } from '../../core/reference/time.ts';

/** What a back-fill covers. */
export interface BackFillSpan {
  /** Days to fetch from the upstream's past first, both included. */
  readonly history?: { readonly fromDay: Day; readonly toDay: Day } | undefined;
  /** Archived fetches from the first to the second time, both included. */
  readonly sinceAt?: Instant | undefined;
  readonly untilAt?: Instant | undefined;
}

/** A pass, or a step of a back-fill, done by a worker with the code of the function. */
export type Work =
  /** Applies what is archived, then fetches from the upstream once. */
  | { readonly work: 'pass'; readonly source: string }
  | ({ readonly work: 'back-fill'; readonly source: string } & BackFillSpan)
  /** Applies a fetch that was refused or held, or revokes one that was accepted. */
  | { readonly work: 'accept' | 'revoke'; readonly source: string; readonly fetchedAt: Instant };

/** Progress of a piece of work of the source `of`. */
export type WorkNews =
  | { readonly news: 'plan'; readonly of: string; readonly lines: readonly string[] }
  | { readonly news: 'day'; readonly of: string }
  | { readonly news: 'fetch'; readonly of: string; readonly done: number; readonly total: number }
  | { readonly news: 'over'; readonly of: string };

export interface WorkEnd {
  /** `stopped`: on request; the next run continues from there. */
  readonly outcome: 'done' | 'stopped' | 'failed';
  /** Why it failed, or the outcome of a pass. */
  readonly line?: string;
  readonly fetches?: number;
  readonly changedRecords?: number;
  /** Refused records and replies. */
  readonly leftOut?: number;
}

/** The line of a source once its work has ended. */
export function endLine({ work, source }: Work, end: WorkEnd): string {
  const { fetches = 0, changedRecords = 0, leftOut = 0, line } = end;
  const figures = `${fetches} ${fetches === 1 ? 'fetch' : 'fetches'}, ${changedRecords} records changed`;
  const refused = leftOut === 0 ? '' : `, ${leftOut} refused`;
  return `${source}: ${line ?? `${work === 'accept' ? 'accepted, ' : ''}${figures}${refused}`}`;
}

export type WorkMessage = WorkNews | { readonly news: 'end'; readonly end: WorkEnd };

export interface WorkerPoolOptions {
  readonly workers: number;
  readonly environment: NodeJS.ProcessEnv;
  readonly onNews: (news: WorkNews) => void;
  /** Starts no further work; current work stops between two fetches. */
  readonly signal: AbortSignal;
}

interface Order {
  readonly work: Work;
  readonly end: (end: WorkEnd) => void;
}

interface Worker {
  readonly process: ChildProcess;
  order?: Order | undefined;
  /** The last lines of its standard error. */
  complaint: string;
}

const PROGRAM = fileURLToPath(new URL('./worker.ts', import.meta.url));
const COMPLAINT_LENGTH = 2000;

/** Workers start when there is work for them; a crashed one is replaced when there is more. */
export function openWorkerPool({ workers, environment: env, onNews, signal }: WorkerPoolOptions) {
  const queue: Order[] = [];
  const alive = new Set<Worker>();

  function end(worker: Worker, how: WorkEnd): void {
    const { order } = worker;
    worker.order = undefined;
    order?.end(how);
    begin();
  }

  function start(): Worker {
    const child = fork(PROGRAM, { env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    const worker: Worker = { process: child, complaint: '' };
    child.stderr?.on('data', (chunk) => {
      worker.complaint = `${worker.complaint}${chunk}`.slice(-COMPLAINT_LENGTH);
    });
    child.on('message', (message: WorkMessage) => {
      if (message.news === 'end') end(worker, message.end);
      else onNews(message);
    });
    child.on('close', (code) => {
      alive.delete(worker);
      const reason = /^\w*Error: .*/m.exec(worker.complaint)?.[0] ?? `its process ended with code ${code}`;
      end(worker, { outcome: 'failed', line: `failed: ${reason}` });
    });
    alive.add(worker);
    return worker;
  }

  function begin(): void {
    for (let order = queue[0]; order !== undefined; order = queue[0]) {
      if (signal.aborted) order.end({ outcome: 'stopped' });
      else {
        const free = [...alive].find((worker) => worker.order === undefined);
        const worker = free ?? (alive.size < workers ? start() : undefined);
        if (worker === undefined) return;
        worker.order = order;
        worker.process.send(order.work);
      }
      queue.shift();
    }
  }

  signal.addEventListener('abort', () => {
    for (const { process: child } of alive) if (child.connected) child.send('stop');
    begin();
  });
  return {
    /** The result of the work, or its failure; `stopped` when it was never started. In the order of the calls. */
    run: (work: Work) =>
      new Promise<WorkEnd>((resolve) => {
        queue.push({ work, end: resolve });
        begin();
      }),
    close() {
      for (const { process: child } of alive) if (child.connected) child.disconnect();
    },
  };
}
