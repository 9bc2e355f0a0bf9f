/** How long `npm start` takes to `ready`, with nothing built and again, and how much memory all its processes use. */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Figure } from './figure.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What a fresh checkout does not have. */
const NOT_CHECKED_OUT = new Set(['node_modules', 'dist', 'cdk.out', '.data', '.git']);

export interface Start {
  readonly seconds: number;
  /** Seconds of processor time of npm and all below it up to `ready`, whatever else the machine does. */
  readonly processorSeconds: number;
  /** Megabytes resident of npm and all below it: the peak, and shortly after `ready`. */
  readonly peakMegabytes: number;
  readonly settledMegabytes: number;
}

const TICKS_A_SECOND = 100;

interface Usage {
  readonly megabytes: number;
  readonly processorSeconds: number;
}

/** What a process uses, its ended children's processor time included. */
function usageOf(name: string): Usage & { readonly parent: number } {
  const status = readFileSync(`/proc/${name}/status`, 'utf8');
  const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
  // After the name, which may contain anything: fields 3 onwards, of which 14 to 17 are the times.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return {
    parent: Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]),
    megabytes: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024,
    processorSeconds: ticks / TICKS_A_SECOND,
  };
}

/** What `pid` and everything below it use; memory of what has gone meanwhile counts nothing. */
function usageBelow(pid: number): Usage {
  const found = new Map<number, ReturnType<typeof usageOf>>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      found.set(Number(name), usageOf(name));
    } catch {
      // It ended between the listing and the look.
    }
  }
  const isBelow = (process: number): boolean => {
    for (let at: number | undefined = process; at !== undefined && at > 1; at = found.get(at)?.parent)
      if (at === pid) return true;
    return false;
  };
  const below = [...found].filter(([process]) => isBelow(process)).map(([, usage]) => usage);
  const sum = (field: keyof Usage): number => below.reduce((total, usage) => total + usage[field], 0);
  return { megabytes: sum('megabytes'), processorSeconds: sum('processorSeconds') };
}

async function startOnce(checkout: string, dataDir: string): Promise<Start> {
  const beganAt = performance.now();
  const child = spawn('npm', ['start', '--', '--port', '0', '--data-dir', dataDir], {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('npm start cannot be started');
  let peakMegabytes = 0;
  const watching = setInterval(() => {
    peakMegabytes = Math.max(peakMegabytes, usageBelow(pid).megabytes);
  }, 250);
  const ended = new Promise<void>((resolveEnd) => child.once('exit', () => resolveEnd()));
  try {
    let output = '';
    await new Promise<void>((resolveReady, reject) => {
      child.stdout.on('data', (chunk) => {
        output += chunk;
        if (/^ready http/m.test(output)) resolveReady();
      });
      child.once('exit', (code) => reject(new Error(`npm start ended with code ${code}: ${output}`)));
    });
    const seconds = (performance.now() - beganAt) / 1000;
    const { processorSeconds } = usageBelow(pid);
    await new Promise((resolveWait) => setTimeout(resolveWait, 5000));
    return { seconds, processorSeconds, peakMegabytes, settledMegabytes: usageBelow(pid).megabytes };
  } finally {
    clearInterval(watching);
    // The whole group that was started here: npm hands a signal on, but need not.
    if (child.exitCode === null) process.kill(-pid, 'SIGINT');
    await ended;
  }
}

/** Starts a copy of the checkout that has its dependencies and nothing built, then the same once more. */
export async function starts(): Promise<{ readonly cold: Start; readonly warm: Start }> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-start-'));
  const checkout = join(folder, 'checkout');
  try {
    cpSync(ROOT, checkout, {
      recursive: true,
      filter: (source) => !NOT_CHECKED_OUT.has(relative(ROOT, source).split('/')[0] ?? ''),
    });
    symlinkSync(resolve(ROOT, 'node_modules'), join(checkout, 'node_modules'));
    const dataDir = join(folder, 'data');
    return { cold: await startOnce(checkout, dataDir), warm: await startOnce(checkout, dataDir) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const startFigures = ({ cold, warm }: { readonly cold: Start; readonly warm: Start }): Figure[] => [
  {
    what: 'cold start to ready',
    value: cold.seconds,
    unit: 's',
    against: `dependencies there, nothing built; ${cold.processorSeconds.toFixed(1)} s of processor time`,
    atMost: 25,
  },
  {
    what: 'warm start to ready',
    value: warm.seconds,
    unit: 's',
    against: `built, data on disk; ${warm.processorSeconds.toFixed(1)} s of processor time`,
    atMost: 5,
  },
  {
    what: 'memory, warm, settled',
    value: warm.settledMegabytes,
    unit: 'MB',
    against: 'resident, npm and all below it',
    atMost: 500,
  },
  {
    what: 'memory, cold, highest',
    value: cold.peakMegabytes,
    unit: 'MB',
    against: 'resident, compiler and CDK in a process of their own',
  },
];
