/** The parts of the benchmark: each measures one thing and returns its figures with their details. */
import { writeFileSync } from 'node:fs';
import { HANDLERS_DIR } from '../../bin/cdk.ts';
import { openWatersAisDeclaration } from '../../core/sources/open-waters-ais/declaration.ts';
import { benchPositions } from './ais/positions.ts';
import { timeAuthorizer } from './authorizer-timing.ts';
import { type CapacityFigures, capacity } from './capacity.ts';
import { type ColdStart, coldStartFigures, coldStarts } from './cold-start.ts';
import { type CostInputs, type PriceList, requestCosts, totalOf } from './cost.ts';
import { costPage, watchCounts } from './cost-page.ts';
import { type CpuFigures, cpuPerRead } from './cpu-per-read.ts';
import { SHARES } from './cpu-shares.ts';
import type { Figure } from './figure.ts';
import {
  firstLimit,
  type GrowthFigures,
  type GrowthRow,
  growth,
  growthRows,
  growthSection,
} from './growth-page.ts';
import { benchIngest } from './ingest.ts';
import { invocationFigures, invocations } from './invocation.ts';
import { benchLimiter } from './limiter.ts';
import { limitedClients, limitedFigures } from './limiter-over-http.ts';
import prices from './list-prices.json' with { type: 'json' };
import { benchMetrics } from './metrics.ts';
import { bundleFigures, loadFigures, moduleLoads } from './module-load.ts';
import { recordedDetails } from './recorded-result.ts';
import { firstToGive, PORTS, scalePage, scaleRows, scaleTable } from './scale.ts';
import { startFigures, starts } from './start.ts';
import { throughput, throughputFigures } from './throughput.ts';

export interface Result {
  readonly figures: readonly Figure[];
  /** Recorded with the figures, and read by parts that build on this one. */
  readonly details: unknown;
}

/** The longest response cache that a stage may have. */
const CACHED = { ANSWER_CACHE_SECONDS: '10' };
const TREND = '/v1/ports/USLAX/trend?window=30d';
const page = (name: string, text: string): void =>
  writeFileSync(new URL(`../../docs/${name}`, import.meta.url), text);

/** Goals in read units of one request, where one was set. */
const MOST_READ_UNITS: Readonly<Record<string, number>> = { snapshot: 0.5, trend: 1, sources: 1, alerts: 1 };

function capacityFigures({ requests, authorizer, poll }: CapacityFigures): Figure[] {
  return [
    ...Object.entries(requests).flatMap(([operation, { data, limiter }]): Figure[] => {
      const atMost = MOST_READ_UNITS[operation];
      return [
        {
          what: `${operation}: read units`,
          value: data.readUnits,
          unit: '',
          against: `${data.calls} DynamoDB calls for data, ${limiter.writeUnits} write units for the limiter`,
          ...(atMost !== undefined && { atMost }),
        },
      ];
    }),
    {
      what: 'authorizer: read units',
      value: authorizer.readUnits,
      unit: '',
      against: 'once a key and minute',
    },
    {
      what: 'poll of a port: write units',
      value: poll.writeUnits,
      unit: '',
      against: `${poll.polls} polls, one every ${poll.everyMinutes} minutes`,
    },
    { what: 'poll of a port: read units', value: poll.readUnits, unit: '' },
  ];
}

function cpuFigures(name: string, { micros, processMicros, threadMicros, requests }: CpuFigures): Figure[] {
  return [
    {
      what: `${name}: processor time of a read`,
      value: processMicros,
      unit: 'µs',
      against: `all threads, the store's too; ${requests} reads, profiler on`,
    },
    ...SHARES.map(
      (share): Figure => ({
        what: `${name}: ${share}`,
        value: micros[share] / threadMicros,
        unit: '',
        against: `${threadMicros} µs of the gateway's thread`,
      }),
    ),
  ];
}

/** Microseconds of a read that a deployed function would spend as well: all but the gateway's. */
const functionMicros = ({ micros }: CpuFigures): number =>
  micros.chain + micros.store + micros.rendering + micros['garbage collection'] + micros.node;

interface IngestDetails {
  readonly monthReplay: { readonly warmPollMs: { readonly median: number } };
}

/** The row of the growth of ports with as many ports as the simulation of load and the live positions have. */
function growthOfPorts(): GrowthRow {
  const row = growthRows(recordedDetails<GrowthFigures>('growth')).find(({ ports }) => ports === PORTS);
  if (row === undefined) throw new Error(`the growth of ports has no row of ${PORTS}`);
  return row;
}

function costInputs(): CostInputs {
  const livePorts = growthOfPorts();
  // A pass grows in proportion to its ports.
  const portShare = openWatersAisDeclaration.ports.length / livePorts.ports;
  return {
    list: prices as PriceList,
    capacity: recordedDetails<CapacityFigures>('capacity'),
    readCpuMs: functionMicros(recordedDetails<Record<'every', CpuFigures>>('cpu').every) / 1000,
    loadMs: recordedDetails<ColdStart>('cold').loadMs,
    pollMs: recordedDetails<IngestDetails>('ingest').monthReplay.warmPollMs.median,
    watch: watchCounts(),
    positions: {
      ports: openWatersAisDeclaration.ports.length,
      writeUnits: livePorts.writeUnits * portShare,
      passSeconds: livePorts.passSeconds * portShare,
      everyMinutes: openWatersAisDeclaration.everyMinutes,
    },
  };
}

export const PARTS: Readonly<Record<string, () => Promise<Result>>> = {
  async load() {
    const loads = moduleLoads(HANDLERS_DIR, 15);
    return { figures: [...bundleFigures(loads), ...loadFigures(loads)], details: loads };
  },
  async capacity() {
    const details = await capacity();
    return { figures: capacityFigures(details), details };
  },
  async throughput() {
    const services = { 'store read every time': {}, 'response cached': { environment: CACHED } };
    const details = await throughput({ seconds: 5, rounds: 7, services });
    return { figures: throughputFigures(details), details };
  },
  async limiter() {
    const [clients, store] = [await limitedClients(), await benchLimiter({ seconds: 5 })];
    const figures: Figure[] = [
      ...limitedFigures(clients),
      {
        what: 'admissions',
        value: store.admissionsPerSecond,
        unit: 'a second',
        against: 'one key, one process, embedded store',
      },
      {
        what: 'refusals of an empty bucket',
        value: store.refusalsPerSecond,
        unit: 'a second',
        against: 'the table is not asked',
      },
    ];
    return { figures, details: { clients, store } };
  },
  positions: () => benchPositions({ compared: 8, rounds: 5, curve: [1, 2, 5, 20], steps: [2, 10, 20] }),
  async cpu() {
    const details = { every: await cpuPerRead(TREND, 10), cached: await cpuPerRead(TREND, 10, CACHED) };
    const figures = [
      ...cpuFigures('store read every time', details.every),
      ...cpuFigures('response cached', details.cached),
    ];
    return { figures, details };
  },
  async invocation() {
    const details = await invocations(20, 40);
    return { figures: invocationFigures(details), details };
  },
  async cold() {
    const details = await coldStarts(HANDLERS_DIR, 15);
    return { figures: coldStartFigures(details), details };
  },
  async ingest() {
    const details = await benchIngest();
    const { calls, startReplay, monthReplay } = details;
    const figures: Figure[] = [
      {
        what: 'calls taken',
        value: calls.callsPerSecond,
        unit: 'a second',
        against: `${calls.calls} calls of ${calls.ports} ports`,
      },
      { what: 'memory of that', value: calls.peakMegabytes, unit: 'MB', against: 'resident, store included' },
      {
        what: 'of that in writes',
        value: calls.shareInWrites,
        unit: '',
        against: 'share of the time with a write under way',
      },
      {
        what: 'replay of four days of polls',
        value: startReplay.seconds,
        unit: 's',
        against: `${startReplay.polls} polls`,
        atMost: 60,
      },
      {
        what: 'replay of 30 days of polls',
        value: monthReplay.seconds,
        unit: 's',
        against: `${monthReplay.polls} polls`,
        atMost: 300,
      },
      {
        what: 'processor time of that',
        value: monthReplay.processorSeconds,
        unit: 's',
        against: 'all threads, store included',
      },
      {
        what: 'warm poll',
        value: monthReplay.warmPollMs.median,
        unit: 'ms',
        against: 'median; Hong Kong, made up',
        atMost: 250,
      },
      {
        what: 'writes of a poll that changed nothing',
        value: monthReplay.writes.unchangedPoll,
        unit: '',
        atMost: 5,
      },
      {
        what: 'writes of an observation that changed nothing',
        value: monthReplay.writes.unchangedObservation,
        unit: '',
        atMost: 0,
      },
      {
        what: 'writes of a poll',
        value: monthReplay.writes.perPoll,
        unit: '',
        against: `${monthReplay.polls} polls`,
      },
    ];
    return { figures, details };
  },
  async metrics() {
    const details = benchMetrics();
    const figures: Figure[] = [
      {
        what: '90 days of one port',
        value: details.ninetyDaysMs,
        unit: 'ms',
        against: `${details.ninetyDaysCalls} calls`,
      },
      { what: 'port-days', value: details.portDaysPerSecond, unit: 'a second' },
      { what: 'four times the ports', value: details.linearity, unit: '', against: 'four times the time' },
    ];
    return { figures, details };
  },
  async timing() {
    const details = await timeAuthorizer();
    const figures: Figure[] = [
      {
        what: "Welch's |t|, unknown and disabled keys",
        value: Math.abs(details.unknownAndDisabled),
        unit: '',
        against: `${details.samples} samples`,
        atMost: 4.5,
      },
      {
        what: "Welch's |t|, near and far misses",
        value: Math.abs(details.nearAndFarMiss),
        unit: '',
        atMost: 4.5,
      },
      {
        what: "Welch's |t|, a planted microsecond",
        value: Math.abs(details.planted),
        unit: '',
        atLeast: 4.5,
      },
    ];
    return { figures, details };
  },
  async start() {
    const details = await starts();
    return { figures: startFigures(details), details };
  },
  async cost() {
    const inputs = costInputs();
    page('cost.md', costPage(inputs));
    const operations = Object.keys(inputs.capacity.requests) as (keyof CapacityFigures['requests'])[];
    const figures = operations.map(
      (operation): Figure => ({
        what: `${operation}: a million requests`,
        value: totalOf(requestCosts(operation, inputs)),
        unit: 'USD',
      }),
    );
    return { figures, details: { asOf: inputs.list.asOf, region: inputs.list.region } };
  },
  async growth() {
    const details = await growth();
    const figures = growthRows(details).map(
      (row): Figure => ({
        what: `${row.ports} ports: one pass`,
        value: row.passSeconds,
        unit: 's',
        against: firstLimit(row).replaceAll('*', ''),
      }),
    );
    return { figures, details };
  },
  async scale() {
    const inputs = costInputs();
    const share = inputs.list.assumptions.processorShare?.value ?? 1;
    const storeMs = inputs.list.assumptions.storeLatencyMs?.value ?? 0;
    const warmMs = storeMs + inputs.readCpuMs / share;
    const times = { warmMs, coldMs: warmMs + inputs.loadMs / share };
    const rows = scaleRows(inputs.capacity, growthOfPorts().listReadUnits, times);
    const ports = growthSection(recordedDetails<GrowthFigures>('growth'));
    page('scale.md', `${scalePage(rows, inputs.capacity, times)}\n${ports}`);
    console.log(scaleTable(rows));
    const figures = rows.map(
      (row): Figure => ({
        what: `${row.ratePerSecond} a second, ${row.variant}: served`,
        value: row.run.served,
        unit: '',
        against: firstToGive(row).replaceAll('*', ''),
      }),
    );
    return { figures, details: rows };
  },
};
