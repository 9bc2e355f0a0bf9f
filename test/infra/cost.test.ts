/** docs/cost.md, computed again from the list prices, the templates and the counts that it states, by arithmetic of this file. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ENDPOINTS } from '../../core/endpoints/endpoints.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { listAt, objectAt, ofType, sharedStacks } from '../builders/stacks.ts';

interface Listed {
  readonly prices: Record<string, { readonly dollars: number }>;
  readonly assumptions: Record<string, { readonly value: number }>;
  readonly measured: Record<string, { readonly value: number }>;
}

const page = readFileSync(new URL('../../docs/cost.md', import.meta.url), 'utf8');
const list = JSON.parse(
  readFileSync(new URL('../../studies/bench/list-prices.json', import.meta.url), 'utf8'),
) as Listed;
const price = (name: string): number => list.prices[name]?.dollars ?? Number.NaN;
const given = (name: string): number => (list.assumptions[name] ?? list.measured[name])?.value ?? Number.NaN;

/** The cells of the row that begins with `first`, as numbers, by the columns of its table. */
function row(first: string): Record<string, number> {
  const lines = page.split('\n');
  const index = lines.findIndex((line) => line.startsWith(`${first} | `));
  const head = lines.slice(0, index).findLastIndex((line) => line.startsWith('---|')) - 1;
  const cells = (line = ''): string[] => line.split('|').map((cell) => cell.replaceAll(/[*,]/g, '').trim());
  const names = cells(lines[head]);
  return Object.fromEntries(cells(lines[index]).map((cell, at) => [names[at], Number.parseFloat(cell)]));
}

const MONTH_MINUTES = 43_200;
const millions = (count: number): number => count / 1_000_000;
/** Dollars of `count` runs of a function. */
const runDollars = (count: number, ms: number, megabytes: number): number =>
  millions(count) * price('functionRequests') +
  ((count * ms) / 1000) * (megabytes / 1024) * price('functionTime');
/** Milliseconds of `cpuMs` of processor time. */
const stretched = (cpuMs: number, megabytes: number): number =>
  (cpuMs * given('wholeProcessorMb')) / megabytes;

function trendDollars(count: number): number {
  const megabytes = ENDPOINTS.trend.memoryMb;
  const cold = given('coldShare') * given('loadMs');
  const runMs = (cpuMs: number, memory: number): number =>
    given('storeLatencyMs') + stretched(cpuMs + cold, memory) + given('billedHalfMs');
  const { 'read units': readUnits = 0, 'bytes as gzip': bytes = 0 } = row('trend');
  const checks = count / given('requestsPerKeyMinute');
  return (
    millions(count) * (price('gatewayRequests') + price('firewallRequests')) +
    runDollars(count, runMs(given('readCpuMs'), megabytes), megabytes) +
    runDollars(checks, runMs(given('authorizerCpuMs'), 512), 512) +
    millions(count * readUnits + checks) * price('readUnits') +
    millions(count) * price('writeUnits') +
    ((count * given('logBytes')) / 1e9) * price('logs') +
    ((count * (bytes + given('headerBytes'))) / 1e9) * price('transfer')
  );
}

/** The stage, by what its templates have. */
function stageDollars(users: number): number {
  const { resources } = sharedStacks('prod');
  const count = (type: string): number => ofType(resources, type).length;
  const alarms = ofType(resources, 'AWS::CloudWatch::Alarm').map(({ properties }) => properties);
  const watched = alarms.flatMap(({ Metrics }) =>
    Metrics === undefined ? [1] : listAt(Metrics).filter((metric) => 'MetricStat' in objectAt(metric)),
  );
  const ages = alarms.filter(({ MetricName }) => MetricName === 'FetchAge').length;
  const rules = ofType(resources, 'AWS::WAFv2::WebACL').flatMap(({ properties }) => listAt(properties.Rules));
  const regular = ofType(resources, 'AWS::Scheduler::Schedule')
    .filter(({ properties }) => !JSON.stringify(properties.Target).includes('\\"source\\"'))
    .map(({ properties }) => MONTH_MINUTES / Number(/\d+/.exec(String(properties.ScheduleExpression))));
  const runs = regular.reduce((sum, each) => sum + each, 0);
  return (
    price('firewallList') +
    rules.length * price('firewallRule') +
    watched.length * price('alarm') +
    count('AWS::CloudWatch::CompositeAlarm') * price('compositeAlarm') +
    count('AWS::CloudWatch::Dashboard') * price('dashboard') +
    ages * price('customMetric') +
    runDollars(runs, given('regularRunMs'), 256) +
    millions(runs) * price('schedule') +
    ((runs * given('logBytes')) / 1e9) * price('logs') +
    millions((users * MONTH_MINUTES) / 5) * price('keyRequests')
  );
}

/** The two sources of positions, from their declarations; the page states what the others cost. */
function positionsDollars(id: string, vessels: number): number {
  const source = SOURCE_DECLARATIONS.find((declaration) => declaration.id === id);
  const { ports = [], everyMinutes = Number.NaN } = source ?? {};
  const polls = MONTH_MINUTES / everyMinutes;
  const ofMeasured = ports.length / 150;
  const stepMs = (given('positionsStepMs') * vessels) / given('positionsVessels');
  const ms = ofMeasured * given('positionsPassSeconds') * 1000 + stretched(stepMs, 1024);
  const putsAndLists = given('positionsPutsPerPoll') + given('positionsListsPerPoll');
  return (
    millions(polls * ofMeasured * given('positionsWriteUnits')) * price('writeUnits') +
    millions(polls * ports.length * 2) * price('readUnits') +
    runDollars(polls, ms, 1024) +
    millions(polls) * (putsAndLists * price('archivePuts') + price('schedule')) +
    millions(polls * given('positionsGetsPerPoll')) * price('archiveGets') +
    ((polls * given('logBytes')) / 1e9) * price('logs')
  );
}

const SOURCES = SOURCE_DECLARATIONS.filter(({ secret, gone }) => !secret && !gone);
it('the list of ports is priced for all that a default stage covers', () => {
  const ports = new Set(SOURCES.flatMap((source) => source.ports));
  expect(row(`ports, ${ports.size}`).all).toBeGreaterThan(row('trend').all ?? Number.NaN);
});

describe('a month on the page', () => {
  it.each([
    ['open-waters-ais', 'positionsVessels'],
    ['kystdatahuset-ais', 'norwegianVessels'],
  ])('prices every part of %s by its declaration', (id, vessels) => {
    expect(row(id).all).toBeCloseTo(positionsDollars(id, given(vessels)), 1);
  });

  it.each([
    ['without requests', '0', 0],
    ['of a million requests', '1,000,000', 1e6],
    ['of a hundred million requests', '100,000,000', 1e8],
  ])('%s costs what list prices, templates and declarations make of it', (_, first, count) => {
    const sources = SOURCES.reduce((sum, { id }) => sum + (row(id).all ?? Number.NaN), 0);
    const stage = stageDollars(given('idleTableUsers') + (count === 0 ? 0 : given('requestTableUsers')));
    const stated = row(first);
    expect(stated.stage).toBeCloseTo(stage, 1);
    expect(stated.sources).toBeCloseTo(sources, 1);
    const all = stage + sources + trendDollars(count);
    expect(Math.abs((stated.all ?? Number.NaN) - all)).toBeLessThan(Math.max(0.05, 0.001 * all));
  });
});
