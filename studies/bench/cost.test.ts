/** docs/cost.md: its sums are those of today's list prices, templates and declarations, with the counts that it states. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readStacks, withType } from '../../test/builders/stacks.ts';
import { synthesize } from '../../test/builders/synthesis.ts';
import type { CapacityFigures } from './capacity.ts';
import {
  type CostInputs,
  copyCosts,
  GIGABYTE,
  type PriceList,
  requestCosts,
  sourceCosts,
  standingCosts,
  tableKeyCosts,
  totalOf,
} from './cost.ts';
import { watchCounts } from './cost-page.ts';
import { DEFAULT_PORTS, DEFAULT_SOURCES } from './port-rows.ts';

const page = readFileSync(new URL('../../docs/cost.md', import.meta.url), 'utf8');
const list = JSON.parse(readFileSync(new URL('./list-prices.json', import.meta.url), 'utf8')) as PriceList;

/** The cells of the row that begins with `first`, as numbers, by the columns of its table. */
function row(first: string): Record<string, number> {
  const lines = page.split('\n');
  const index = lines.findIndex((line) => line.startsWith(`${first} | `));
  const head = lines.slice(0, index).findLastIndex((line) => line.startsWith('---|')) - 1;
  const cells = (line = ''): string[] => line.split('|').map((cell) => cell.replaceAll(/[*,]/g, '').trim());
  const names = cells(lines[head]);
  return Object.fromEntries(cells(lines[index]).map((cell, at) => [names[at], Number.parseFloat(cell)]));
}

const NOTHING = { calls: 0, readUnits: 0, writeUnits: 0 };
const { 'read units': readUnits = 0, 'bytes as gzip': gzipBytes = 0 } = row('trend');
/** What the bench counts over a store, as the page states it. */
const capacity = {
  requests: {
    trend: {
      data: { ...NOTHING, calls: 1, readUnits },
      limiter: { ...NOTHING, writeUnits: 1 },
      gzipBytes,
      responseBytes: gzipBytes,
    },
  },
  authorizer: { ...NOTHING, readUnits: 1 },
  poll: { ...NOTHING, readUnits: 2 },
} as unknown as CapacityFigures;
const prod = watchCounts('prod');
const inputs: CostInputs = { list, capacity, watch: { prod, dev: prod } };

it('the list of ports is priced for all that a default stage covers', () => {
  expect(row(`ports, ${DEFAULT_PORTS}`).all).toBeGreaterThan(row('trend').all ?? Number.NaN);
});

it('what is paid without requests is counted in the templates of the whole stage, its portal among them', () => {
  const { alarms, alarmMetrics, compositeAlarms, dashboards, customMetrics, firewallRules } = prod;
  const { resources } = readStacks(synthesize('prod', {}), 'prod');
  const inAStage = withType(resources, 'AWS::CloudWatch::Alarm').length;
  expect(alarms).toBe(inAStage);
  expect(page).toContain(
    `Prod has ${alarms} alarms on ${alarmMetrics} metrics, ${compositeAlarms} composite alarms, ${dashboards} dashboard, ` +
      `${customMetrics} metrics of its own\nand ${firewallRules} firewall rules;`,
  );
});

it('what the firewall logs is priced by the line', () => {
  const { prices, assumptions } = list;
  const dollars = (1e6 * (assumptions.blockedBytes?.value ?? 0) * (prices.logs?.dollars ?? 0)) / GIGABYTE;
  expect(page).toContain(
    `A million that the firewall blocks cost its share, and ${dollars.toFixed(2)} for its log.`,
  );
});

it('states what dev costs with its default sources, and a copy in another region', () => {
  const dev = standingCosts('dev', { ...inputs, watch: { prod, dev: watchCounts('dev') } });
  const sources = DEFAULT_SOURCES.reduce((sum, { id }) => sum + (row(id).all ?? Number.NaN), 0);
  const [, stated] = /Dev with its default sources costs ([\d.]+)\./.exec(page) ?? [];
  expect(Math.abs(Number(stated) - (totalOf(dev) + sources))).toBeLessThan(0.05);
  expect(page).toContain(`\`copyBucket\` costs ${copyCosts(inputs).toFixed(2)} a month`);
});

describe('a month on the page', () => {
  it.each(['open-waters-ais', 'kystdatahuset-ais'])('prices %s by its declaration', (id) => {
    const [source] = DEFAULT_SOURCES.filter((declaration) => declaration.id === id);
    expect(row(id).all).toBeCloseTo(
      source === undefined ? Number.NaN : totalOf(sourceCosts(source, inputs)),
      1,
    );
  });

  it.each([
    ['without requests', '0', 0],
    ['of a million requests', '1,000,000', 1],
    ['of ten million requests', '10,000,000', 10],
    ['of a hundred million requests', '100,000,000', 100],
    ['of a billion requests', '1,000,000,000', 1000],
  ])('%s costs what list prices, templates and declarations make of it', (_, first, millions) => {
    const keys = tableKeyCosts(inputs, 'requests') - tableKeyCosts(inputs, 'idle');
    const stage = totalOf(standingCosts('prod', inputs)) + (millions === 0 ? 0 : keys);
    const sources = DEFAULT_SOURCES.reduce((sum, { id }) => sum + (row(id).all ?? Number.NaN), 0);
    const stated = row(first);
    expect(stated.stage).toBeCloseTo(stage, 1);
    expect(stated.sources).toBeCloseTo(sources, 1);
    const all = stage + sources + millions * totalOf(requestCosts('trend', inputs));
    expect(Math.abs((stated.all ?? Number.NaN) - all)).toBeLessThan(Math.max(0.05, 0.001 * all));
  });
});
