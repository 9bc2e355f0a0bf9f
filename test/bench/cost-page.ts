/** The page of costs: measured units and times by list prices. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { METRICS } from '../../core/contracts/telemetry.ts';
import { NORWEGIAN_PORTS } from '../../core/sources/kystdatahuset-ais/ports.ts';
import { openWatersAisDeclaration as POSITIONS } from '../../core/sources/open-waters-ais/declaration.ts';
import { synthesize } from '../../lib/app.ts';
import { placeholderHandlers } from '../builders/placeholder-builds.ts';
import {
  type CostInputs,
  type Costs,
  canaryCosts,
  portCosts,
  positionsCosts,
  positionsGigabytes,
  requestCosts,
  standingCosts,
  totalOf,
  type WatchCounts,
} from './cost.ts';

interface Properties {
  readonly Metrics?: readonly { readonly MetricStat?: object }[];
  readonly Namespace?: string;
  readonly MetricName?: string;
  readonly Rules?: readonly object[];
  readonly ScheduleExpression?: string;
  readonly Target?: { readonly Input: string };
}

export function watchCounts(): WatchCounts {
  const outdir = mkdtempSync(join(tmpdir(), 'bench-cost-'));
  try {
    synthesize({
      outdir,
      stage: 'prod',
      handlersDir: placeholderHandlers(),
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
    const ofType = (type: string) =>
      resources.filter(({ Type }) => Type === `AWS::${type}`).map(({ Properties = {} }) => Properties);
    const alarms = ofType('CloudWatch::Alarm');
    const metricsOf = ({ Metrics }: Properties): number =>
      Metrics?.filter(({ MetricStat }) => MetricStat !== undefined).length ?? 1;
    const regular = ofType('Scheduler::Schedule').filter(
      ({ Target }) => !('source' in JSON.parse(Target?.Input ?? '{}')),
    );
    return {
      alarms: alarms.length,
      alarmMetrics: alarms.reduce((sum, alarm) => sum + metricsOf(alarm), 0),
      compositeAlarms: ofType('CloudWatch::CompositeAlarm').length,
      dashboards: ofType('CloudWatch::Dashboard').length,
      // The other metrics of our own are published only when something happens.
      customMetrics: alarms.filter(({ MetricName }) => MetricName === METRICS.fetchAge).length,
      firewallRules: ofType('WAFv2::WebACL').reduce((sum, { Rules = [] }) => sum + Rules.length, 0),
      runEveryMinutes: regular.map(({ ScheduleExpression = '' }) => Number(/\d+/.exec(ScheduleExpression))),
    };
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

const dollars = (value: number, decimals = 2): string => value.toFixed(decimals);

function costTable(first: string, rows: readonly (readonly [string, Costs])[], decimals = 2): string {
  const columns = [...new Set(rows.flatMap(([, costs]) => Object.keys(costs)))];
  const line = ([name, costs]: readonly [string, Costs]): string =>
    `| ${name} | **${dollars(totalOf(costs), decimals)}** | ${columns.map((column) => dollars(costs[column] ?? 0, decimals)).join(' | ')} |`;
  return [
    `| ${first} | all | ${columns.join(' | ')} |`,
    `|---|${'---:|'.repeat(columns.length + 1)}`,
    ...rows.map(line),
  ].join('\n');
}

/** Examples of the setting `canaryMinutes`. */
const CANARY_MINUTES = [1, 5, 15, 60];

export function costPage(inputs: CostInputs): string {
  const { list, capacity, watch } = inputs;
  const gigabytes = positionsGigabytes(inputs);
  const standing = standingCosts(inputs);
  const price = (name: string): number => list.prices[name]?.dollars ?? 0;
  const operations = Object.keys(capacity.requests) as (keyof typeof capacity.requests)[];
  const perMillion = operations.map((operation) => [operation, requestCosts(operation, inputs)] as const);
  const trend = totalOf(requestCosts('trend', inputs));
  const gatewayShare = Math.round((100 * (requestCosts('trend', inputs).gateway ?? 0)) / trend);
  return `# Cost

US dollars in ${list.region}, by list prices of ${list.asOf}. Written by \`npm run bench -- cost\` from counted read and
write units and response sizes, and from the prices and times in \`test/bench/list-prices.json\`. ${list.note}

## A million requests

${costTable('Endpoint', perMillion)}

The gateway is ${gatewayShare} % of a trend request; after it come the logs, the limiter's write and the firewall. A busy key on Starter
(2,000,000 trend requests a month) costs ${dollars(2 * trend)} dollars, on Pro (10,000,000) ${dollars(10 * trend)}. A 304 costs the same, less the bytes of the body.
Requests that the gateway refuses itself (missing, unknown or disabled key, 429 of the native plan) cost the firewall's share and a log line
([AWS](https://repost.aws/questions/QUY2x146iORPmsJHpff8u0eA/will-i-get-charged-for-these-invalid-api-key-quota-exceeded-or-throttled-request-errors));
a 429 of the exact limiter costs like any other response.

## A covered port, a month

A port that is polled every ${capacity.poll.everyMinutes} minutes, by the mean of ${capacity.poll.polls} made-up polls of Hong Kong, which is about the busiest there is:

${costTable('Port', [['polled', portCosts(inputs)]], 3)}

Sources that send events write less. Storage of the tables is a cent a port and year, or less.

## Live positions, a month

The source \`open-waters-ais\`: ${POSITIONS.ports.length} ports every ${POSITIONS.everyMinutes} minutes, a port with ten arrivals a day, and polls of 14,250 vessels:

${costTable('Source', [['open-waters-ais', positionsCosts(inputs)]])}

The replies add ${gigabytes.toFixed(1)} GB to the archive each month: after a year their storage costs ${dollars(12 * gigabytes * price('archiveStorage'))} a month, and ${dollars(12 * gigabytes * price('archiveStorage'))} more each year, unless the
setting \`archiveDays\` ends it. Most of the other costs are writes.
\`kystdatahuset-ais\` polls ${NORWEGIAN_PORTS.length} ports as often: by its share of the ports ${dollars((totalOf(positionsCosts(inputs)) * NORWEGIAN_PORTS.length) / POSITIONS.ports.length)} a month, which is not measured; its
replies are 950 MB a day before compression. The setting \`excludedSources\` leaves a source out.

## A stage without requests, a month

${costTable('Stage', [['prod', standing]])}

Without the firewall (\`-c waf=false\`, which also takes it out of the requests) prod costs ${dollars(totalOf(standing) - (standing.firewall ?? 0))}. It has ${watch.alarms} alarms on
${watch.alarmMetrics} metrics, ${watch.compositeAlarms} composite alarms, ${watch.dashboards} dashboard, ${watch.customMetrics} metrics of its own and ${watch.firewallRules} firewall rules, counted in the template; each source with a key adds
an alarm and a metric, ${dollars(price('alarm') + price('customMetric'))}. The first ten alarms and metrics and the first three dashboards of an account are free, which the sums leave out.

## The dataset, a month

Storage of a release a day of 400 ports and a year (30 MB) grows by 0.9 GB, ${dollars(0.9 * price('archiveStorage'))} dollars, each month. Readers cost
the transfer of CloudFront alone. With \`athena\` a query costs 5 dollars a terabyte, at most half a cent; Glue's first million tables are free.

## A canary, a month

The setting \`canaryMinutes\` ([deploy](deploy.md#2-settings-of-a-stage)) adds a canary and its alarm; a stage has none by default.

${costTable(
  'A run every',
  CANARY_MINUTES.map((minutes) => [
    minutes === 1 ? 'minute' : `${minutes} minutes`,
    canaryCosts(minutes, inputs),
  ]),
)}

The price of a run, ${price('canaryRun')}, is that of the CloudWatch pricing page, and differs by region: look it up before you choose. The sums leave
out its request, function, log lines and objects; the first hundred runs of an account in a month are free.

## Prices and assumptions

[list-prices.json](../test/bench/list-prices.json) has each price with its source, and each assumption and measured value with its reason.
`;
}
