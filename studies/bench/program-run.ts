/** The time and memory that a program of the benchmark used, which it prints as JSON. */
import { readFileSync } from 'node:fs';

export interface ProgramRun {
  readonly rows: number;
  readonly seconds: number;
  /** Processor time of all threads. */
  readonly cpuSeconds: number;
  /** Peak resident memory of the process in MiB. */
  readonly rss: number;
}

/** The kernel's own peak: what `resourceUsage` states starts at the memory of the parent that forked the process. */
export function peakMebibytes(): number {
  try {
    const kilobytes = /VmHWM:\s*(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    if (kilobytes !== undefined) return Number(kilobytes) / 1024;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return process.resourceUsage().maxRSS / 1024;
}

/** Does `work`, which gives its number of rows. Starting the process and loading its modules is not counted. */
export async function measured(work: () => Promise<number> | number): Promise<ProgramRun> {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  const rows = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(before);
  return { rows, seconds, cpuSeconds: (user + system) / 1e6, rss: peakMebibytes() };
}
