/** Dollars by endpoint, source and month, from measured units and times and from list prices. */

import type { SourceDeclaration } from '../../core/upstream/source.ts';
import { ENDPOINTS } from '../../lambdas/endpoints/endpoints.ts';
import type { CapacityFigures, RequestCapacity } from './capacity.ts';
import { DEFAULT_SOURCES } from './port-rows.ts';

export interface PriceList {
  readonly asOf: string;
  readonly region: string;
  readonly prices: Readonly<
    Record<string, { readonly dollars: number; readonly per: string; readonly source: string }>
  >;
  readonly assumptions: Readonly<Record<string, { readonly value: number; readonly why: string }>>;
  /** Times and units from runs of the other parts. */
  readonly measured: Readonly<Record<string, { readonly value: number; readonly why: string }>>;
}

/** What CloudWatch and the firewall charge a stage for, counted in its templates. */
export interface WatchCounts {
  readonly alarms: number;
  /** An alarm costs by the metrics that it looks at: one of an expression over two costs twice. */
  readonly alarmMetrics: number;
  readonly compositeAlarms: number;
  readonly dashboards: number;
  /** Metrics of our own that are published without requests: an age for each source, doubts and long outages. */
  readonly customMetrics: number;
  readonly firewallRules: number;
  /** Queues that Lambda polls for a function, whether or not anything is in them. */
  readonly polledQueues: number;
  /** Minutes between the runs of each function that runs whether or not there are requests, the ingest apart. */
  readonly runEveryMinutes: readonly number[];
}

export interface CostInputs {
  readonly list: PriceList;
  readonly capacity: CapacityFigures;
  readonly watch: Readonly<Record<'prod' | 'dev', WatchCounts>>;
}

/** Dollars by item. */
export type Costs = Readonly<Record<string, number>>;

const MILLION = 1e6;
export const GIGABYTE = 1e9;
const INGEST_MEMORY_MB = 1024;
const AUTHORIZER_MEMORY_MB = 512;
const REGULAR_MEMORY_MB = 256;
const MEGABYTES_A_GIGABYTE = 1024;
export const MINUTES_A_MONTH = 30 * 24 * 60;
/** DynamoDB asks for a table's key again after this time at the earliest. */
const KEY_MINUTES = 5;

export const totalOf = (costs: Costs): number =>
  Object.values(costs).reduce((sum, dollars) => sum + dollars, 0);

/** Looks prices and assumptions up by name; an unknown name throws. */
function lookUp(list: PriceList) {
  const assumed = (name: string): number => {
    const found = list.assumptions[name] ?? list.measured[name];
    if (found === undefined) throw new Error(`the price list assumes nothing of ${name}`);
    return found.value;
  };
  const price = (name: string): number => {
    const found = list.prices[name];
    if (found === undefined) throw new Error(`the price list has no ${name}`);
    return found.dollars;
  };
  /** Part of a processor that a function of this memory has. */
  const processors = (memoryMb: number): number => Math.min(1, memoryMb / assumed('wholeProcessorMb'));
  /** Cost of a million runs, each of this many milliseconds. */
  const runs = (memoryMb: number, ms: number): number =>
    price('functionRequests') +
    MILLION * (ms / 1000) * (memoryMb / MEGABYTES_A_GIGABYTE) * price('functionTime');
  return { assumed, price, processors, runs };
}

/** Dollars of a million warm requests to a function of `memoryMb`, cold starts included. */
function functionCost(list: PriceList, memoryMb: number, cpuMs: number, waits = true): number {
  const { assumed, processors, runs } = lookUp(list);
  const warmMs = (waits ? assumed('storeLatencyMs') : 0) + cpuMs / processors(memoryMb);
  const initMs = (assumed('coldShare') * assumed('loadMs')) / processors(memoryMb);
  return runs(memoryMb, warmMs + initMs + assumed('billedHalfMs'));
}

/** Processor milliseconds of a request, as measured of it or of a larger one. */
export const cpuMsOf = ({ measured }: PriceList, operation: string): number =>
  (measured[`${operation}CpuMs`] ?? measured.readCpuMs)?.value ?? Number.NaN;

type Operation = keyof CapacityFigures['requests'];

/** Cost of a million requests to one endpoint, each with a key unless it is the health probe. */
export function requestCosts(
  operation: Operation,
  { list, capacity }: CostInputs,
  gzip = true,
  { data, limiter, gzipBytes, responseBytes }: RequestCapacity = capacity.requests[operation],
  cpuMs = cpuMsOf(list, operation),
): Costs {
  const { price, assumed } = lookUp(list);
  const { memoryMb, route } = ENDPOINTS[operation];
  const authorizer = functionCost(list, AUTHORIZER_MEMORY_MB, assumed('authorizerCpuMs'));
  const bytes = (gzip ? gzipBytes : responseBytes) + assumed('headerBytes');
  return {
    gateway: price('gatewayRequests'),
    function: functionCost(list, memoryMb, cpuMs, data.calls > 0),
    authorizer: route.authenticated
      ? (authorizer + capacity.authorizer.readUnits * price('readUnits')) / assumed('requestsPerKeyMinute')
      : 0,
    reads: (data.readUnits + limiter.readUnits) * price('readUnits'),
    limiter: limiter.writeUnits * price('writeUnits'),
    logs: ((assumed('logBytes') * MILLION) / GIGABYTE) * price('logs'),
    firewall: price('firewallRequests'),
    transfer: ((bytes * MILLION) / GIGABYTE) * price('transfer'),
  };
}

/** Units and times of one pass of a source. */
interface PassWork {
  readonly writeUnits: number;
  readonly seconds: number;
  readonly puts: number;
  readonly lists: number;
  readonly gets: number;
}

/**
 * A pass over live positions writes and takes as those measured, by its ports and vessels; one over a list or over records at
 * most what a busy port's poll does, for each port; one over day files finds a day a day, and nothing most of the time.
 */
function passWork(
  { id, boxes, kind, ports, everyMinutes }: SourceDeclaration,
  { list, capacity }: CostInputs,
): PassWork {
  const { assumed, processors } = lookUp(list);
  const fullSeconds = (ms: number): number => ms / 1000 / processors(INGEST_MEMORY_MB);
  const requests = (name: string) => ({
    puts: assumed(`${name}PutsPerPoll`),
    lists: assumed(`${name}ListsPerPoll`),
    gets: assumed(`${name}GetsPerPoll`),
  });
  if (boxes === undefined) {
    const writeUnits = ports.length * capacity.poll.writeUnits;
    return { ...requests('archive'), writeUnits, seconds: ports.length * fullSeconds(assumed('pollMs')) };
  }
  const share = ports.length / portsOf('open-waters-ais');
  const writeUnits = share * assumed('positionsWriteUnits');
  if (kind === 'events') {
    const days = everyMinutes / (24 * 60);
    const seconds = days * assumed('dayFileSeconds') + assumed('regularRunMs') / 1000;
    return { ...requests('archive'), writeUnits: days * writeUnits, seconds };
  }
  const seconds =
    share * assumed('positionsPassSeconds') + fullSeconds(vesselShare(id, list) * assumed('positionsStepMs'));
  return { ...requests('positions'), writeUnits, seconds };
}

const portsOf = (id: string): number => DEFAULT_SOURCES.find((source) => source.id === id)?.ports.length ?? 0;

/** Vessels of a poll beside those of the poll that was measured. */
const vesselShare = (id: string, list: PriceList): number =>
  id === 'kystdatahuset-ais'
    ? lookUp(list).assumed('norwegianVessels') / lookUp(list).assumed('positionsVessels')
    : 1;

/** Monthly cost of a source that is fetched on its schedule; without storage. */
export function sourceCosts(source: SourceDeclaration, inputs: CostInputs): Costs {
  const { price, assumed, runs } = lookUp(inputs.list);
  const polls = MINUTES_A_MONTH / source.everyMinutes;
  const { writeUnits, seconds, puts, lists, gets } = passWork(source, inputs);
  const millions = polls / MILLION;
  return {
    writes: millions * writeUnits * price('writeUnits'),
    reads: millions * source.ports.length * inputs.capacity.poll.readUnits * price('readUnits'),
    function: millions * runs(INGEST_MEMORY_MB, seconds * 1000),
    archive: millions * ((puts + lists) * price('archivePuts') + gets * price('archiveGets')),
    schedule: millions * price('schedule'),
    logs: ((polls * assumed('logBytes')) / GIGABYTE) * price('logs'),
  };
}

/** Gigabytes that a month of a source's live positions adds to the archive. */
export const archivedGigabytes = ({ id, everyMinutes }: SourceDeclaration, list: PriceList): number =>
  ((MINUTES_A_MONTH / everyMinutes) * vesselShare(id, list) * lookUp(list).assumed('positionsPollMb')) / 1000;

/** Table keys, a month, at most: each function that uses a table makes DynamoDB ask KMS once in five minutes. */
export function tableKeyCosts({ list }: Pick<CostInputs, 'list'>, requests: 'requests' | 'idle'): number {
  const { price, assumed } = lookUp(list);
  const users = assumed('idleTableUsers') + (requests === 'idle' ? 0 : assumed('requestTableUsers'));
  return ((users * MINUTES_A_MONTH) / KEY_MINUTES / MILLION) * price('keyRequests');
}

/** Monthly cost of a stage without requests and without its sources. */
export function standingCosts(stage: 'prod' | 'dev', inputs: CostInputs): Costs {
  const { price, assumed, runs } = lookUp(inputs.list);
  const watch = inputs.watch[stage];
  const millions =
    watch.runEveryMinutes.reduce((sum, minutes) => sum + MINUTES_A_MONTH / minutes, 0) / MILLION;
  return {
    firewall:
      watch.firewallRules === 0 ? 0 : price('firewallList') + watch.firewallRules * price('firewallRule'),
    alarms: watch.alarmMetrics * price('alarm') + watch.compositeAlarms * price('compositeAlarm'),
    dashboards: watch.dashboards * price('dashboard'),
    metrics: watch.customMetrics * price('customMetric'),
    'regular runs':
      millions * (runs(REGULAR_MEMORY_MB, assumed('regularRunMs')) + price('schedule')) +
      ((millions * MILLION * assumed('logBytes')) / GIGABYTE) * price('logs'),
    'table keys': tableKeyCosts(inputs, 'idle'),
    queue:
      ((watch.polledQueues * assumed('queuePollsPerMinute') * MINUTES_A_MONTH) / MILLION) *
      price('queueRequests'),
  };
}

/** Monthly cost of the default sources. */
export const sourcesCosts = (inputs: CostInputs): number =>
  DEFAULT_SOURCES.reduce((sum, source) => sum + totalOf(sourceCosts(source, inputs)), 0);

/** Monthly cost of a copy of the archive in another region, without its storage: for each object a request there, and its transfer. */
export function copyCosts(inputs: CostInputs): number {
  const { price } = lookUp(inputs.list);
  const perMonth = DEFAULT_SOURCES.map((source) => {
    const objects = (MINUTES_A_MONTH / source.everyMinutes) * passWork(source, inputs).puts;
    const gigabytes =
      source.boxes !== undefined && source.kind === 'polls' ? archivedGigabytes(source, inputs.list) : 0;
    return (objects / MILLION) * price('archivePuts') + gigabytes * price('regionTransfer');
  });
  return perMonth.reduce((sum, dollars) => sum + dollars, 0);
}

/** Costs of a month of prod with its default sources and `requests` trends of 30 days, compressed. */
export function monthCosts(requests: number, inputs: CostInputs): Costs {
  const standing = totalOf(standingCosts('prod', inputs));
  const keys = requests === 0 ? 0 : tableKeyCosts(inputs, 'requests') - tableKeyCosts(inputs, 'idle');
  return {
    stage: standing + keys,
    sources: sourcesCosts(inputs),
    requests: (requests / MILLION) * totalOf(requestCosts('trend', inputs)),
  };
}

/** Monthly cost of a canary on the health probe, without the requests, functions and logs of its runs. */
export function canaryCosts(everyMinutes: number, { list }: Pick<CostInputs, 'list'>): Costs {
  const { price } = lookUp(list);
  return { runs: (MINUTES_A_MONTH / everyMinutes) * price('canaryRun'), alarm: price('alarm') };
}
