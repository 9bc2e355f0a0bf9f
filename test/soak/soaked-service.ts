/** Starts the service under soak and exchanges messages with it. */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuiltService } from '../../serve/data-mode.ts';
import type { Condition, Order, Report } from './service-process.ts';

export interface SoakedService {
  readonly url: string;
  readonly key: string;
  /** Failures that the service reported. */
  readonly faults: readonly string[];
  condition(): Promise<Condition>;
  ingest(): Promise<void>;
  stop(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('service-process.ts', import.meta.url));

/** Rejects, and every question after it does, when the process has ended. */
export async function startSoakedService(built: BuiltService): Promise<SoakedService> {
  const directory = mkdtempSync(join(tmpdir(), 'pcd-soak-'));
  const child = fork(PROGRAM, [built.assembly, built.sampleIngest, directory], {
    execArgv: ['--expose-gc', '--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const faults: string[] = [];
  const waiting: { readonly wanted: keyof Extract<Report, object> | string; take(report: Report): void }[] =
    [];
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${faults.join('; ')}`)));
  });
  ended.catch(() => {});
  child.on('message', (report: Report) => {
    if ('fault' in report) faults.push(report.fault);
    const at = waiting.findIndex(({ wanted }) => wanted in report);
    if (at !== -1) waiting.splice(at, 1)[0]?.take(report);
  });
  const next = (wanted: string): Promise<Report> =>
    Promise.race([new Promise<Report>((take) => waiting.push({ wanted, take })), ended]);
  const ask = (order: Order, wanted: string): Promise<Report> => {
    const response = next(wanted);
    child.send(order);
    return response;
  };

  const started = await next('url');
  if (!('url' in started)) throw new Error('the service did not say where it is');
  return {
    ...started,
    faults,
    async condition() {
      const report = await ask('condition', 'condition');
      if (!('condition' in report)) throw new Error('the service did not say how it is');
      return report.condition;
    },
    async ingest() {
      await ask('ingest', 'done');
    },
    async stop() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.send('stop' satisfies Order);
      await gone;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
