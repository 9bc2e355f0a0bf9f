/** The page of costs: measured units and times by list prices. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { METRICS } from '../../core/contracts/log.ts';
import { synthesize } from '../../lib/application.ts';
import type { StageName } from '../../lib/stage-config.ts';
import { placeholderHandlers, placeholderPortal } from '../../test/builders/placeholder-builds.ts';
import {
  archivedGigabytes,
  type CostInputs,
  type Costs,
  canaryCosts,
  copyCosts,
  cpuMsOf,
  GIGABYTE,
  MINUTES_A_MONTH,
  monthCosts,
  requestCosts,
  sourceCosts,
  sourcesCosts,
  standingCosts,
  tableKeyCosts,
  totalOf,
  type WatchCounts,
} from './cost.ts';
import { DEFAULT_PORTS, DEFAULT_SOURCES, LONG_LIST } from './port-rows.ts';

interface Properties {
  readonly Metrics?: readonly { readonly MetricStat?: object }[];
  readonly Namespace?: string;
  readonly MetricName?: string;
  readonly Rules?: readonly object[];
  readonly ScheduleExpression?: string;
  readonly Target?: { readonly Input: string };
}

/** Metrics that the watch publishes with every run. */
const PUBLISHED: readonly string[] = [METRICS.fetchAge, METRICS.doubts, METRICS.longOutages];

export function watchCounts(stage: StageName): WatchCounts {
  const outdir = mkdtempSync(join(tmpdir(), 'bench-cost-'));
  try {
    synthesize({
      outdir,
      stage,
      handlersDir: placeholderHandlers(),
      portalDir: placeholderPortal(),
      context: { account: '111122223333', region: 'us-east-1' },
    });
    const resources = readdirSync(outdir)
      .filter((file) => file.endsWith('.template.json'))
      .flatMap((file) => {
        const { Resources } = JSON.parse(readFileSync(join(outdir, file), 'utf8')) as {
          Resources: Record<string, { Type: string; Properties?: Properties }>;
        };
        return Object.values(Resources);
      });
    const withType = (type: string) =>
      resources.filter(({ Type }) => Type === `AWS::${type}`).map(({ Properties = {} }) => Properties);
    const alarms = withType('CloudWatch::Alarm');
    const metricsOf = ({ Metrics }: Properties): number =>
      Metrics?.filter(({ MetricStat }) => MetricStat !== undefined).length ?? 1;
    const regular = withType('Scheduler::Schedule').filter(
      ({ Target }) => !('source' in JSON.parse(Target?.Input ?? '{}')),
    );
    return {
      alarms: alarms.length,
      alarmMetrics: alarms.reduce((sum, alarm) => sum + metricsOf(alarm), 0),
      compositeAlarms: withType('CloudWatch::CompositeAlarm').length,
      dashboards: withType('CloudWatch::Dashboard').length,
      polledQueues: withType('Lambda::EventSourceMapping').length,
      // The other metrics of our own are published only when something happens.
      customMetrics: alarms.filter(({ MetricName }) => PUBLISHED.includes(MetricName ?? '')).length,
      firewallRules: withType('WAFv2::WebACL').reduce((sum, { Rules = [] }) => sum + Rules.length, 0),
      runEveryMinutes: regular.map(({ ScheduleExpression = '' }) => Number(/\d+/.exec(ScheduleExpression))),
    };
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

const dollars = (value: number, decimals = 2): string => value.toFixed(decimals);

/** Rows of cells as a table; all columns but the first are numbers. */
function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => cells.join(' | ');
  return [line(head), `---${'|---:'.repeat(head.length - 1)}`, ...rows.map(line)].join('\n');
}

/** Costs and their sum, after the first cells of each row; only the parts in `columns`. */
function costTable(
  head: readonly string[],
  rows: readonly { readonly cells: readonly string[]; readonly costs: Costs }[],
  columns: readonly string[] = [...new Set(rows.flatMap(({ costs }) => Object.keys(costs)))],
): string {
  const cellsOf = (costs: Costs): string[] => [
    `**${dollars(totalOf(costs))}**`,
    ...columns.map((column) => dollars(costs[column] ?? 0)),
  ];
  return tableOf(
    [...head, 'all', ...columns],
    rows.map(({ cells, costs }) => [...cells, ...cellsOf(costs)]),
  );
}

/** Examples of the setting `canaryMinutes`, and of requests in a month. */
const CANARY_MINUTES = [1, 5, 15, 60];
const REQUESTS_A_MONTH = [0, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];
/** 100,000 a second. */
const MOST_REQUESTS = 100_000 * 30 * 24 * 3600;

const counted = (value: number): string => value.toLocaleString('en');

export function costPage(inputs: CostInputs): string {
  const { list, capacity, watch } = inputs;
  const price = (name: string): number => list.prices[name]?.dollars ?? 0;
  const assumed = (name: string): number => list.assumptions[name]?.value ?? 0;
  const { prod } = watch;
  const operations = Object.keys(capacity.requests) as (keyof typeof capacity.requests)[];
  const perMillion = operations.map((operation) => {
    const { gzipBytes, data } = capacity.requests[operation];
    const plain = dollars(totalOf(requestCosts(operation, inputs, false)));
    const name = operation === 'ports' ? `ports, ${DEFAULT_PORTS}` : operation;
    const cells = [name, counted(gzipBytes), String(data.readUnits), plain];
    return { cells, costs: requestCosts(operation, inputs) };
  });
  const long = capacity.longList;
  const longCpuMs = cpuMsOf(list, 'longList');
  const longCosts = (gzip: boolean): string =>
    dollars(totalOf(requestCosts('ports', inputs, gzip, long, longCpuMs)));
  perMillion.push({
    cells: [
      `ports, ${counted(LONG_LIST)}`,
      counted(long.gzipBytes),
      String(long.data.readUnits),
      longCosts(false),
    ],
    costs: requestCosts('ports', inputs, true, long, longCpuMs),
  });
  const { listUnits } = capacity;
  const reads = DEFAULT_SOURCES.reduce((sum, { everyMinutes }) => sum + MINUTES_A_MONTH / everyMinutes, 0);
  const listCosts = (at: 0 | 1): string => dollars((reads / 1e6) * listUnits[at] * price('readUnits'));
  const trendCosts = requestCosts('trend', inputs);
  const trend = totalOf(trendCosts);
  const of = (part: string): string => dollars(trendCosts[part] ?? 0);
  const live = DEFAULT_SOURCES.filter(({ id }) => ['open-waters-ais', 'kystdatahuset-ais'].includes(id));
  const archived = live.reduce((sum, source) => sum + archivedGigabytes(source, list), 0);
  const yearOfArchive = dollars(12 * archived * price('archiveStorage'));
  const tables = DEFAULT_PORTS * assumed('tableGbPerPort') * (price('tableStorage') + price('tableBackups'));
  const blockedLogs = dollars(((assumed('blockedBytes') * 1e6) / GIGABYTE) * price('logs'));
  const fullTraces = ((30 * 24 * 3600) / 1e6) * price('traces');
  return `# Cost

What does a stage cost? US dollars in ${list.region}, by list prices of ${list.asOf} without free tiers, discounts and taxes: look them up before you rely on a sum.
[list-prices.json](../studies/bench/list-prices.json) has each price with its source and each assumption with its reason. Storage of logs and the portal's own
requests are not included. \`npm run study -- bench cost\` writes this page from counted read and write units and response sizes.

## A million requests

To clients that accept gzip; \`plain\` is the sum for the others. Every sum includes ${of('gateway')} for the gateway, ${of('logs')} for logs and ${of('firewall')} for the firewall; with a key also
${of('limiter')} for the limiter's write and ${of('authorizer')} for the authorizer.

${costTable(['Endpoint', 'bytes as gzip', 'read units', 'plain'], perMillion, [])}

\`ports\` is for an instance that has the list. After a source has been read, it reads the list again: at most ${listCosts(0)} dollars a month for each busy
instance with ${DEFAULT_PORTS} ports (${listUnits[0]} units), and ${listCosts(1)} with ${counted(LONG_LIST)} (${counted(listUnits[1])} units).

- A busy key costs ${dollars(2 * trend)} dollars a month on Starter (2,000,000 trend requests), and ${dollars(10 * trend)} on Pro (10,000,000).
- A 304 or a 429 of the exact limiter costs the same, less the body. A request that the gateway refuses costs the firewall's share and a log line
  ([AWS](https://repost.aws/questions/QUY2x146iORPmsJHpff8u0eA/will-i-get-charged-for-these-invalid-api-key-quota-exceeded-or-throttled-request-errors)).
- A million that the firewall blocks cost its share, and ${blockedLogs} for its log.
- The setting \`tracing\`, off by default, adds up to ${dollars(fullTraces)} a month, and ${dollars(assumed('traceShare') * price('traces'))} a million beyond.

[Decision 25](decisions/0025-cheaper-by-design.md) says what was not made cheaper.

## A month

Cost of prod with its default sources, by requests for a trend, without the lower prices of large volumes:

${costTable(
  ['Requests'],
  REQUESTS_A_MONTH.map((requests) => ({ cells: [counted(requests)], costs: monthCosts(requests, inputs) })),
)}

[Which limit is reached first](measurements.md#which-limit-is-reached-first) as requests, keys and ports grow.
100,000 requests a second for a whole month would cost ${(totalOf(monthCosts(MOST_REQUESTS, inputs)) / 1e6).toFixed(2)} million, ${((totalOf(requestCosts('trend', inputs)) - price('gatewayRequests')) * (MOST_REQUESTS / 1e12)).toFixed(2)} of it for everything but the gateway.

## A stage without requests, a month

${costTable(
  ['Stage'],
  (['prod', 'dev'] as const).map((stage) => ({ cells: [stage], costs: standingCosts(stage, inputs) })),
)}

Prod has ${prod.alarms} alarms on ${prod.alarmMetrics} metrics, ${prod.compositeAlarms} composite alarms, ${prod.dashboards} dashboard, ${prod.customMetrics} metrics of its own
and ${prod.firewallRules} firewall rules; each source with a key adds an alarm, a metric and a secret, ${dollars(price('alarm') + price('customMetric') + price('secret'))}.
Dev with its default sources costs ${dollars(totalOf(standingCosts('dev', inputs)) + sourcesCosts(inputs))}. With requests to every endpoint the key of the tables costs at
most ${dollars(tableKeyCosts(inputs, 'requests'))}.

## The sources, a month

By their declared schedules and ports; most of it is writes.

${costTable(
  ['Source', 'ports', 'every'],
  DEFAULT_SOURCES.map((source) => ({
    cells: [source.id, String(source.ports.length), `${counted(source.everyMinutes)} min`],
    costs: sourceCosts(source, inputs),
  })),
  [],
)}

- Measured for Hong Kong (${capacity.poll.polls} simulated polls) and \`open-waters-ais\` (${counted(assumed('positionsVessels'))} vessels a poll, ten arrivals a day and port); the others are estimates.
- Live positions add ${archived.toFixed(1)} GB to the archive each month, which costs ${yearOfArchive} a month more with each year, unless \`archiveDays\` ends it.
- A copy by \`copyBucket\` costs ${dollars(copyCosts(inputs))} a month for requests and transfer, and the same storage again.
- The tables of ${DEFAULT_PORTS} ports cost ${dollars(tables)} a month after a year, backups included.

## The dataset, a month

Storage of a release a day of 400 ports and a year (30 MB) grows by 0.9 GB, ${dollars(0.9 * price('archiveStorage'))} dollars, each month. Readers cost
the transfer of CloudFront alone. With \`athena\` a query costs 5 dollars a terabyte, at most half a cent; Glue's first million tables are free.

## A canary, a month

The setting [\`canaryMinutes\`](settings.md) adds a canary and its alarm.

${costTable(
  ['A run every'],
  CANARY_MINUTES.map((minutes) => ({
    cells: [minutes === 1 ? 'minute' : `${minutes} minutes`],
    costs: canaryCosts(minutes, inputs),
  })),
  [],
)}

The price of a run, ${price('canaryRun')}, differs by region. The sums leave out its request, function, log lines and objects.
`;
}
