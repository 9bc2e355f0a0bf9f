/** The parts of the benchmark: each measures one thing and returns its figures. */
import { writeFileSync } from 'node:fs';
import { capacity, capacityFigures } from './capacity.ts';
import { type PriceList, requestCosts, totalOf } from './cost.ts';
import { costPage, watchCounts } from './cost-page.ts';
import type { Figure } from './figure.ts';
import { importFigures } from './imports.ts';
import { benchPolls, benchPortMemory, ingestFigures } from './ingest.ts';
import { limitedClients, limitedFigures } from './limiter.ts';
import prices from './list-prices.json' with { type: 'json' };
import { benchManyPorts, benchRecords } from './many-ports.ts';
import { benchRelease } from './release.ts';
import { throughput, throughputFigures } from './throughput.ts';
import { wayFigures } from './ways.ts';

/** The longest response cache that a stage may have. */
const CACHED = { RESPONSE_CACHE_SECONDS: '10' };

export const PARTS: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  async throughput() {
    const services = { 'store read every time': {}, 'response cached': { environment: CACHED } };
    return throughputFigures(await throughput({ seconds: 5, rounds: 7, services }));
  },
  limiter: async () => limitedFigures(await limitedClients()),
  ports: () => benchManyPorts(10_000),
  records: () => benchRecords(400),
  release: () => benchRelease(400),
  async ingest() {
    return ingestFigures(await benchPolls({ days: 30 }), await benchPortMemory());
  },
  imports: () => importFigures(),
  ways: async () => wayFigures(),
  /** Writes docs/cost.md from units that are counted, and from the times and prices in list-prices.json. */
  async cost() {
    const inputs = {
      list: prices as PriceList,
      capacity: await capacity(),
      watch: { prod: watchCounts('prod'), dev: watchCounts('dev') },
    };
    writeFileSync(new URL('../../docs/cost.md', import.meta.url), costPage(inputs));
    const operations = Object.keys(inputs.capacity.requests) as (keyof typeof inputs.capacity.requests)[];
    return [
      ...capacityFigures(inputs.capacity),
      ...operations.map((operation) => ({
        what: `${operation}: a million requests`,
        value: totalOf(requestCosts(operation, inputs)),
        unit: 'USD',
      })),
    ];
  },
};
