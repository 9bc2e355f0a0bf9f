/** The local service in a process of its own, for measurements: serves the sample, reports its address. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyDigest } from '../../core/access/keys.ts';
import { SAMPLE_INGEST } from '../../local/data-mode.ts';
import { type LocalService, startLocalService } from '../../local/local-service.ts';

export interface ServiceSettings {
  /** Services on one store. */
  readonly hosts?: number;
  /** More variables for every function. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The message to the parent when the service is ready. */
export interface ServiceStarted {
  readonly url: string;
  /** Addresses of all services on the store, this one first. */
  readonly urls: readonly string[];
  readonly storeEndpoint: string;
  /** No limit of any kind. */
  readonly benchKey: string;
  /** Every request uses the limiter, whose bucket is too large to refuse one. */
  readonly limitedKey: string;
  /** On Starter, as sold. */
  readonly starterKey: string;
}

/** The pro key is given a bucket that no load generator empties: the limiter writes, and never refuses. */
async function widenKey({ keyStore, keys }: LocalService): Promise<void> {
  const row = await keyStore.find(keyDigest(keys.pro));
  if (row === undefined) throw new Error('there is no pro key');
  await keyStore.change([{ ...row, limits: { ratePerSecond: 10_000, burst: 100_000 } }], []);
}

const settings = JSON.parse(process.argv[2] ?? '{}') as ServiceSettings;
const folder = mkdtempSync(join(tmpdir(), 'bench-service-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const options = {
  // The store is read every time, unless the cache is measured.
  environment: { RESPONSE_CACHE_SECONDS: '0', ...settings.environment },
};
const service = await startLocalService({
  ...options,
  dataDirectory: join(folder, 'data'),
  ingest: SAMPLE_INGEST,
});
const { storeEndpoint } = service;
/** More services on the same store, which share nothing else. */
const others: LocalService[] = [];
for (let host = 1; host < (settings.hosts ?? 1); host += 1)
  others.push(await startLocalService({ ...options, storeEndpoint }));
await service.ingest?.({ source: 'sample-simulator' });
await widenKey(service);

const { url, keys } = service;
const started: ServiceStarted = {
  url,
  urls: [url, ...others.map((other) => other.url)],
  storeEndpoint,
  benchKey: keys.bench,
  limitedKey: keys.pro,
  starterKey: keys.starter,
};
process.send?.(started);
process.on('message', async (message) => {
  if (message === 'usage') process.send?.({ cpu: process.cpuUsage(), rss: process.memoryUsage.rss() });
  if (message === 'stop') {
    for (const host of [...others, service]) await host.close();
    process.exit(0);
  }
});
process.on('disconnect', () => process.exit(0));
