/** Dollars by endpoint, port and month, from measured units and times and from list prices. */
import { openWatersAisDeclaration as POSITIONS } from '../../core/sources/open-waters-ais/declaration.ts';
import type { CapacityFigures } from './capacity.ts';

export interface PriceList {
  readonly asOf: string;
  readonly region: string;
  readonly note: string;
  readonly prices: Readonly<
    Record<string, { readonly dollars: number; readonly per: string; readonly source: string }>
  >;
  readonly assumptions: Readonly<Record<string, { readonly value: number; readonly why: string }>>;
  /** Times and units from runs of the other parts. */
  readonly measured: Readonly<Record<string, { readonly value: number; readonly why: string }>>;
}

/** What CloudWatch charges a stage of production for, counted in its templates. */
export interface WatchCounts {
  readonly alarms: number;
  /** An alarm costs by the metrics that it looks at: one of an expression over two costs twice. */
  readonly alarmMetrics: number;
  readonly compositeAlarms: number;
  readonly dashboards: number;
  /** Metrics of our own that are published without requests: an age for each source. */
  readonly customMetrics: number;
  readonly firewallRules: number;
  /** Minutes between the runs of each function that runs whether or not there are requests, the ingest apart. */
  readonly runEveryMinutes: readonly number[];
}

export interface CostInputs {
  readonly list: PriceList;
  readonly capacity: CapacityFigures;
  readonly watch: WatchCounts;
}

/** Dollars by what they are paid for. */
export type Costs = Readonly<Record<string, number>>;

const MILLION = 1e6;
const GIGABYTE = 1e9;
const READ_MEMORY_GB = 0.5;
const INGEST_MEMORY_GB = 1;
const REGULAR_MEMORY_GB = 0.25;
const MINUTES_A_MONTH = 30 * 24 * 60;

export const totalOf = (costs: Costs): number =>
  Object.values(costs).reduce((sum, dollars) => sum + dollars, 0);

/** Looks prices and assumptions up by name; an unknown name throws. */
function lookUp(list: PriceList) {
  return {
    price: (name: string): number => {
      const found = list.prices[name];
      if (found === undefined) throw new Error(`the price list has no ${name}`);
      return found.dollars;
    },
    assumed: (name: string): number => {
      const found = list.assumptions[name] ?? list.measured[name];
      if (found === undefined) throw new Error(`the price list assumes nothing of ${name}`);
      return found.value;
    },
  };
}

/** Of a million requests to one endpoint, each by a caller with a key unless it is the health probe. */
export function requestCosts(operation: keyof CapacityFigures['requests'], inputs: CostInputs): Costs {
  const { price, assumed } = lookUp(inputs.list);
  const { data, limiter, responseBytes } = inputs.capacity.requests[operation];
  const keyed = operation !== 'health';
  const asksStore = data.calls > 0 ? assumed('storeLatencyMs') : 0;
  const functionMs = (storeMs: number): number =>
    storeMs + (assumed('readCpuMs') + assumed('coldShare') * assumed('loadMs')) / assumed('processorShare');
  const functionDollars = (ms: number): number =>
    price('functionRequests') + ((ms * MILLION) / 1000) * READ_MEMORY_GB * price('functionTime');
  const authorizerShare = keyed ? 1 / assumed('requestsPerKeyMinute') : 0;
  return {
    gateway: price('gatewayRequests'),
    function: functionDollars(functionMs(asksStore)),
    authorizer:
      authorizerShare *
      (functionDollars(functionMs(assumed('storeLatencyMs'))) +
        inputs.capacity.authorizer.readUnits * price('readUnits')),
    reads: (data.readUnits + limiter.readUnits) * price('readUnits'),
    limiter: limiter.writeUnits * price('writeUnits'),
    logs: ((assumed('logBytes') * MILLION) / GIGABYTE) * price('logs'),
    traces: assumed('traceShare') * price('traces'),
    firewall: price('firewallRequests'),
    transfer: (((responseBytes + assumed('headerBytes')) * MILLION) / GIGABYTE) * price('transfer'),
  };
}

/** Of a port that is polled, a month. */
export function portCosts({ list, capacity }: CostInputs): Costs {
  const { price, assumed } = lookUp(list);
  const { everyMinutes, readUnits, writeUnits } = capacity.poll;
  const polls = MINUTES_A_MONTH / everyMinutes;
  const seconds = (polls * assumed('pollMs')) / 1000 / (2 * assumed('processorShare'));
  return {
    writes: ((polls * writeUnits) / MILLION) * price('writeUnits'),
    reads: ((polls * readUnits) / MILLION) * price('readUnits'),
    function:
      (polls / MILLION) * price('functionRequests') + seconds * INGEST_MEMORY_GB * price('functionTime'),
    archive:
      ((polls * (assumed('archivePutsPerPoll') + assumed('archiveListsPerPoll'))) / MILLION) *
        price('archivePuts') +
      ((polls * assumed('archiveGetsPerPoll')) / MILLION) * price('archiveGets'),
    schedule: (polls / MILLION) * price('schedule'),
    logs: ((polls * assumed('logBytes')) / GIGABYTE) * price('logs'),
  };
}

/** Of the ports whose calls are made of live positions, a month; the archive's storage apart. */
export function positionsCosts({ list, capacity }: CostInputs): Costs {
  const { price, assumed } = lookUp(list);
  const { everyMinutes, ports } = POSITIONS;
  const polls = MINUTES_A_MONTH / everyMinutes;
  const stepSeconds = assumed('positionsStepMs') / 1000 / (2 * assumed('processorShare'));
  const lists = assumed('positionsPutsPerPoll') + assumed('positionsListsPerPoll');
  return {
    writes: ((polls * assumed('positionsWriteUnits')) / MILLION) * price('writeUnits'),
    reads: ((polls * ports.length * capacity.poll.readUnits) / MILLION) * price('readUnits'),
    function:
      (polls / MILLION) * price('functionRequests') +
      polls * (assumed('positionsPassSeconds') + stepSeconds) * INGEST_MEMORY_GB * price('functionTime'),
    archive:
      ((polls * lists) / MILLION) * price('archivePuts') +
      ((polls * assumed('positionsGetsPerPoll')) / MILLION) * price('archiveGets'),
    schedule: (polls / MILLION) * price('schedule'),
    logs: ((polls * assumed('logBytes')) / GIGABYTE) * price('logs'),
  };
}

/** Gigabytes that a month of live positions adds to the archive. */
export const positionsGigabytes = ({ list }: Pick<CostInputs, 'list'>): number =>
  ((MINUTES_A_MONTH / POSITIONS.everyMinutes) * lookUp(list).assumed('positionsPollMb')) / 1000;

/** Of a stage without requests, a month, its ports apart. */
export function standingCosts({ list, watch }: CostInputs): Costs {
  const { price, assumed } = lookUp(list);
  const runs = watch.runEveryMinutes.reduce((sum, minutes) => sum + MINUTES_A_MONTH / minutes, 0);
  const seconds = (runs * assumed('regularRunMs')) / 1000;
  return {
    firewall: price('firewallList') + watch.firewallRules * price('firewallRule'),
    alarms: watch.alarmMetrics * price('alarm') + watch.compositeAlarms * price('compositeAlarm'),
    dashboards: watch.dashboards * price('dashboard'),
    metrics: watch.customMetrics * price('customMetric'),
    'regular runs':
      (runs / MILLION) * (price('functionRequests') + price('schedule')) +
      seconds * REGULAR_MEMORY_GB * price('functionTime') +
      ((runs * assumed('logBytes')) / GIGABYTE) * price('logs'),
  };
}

/** Of a canary on the health probe, a month; its runs are requests, functions and logs as well, which are left out. */
export function canaryCosts(everyMinutes: number, { list }: Pick<CostInputs, 'list'>): Costs {
  const { price } = lookUp(list);
  return { runs: (MINUTES_A_MONTH / everyMinutes) * price('canaryRun'), alarm: price('alarm') };
}
