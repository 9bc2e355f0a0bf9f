/**
 * `npm run soak`: a steady rate over HTTP, the ingest running meanwhile, then clients that disconnect or stall; a table at the end. Exit 1
 * on any 5xx or lost response, on leaked descriptors or memory, and on a heap that surely grows.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openBuiltService } from '../../serve/built-service.ts';
import { hangUpOften, openHalf } from './rude-clients.ts';
import type { Condition } from './service-process.ts';
import { type SoakedService, startSoakedService } from './soaked-service.ts';
import { type LoadFigures, runSteadyLoad } from './steady-load.ts';
import { type Sample, trendLine } from './trend-line.ts';

const PATHS = [
  '/v1/ports/USLAX/trend?window=30d',
  '/v1/ports/USLAX/trend?window=7d&format=csv',
  '/v1/ports/SGSIN/snapshot',
  '/v1/ports/NLRTM/dwell',
  '/v1/ports/USLAX/alerts',
  '/v1/meta/sources',
  '/v1/ports',
  '/v1/hs/85/imports',
  '/v1/health',
  '/v1/ports/ZZZZZ/trend?window=7d',
];
const HANG_UPS = 10_000;
const HALF_OPEN = 500;
const MEGABYTE = 1024 * 1024;
const HOUR_SECONDS = 3600;
/** A heap is still finding its size at first. */
const WARM_UP_SHARE = 0.25;
const SAMPLED_EVERY_SECONDS = 5;
const INGEST_EVERY_SECONDS = 60;
/** The objective, judged where the slope is known well enough: in a long run. */
const MOST_SLOPE_MEGABYTES_AN_HOUR = 1;
const JUDGED_FROM_MINUTES = 60;
const MOST_DESCRIPTORS_MORE = 16;
const MOST_MEGABYTES_MORE = 16;
/** Of the whole process, the store's thread and native memory included; free memory is returned late. */
const MOST_RESIDENT_MEGABYTES_MORE = 256;
/** The embedded store ends connections that were idle for 60 s. */
const LONGEST_RETURN_SECONDS = 90;
/** The service gives a client 20 s to send its headers, and looks for those that did not every 30 s. */
const LONGEST_HALF_OPEN_SECONDS = 60;

const { values } = parseArgs({ options: { minutes: { type: 'string' }, rate: { type: 'string' } } });
const minutes = Number(values.minutes ?? 5);
const ratePerSecond = Number(values.rate ?? 100);

const faults: string[] = [];
const row = (name: string, value: string): void => console.log(`${name.padEnd(36)}${value}`);
const megabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(1)} MB`;

/**
 * Checks that the service has released its resources: few more descriptors and little more memory. It waits for that,
 * because functions keep recent connections to the store open for as long as the store does.
 */
async function compare(what: string, before: Condition, service: SoakedService): Promise<void> {
  const startedAt = performance.now();
  const seconds = (): number => (performance.now() - startedAt) / 1000;
  let after = await service.condition();
  const descriptorsMore = (): number => (after.descriptors ?? 0) - (before.descriptors ?? 0);
  for (; descriptorsMore() > MOST_DESCRIPTORS_MORE && seconds() < LONGEST_RETURN_SECONDS; ) {
    await delay(1000);
    after = await service.condition();
  }
  const more = descriptorsMore();
  const heap = after.heapBytes - before.heapBytes;
  row(`${what}: back after`, `${seconds().toFixed(0)} s`);
  row(`${what}: descriptors`, `${before.descriptors} -> ${after.descriptors}`);
  row(`${what}: heap`, `${megabytes(before.heapBytes)} -> ${megabytes(after.heapBytes)}`);
  const resident = after.residentBytes - before.residentBytes;
  row(`${what}: resident`, `${megabytes(before.residentBytes)} -> ${megabytes(after.residentBytes)}`);
  if (resident > MOST_RESIDENT_MEGABYTES_MORE * MEGABYTE)
    faults.push(`${what}: ${megabytes(resident)} of resident memory more`);
  if (more > MOST_DESCRIPTORS_MORE) faults.push(`${what}: ${more} descriptors more`);
  if (heap > MOST_MEGABYTES_MORE * MEGABYTE) faults.push(`${what}: ${megabytes(heap)} of heap more`);
}

/** Asks how the service is, and has it ingest, until `signal` ends it. */
async function watch(service: SoakedService, signal: AbortSignal): Promise<Sample[]> {
  const samples: Sample[] = [];
  const startedAt = performance.now();
  let ingestedAt = startedAt;
  while (!signal.aborted) {
    await delay(SAMPLED_EVERY_SECONDS * 1000, undefined, { signal }).catch(() => {});
    const now = performance.now();
    const { heapBytes } = await service.condition();
    samples.push({ x: (now - startedAt) / 1000 / HOUR_SECONDS, y: heapBytes / MEGABYTE });
    if (now - ingestedAt < INGEST_EVERY_SECONDS * 1000) continue;
    ingestedAt = now;
    await service.ingest();
  }
  return samples;
}

function tellLoad({ latency, statuses, broken }: LoadFigures): void {
  const milliseconds = (share: number): string => `${(latency.percentile(share) / 1000).toFixed(1)} ms`;
  row('requests', [...statuses].map(([status, times]) => `${status}: ${times}`).join(', '));
  row('without a response', String([...broken.values()].reduce((sum, one) => sum + one, 0)));
  row('p50 / p99 / p99.9', [50, 99, 99.9].map(milliseconds).join(' / '));
  for (const status of statuses.keys())
    if (status >= 500) faults.push(`${statuses.get(status)} responses ${status}`);
  for (const [fault, times] of broken) faults.push(`${times} requests failed: ${fault}`);
}

function tellHeap(samples: readonly Sample[]): void {
  const settled = samples.slice(Math.floor(samples.length * WARM_UP_SHARE));
  const { slope, error } = trendLine(settled);
  row(
    'heap slope',
    `${slope.toFixed(2)} +- ${(2 * error).toFixed(2)} MB an hour (${settled.length} samples)`,
  );
  if (minutes >= JUDGED_FROM_MINUTES && slope - 2 * error > MOST_SLOPE_MEGABYTES_AN_HOUR)
    faults.push(`the heap grows by ${slope.toFixed(2)} MB an hour`);
}

/** Milliseconds until a new client gets a response. */
async function timeOfHealth(url: string): Promise<number> {
  const startedAt = performance.now();
  const reply = await fetch(`${url}/v1/health`, { headers: { connection: 'close' } });
  await reply.arrayBuffer();
  if (reply.status !== 200) faults.push(`health is ${reply.status}`);
  return performance.now() - startedAt;
}

async function tryRudeClients(service: SoakedService): Promise<void> {
  const port = Number(new URL(service.url).port);
  const before = await service.condition();
  await hangUpOften({ port, key: service.key, path: PATHS[0] ?? '/' }, HANG_UPS);
  row(`health after ${HANG_UPS} hang-ups`, `${(await timeOfHealth(service.url)).toFixed(1)} ms`);
  await compare('after hang-ups', before, service);

  const half = await openHalf(port, HALF_OPEN);
  const startedAt = performance.now();
  row(`health beside ${HALF_OPEN} half-open`, `${(await timeOfHealth(service.url)).toFixed(1)} ms`);
  const seconds = (): number => (performance.now() - startedAt) / 1000;
  while (half.open() > 0 && seconds() < LONGEST_HALF_OPEN_SECONDS) await delay(500);
  row('half-open ended by the service', `${HALF_OPEN - half.open()} after ${seconds().toFixed(0)} s`);
  if (half.open() > 0) faults.push(`${half.open()} half-open connections were never ended`);
  half.end();
  await compare('after half-open', before, service);
}

const built = await openBuiltService(() => console.log('building'), new AbortController().signal);
const service = await startSoakedService(built);
try {
  console.log(`${ratePerSecond} requests a second for ${minutes} minutes\n`);
  const { url, key } = service;
  await runSteadyLoad({ url, key, paths: PATHS, ratePerSecond, seconds: 10 });
  const before = await service.condition();
  const end = new AbortController();
  const watching = watch(service, end.signal);
  tellLoad(await runSteadyLoad({ url, key, paths: PATHS, ratePerSecond, seconds: minutes * 60 }));
  end.abort();
  tellHeap(await watching);
  await compare('after the load', before, service);
  await tryRudeClients(service);
  faults.push(...service.faults);
} finally {
  await service.stop();
}
console.log(faults.length === 0 ? '\nsoak passed' : `\nsoak failed: ${faults.join('; ')}`);
if (faults.length > 0) process.exit(1);
