/** Runs work in a limited number of processes; a failure in one neither stops nor delays another. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Work, WorkEnd, WorkMessage, WorkNews } from './work.ts';

export interface WorkerPoolOptions {
  readonly workers: number;
  /** Environment of every worker. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onNews: (news: WorkNews) => void;
  /** Starts no further work except closing a back-fill; current work stops between two fetches. */
  readonly signal: AbortSignal;
}

export interface WorkerPool {
  /** The result of the work, or its failure; `stopped` when it was never started. In the order of the calls. */
  run(work: Work): Promise<WorkEnd>;
  /** Ends the idle workers. */
  close(): void;
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
export function openWorkerPool({ workers, environment, onNews, signal }: WorkerPoolOptions): WorkerPool {
  const queue: Order[] = [];
  const alive = new Set<Worker>();

  function end(worker: Worker, how: WorkEnd): void {
    const { order } = worker;
    worker.order = undefined;
    order?.end(how);
    begin();
  }

  function start(): Worker {
    const env = environment as NodeJS.ProcessEnv;
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
      if (signal.aborted && order.work.work !== 'close') {
        queue.shift();
        order.end({ outcome: 'stopped' });
        continue;
      }
      const free = [...alive].find((worker) => worker.order === undefined);
      const worker = free ?? (alive.size < workers ? start() : undefined);
      if (worker === undefined) return;
      queue.shift();
      worker.order = order;
      worker.process.send(order.work);
    }
  }

  signal.addEventListener('abort', () => {
    for (const { process: child } of alive) if (child.connected) child.send('stop');
    begin();
  });
  return {
    run: (work) =>
      new Promise((resolve) => {
        queue.push({ work, end: resolve });
        begin();
      }),
    close() {
      for (const { process: child } of alive) if (child.connected) child.disconnect();
    },
  };
}
