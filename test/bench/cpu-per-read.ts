/** Processor time of one read, split by who spends it: gateway, chain, store, rendering, Node itself. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CpuProfile, readProfile, samplesOf } from './cpu-profile.ts';
import { microsByShare, SHARES, type Shares, shareOf } from './cpu-shares.ts';
import { runLoad, startMeasuredService } from './service-process.ts';

export interface CpuFigures {
  readonly requests: number;
  /** Microseconds of the gateway's thread a request, by owner, and their sum. */
  readonly micros: Shares;
  readonly threadMicros: number;
  /** Of the whole process, the embedded store's thread included. */
  readonly processMicros: number;
  /** Files that most time was spent in, with microseconds a request. */
  readonly files: Readonly<Record<string, number>>;
}

const MOST_FILES = 25;

function workIn(profile: CpuProfile): number {
  let micros = 0;
  for (const sample of samplesOf(profile)) if (shareOf(sample) !== undefined) micros += sample.micros;
  return micros;
}

/** The profile of the thread that serves requests: the one with the most work in it. */
function busiestProfile(folder: string): CpuProfile | undefined {
  const profiles = readdirSync(folder).map((name) => readProfile(join(folder, name)));
  return profiles.sort((a, b) => workIn(b) - workIn(a))[0];
}

/** @param environment more variables for every function */
export async function cpuPerRead(
  path: string,
  seconds: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<CpuFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'profiles-'));
  const profiles = join(folder, 'profiles');
  try {
    const profiler = ['--cpu-prof', '--cpu-prof-interval', '500', '--cpu-prof-dir', profiles];
    const service = await startMeasuredService({ readable: true, folder, environment }, profiler);
    const load = { url: `${service.url}${path}`, key: service.benchKey, connections: 8 };
    await runLoad({ ...load, seconds: 3 });
    const before = await service.usage();
    const beganAt = performance.now();
    const { requestsPerSecond, failed } = await runLoad({ ...load, seconds });
    const after = await service.usage();
    const endedAt = performance.now();
    await service.stop();
    if (failed > 0) throw new Error(`${failed} requests failed`);

    const requests = Math.round(requestsPerSecond * seconds);
    const profile = busiestProfile(profiles);
    if (profile === undefined) throw new Error('the profiler left no profile');
    const total = profile.timeDeltas.reduce((sum, delta) => sum + delta, 0);
    // The profile ends a moment behind the load; of what goes before, only the load counts.
    const fromMicros = total - (endedAt - beganAt) * 1000;
    const micros = microsByShare(profile, fromMicros);
    const files = new Map<string, number>();
    for (const sample of samplesOf(profile, fromMicros)) {
      if (shareOf(sample) === undefined) continue;
      const file = (sample.sources[0] || sample.functionName).replace(/^.*?(node_modules|main\/local)\//, '');
      files.set(file, (files.get(file) ?? 0) + sample.micros / requests);
    }
    const top = [...files].sort(([, a], [, b]) => b - a).slice(0, MOST_FILES);
    const cpu = after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system;
    return {
      requests,
      micros: Object.fromEntries(
        SHARES.map((share) => [share, Math.round(micros[share] / requests)]),
      ) as Shares,
      threadMicros: Math.round(Object.values(micros).reduce((sum, value) => sum + value, 0) / requests),
      processMicros: Math.round(cpu / requests),
      files: Object.fromEntries(top.map(([file, value]) => [file, Math.round(value)])),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
