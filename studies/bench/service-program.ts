/** The local service in a process of its own, for measurements: builds, serves the sample, reports its address. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TIER_TAG } from '../../core/contracts/plans.ts';
import { keyDigest } from '../../core/keys/key.ts';
import { synthesize } from '../../lib/application.ts';
import { type LocalService, startLocalService } from '../../local/service/local-service.ts';
import { buildHandlers } from '../../tools/handlers.ts';

export interface ServiceSettings {
  readonly functionCopies?: number;
  /** More variables for every function. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The message to the parent when the service is ready. */
export interface ServiceStarted {
  readonly url: string;
  readonly storeEndpoint: string;
  /** No limit of any kind. */
  readonly benchKey: string;
  /** Every request uses the limiter, whose bucket is too large to refuse one. */
  readonly limitedKey: string;
  /** On Starter, as sold. */
  readonly starterKey: string;
}

/** The pro plan is given a bucket that no load generator empties: the limiter writes, and never refuses. */
async function widenPlan(service: LocalService): Promise<void> {
  const { controlPlane, keys } = service;
  const plan = controlPlane.listPlans().find(({ tags }) => tags[TIER_TAG] === 'pro');
  if (!plan || !controlPlane.findKey(keyDigest(keys.pro))) throw new Error('there is no pro plan with a key');
  controlPlane.updatePlan(plan.id, { throttle: { ratePerSecond: 10_000, burst: 100_000 } });
  await service.runHousekeeping();
}

const settings = JSON.parse(process.argv[2] ?? '{}') as ServiceSettings;
const folder = mkdtempSync(join(tmpdir(), 'bench-service-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

await buildHandlers(folder);
synthesize({ outdir: join(folder, 'assembly'), stage: 'dev', handlersDir: join(folder, 'lambdas') });
const service = await startLocalService({
  assembly: join(folder, 'assembly'),
  dataDirectory: join(folder, 'data'),
  functionCopies: settings.functionCopies ?? 1,
  // The store is read every time, unless the cache is measured.
  environment: { RESPONSE_CACHE_SECONDS: '0', ...settings.environment },
  ingest: { sources: ['sample-simulator'], bundle: join(folder, 'local', 'sample-ingest', 'index.cjs') },
});
await service.ingest?.({ source: 'sample-simulator' });
await widenPlan(service);

const { url, storeEndpoint, keys } = service;
const started: ServiceStarted = {
  url,
  storeEndpoint,
  benchKey: keys.bench,
  limitedKey: keys.pro,
  starterKey: keys.starter,
};
process.send?.(started);
process.on('message', async (message) => {
  if (message === 'usage') process.send?.({ cpu: process.cpuUsage(), rss: process.memoryUsage.rss() });
  if (message === 'stop') {
    await service.close();
    process.exit(0);
  }
});
process.on('disconnect', () => process.exit(0));
