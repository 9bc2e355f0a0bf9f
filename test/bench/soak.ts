/** Minutes of load on one service: no request fails, and the memory of the whole process, native memory included, does not grow. */
import type { Figure } from './figure.ts';
import { runLoad, startMeasuredService } from './service-process.ts';

const MEGABYTE = 2 ** 20;

export async function soak(minutes: number): Promise<readonly Figure[]> {
  const service = await startMeasuredService();
  try {
    const load = {
      url: `${service.url}/v1/ports/USLAX/trend?window=30d`,
      key: service.limitedKey,
      connections: 8,
    };
    // The heap finds its size first.
    await runLoad({ ...load, seconds: 60 });
    const before = (await service.usage()).rss;
    const { failed, requestsPerSecond } = await runLoad({ ...load, seconds: minutes * 60 });
    const against = `${minutes} minutes at ${Math.round(requestsPerSecond)} requests a second`;
    return [
      { what: 'failed requests', value: failed, unit: '', against, atMost: 0 },
      {
        what: 'growth of resident memory',
        value: ((await service.usage()).rss - before) / MEGABYTE,
        unit: 'MB',
        against,
        atMost: 100,
      },
    ];
  } finally {
    await service.stop();
  }
}
