/** Starts the processes that measurements need: the local service, a load generator, invoked handlers. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CopiedResponse } from './bare-program.ts';
import type { Load, LoadFigures } from './load-program.ts';
import type { ServiceSettings, ServiceStarted } from './service-program.ts';

const programFile = (name: string): string => fileURLToPath(new URL(`${name}-program.ts`, import.meta.url));

function start(program: string, settings: unknown): ChildProcess {
  return fork(programFile(program), [JSON.stringify(settings)], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** The next message of the child; rejects when it ends without one. */
function messageOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`a process ended with code ${code}`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message as T);
    });
  });
}

/** Asks the child to end, and waits until it has. */
async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.send('stop');
  await ended;
}

interface ProcessUsage {
  /** Microseconds since it started, all threads. */
  readonly cpu: { readonly user: number; readonly system: number };
  /** Bytes. */
  readonly rss: number;
}

/** A process that can be asked what it has used so far. */
export interface MeasuredProcess {
  readonly url: string;
  usage(): Promise<ProcessUsage>;
  stop(): Promise<void>;
}

export type MeasuredService = ServiceStarted & MeasuredProcess;

const measured = (child: ChildProcess): Pick<MeasuredProcess, 'usage' | 'stop'> => ({
  usage: () => {
    const usage = messageOf<ProcessUsage>(child);
    child.send('usage');
    return usage;
  },
  stop: () => stopped(child),
});

export async function startMeasuredService(settings: ServiceSettings = {}): Promise<MeasuredService> {
  const child = start('service', settings);
  const started = await messageOf<ServiceStarted>(child);
  return { ...started, ...measured(child) };
}

export async function startBareServer(copied: CopiedResponse): Promise<MeasuredProcess> {
  const child = start('bare', copied);
  const started = await messageOf<Pick<MeasuredProcess, 'url'>>(child);
  return { ...started, ...measured(child) };
}

/** Runs the load generator in a process of its own. */
export async function runLoad(load: Load): Promise<LoadFigures> {
  const child = start('load', load);
  const figures = await messageOf<LoadFigures>(child);
  await stopped(child);
  return figures;
}
