/** The page of costs: measured units and times by list prices. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesize } from '../../bin/cdk.ts';
import { placeholderHandlers } from '../builders/placeholder-builds.ts';
import {
  type CostInputs,
  type Costs,
  portCosts,
  requestCosts,
  standingCosts,
  totalOf,
  type WatchCounts,
} from './cost.ts';

interface AlarmProperties {
  readonly Metrics?: readonly { readonly MetricStat?: object }[];
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
          Resources: Record<string, { Type: string; Properties?: AlarmProperties }>;
        };
        return Object.values(Resources);
      });
    const ofType = (type: string) => resources.filter(({ Type }) => Type === `AWS::CloudWatch::${type}`);
    const alarms = ofType('Alarm');
    const metricsOf = ({ Properties }: { Properties?: AlarmProperties }): number =>
      Properties?.Metrics?.filter(({ MetricStat }) => MetricStat !== undefined).length ?? 1;
    return {
      alarms: alarms.length,
      alarmMetrics: alarms.reduce((sum, alarm) => sum + metricsOf(alarm), 0),
      compositeAlarms: ofType('CompositeAlarm').length,
      dashboards: ofType('Dashboard').length,
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

export function costPage(inputs: CostInputs): string {
  const { list, capacity } = inputs;
  const operations = Object.keys(capacity.requests) as (keyof typeof capacity.requests)[];
  const perMillion = operations.map((operation) => [operation, requestCosts(operation, inputs)] as const);
  const trend = totalOf(requestCosts('trend', inputs));
  const gatewayShare = Math.round((100 * (requestCosts('trend', inputs).gateway ?? 0)) / trend);
  const prices = Object.entries(list.prices).map(
    ([name, { dollars: price, per, source }]) => `| ${name} | ${price} | ${per} | ${source} |`,
  );
  const assumptions = Object.entries(list.assumptions).map(
    ([name, { value, why }]) => `| ${name} | ${value} | ${why} |`,
  );
  return `# Cost

US dollars in ${list.region}, by list prices of ${list.asOf}. Written by \`npm run bench -- cost\` from measured read and
write units, processor times and response sizes ([performance](performance.md)) and from the prices in
\`test/bench/list-prices.json\`. ${list.note}

## A million requests

${costTable('Endpoint', perMillion)}

The gateway is ${gatewayShare} % of a trend request; after it come the logs, the limiter's write and the firewall. A busy key on Starter
(2,000,000 trend requests a month) costs ${dollars(2 * trend)} dollars, on Pro (10,000,000) ${dollars(10 * trend)}. A 304 costs the same, less the bytes of the body.
What is refused by the gateway (401 from its cache, 429 of the native plan) costs only the gateway's share.

## A covered port, a month

A port that is polled every ${capacity.poll.everyMinutes} minutes, by the mean of ${capacity.poll.polls} made-up polls of Hong Kong, which is about the busiest there is:

${costTable('Port', [['polled', portCosts(inputs)]], 3)}

Sources that send events write less. Storage is some megabytes a port and year, a cent or less.

## A stage without requests, a month

${costTable('Stage', [['prod', standingCosts(inputs)]])}

${inputs.watch.alarms} alarms on ${inputs.watch.alarmMetrics} metrics, ${inputs.watch.compositeAlarms} composite alarms and ${inputs.watch.dashboards} dashboards, counted in the template. The firewall can be left out (\`-c waf=false\`); it is then missing from
the requests as well.

## Prices

| Name | Dollars | Per | Source |
|---|---:|---|---|
${prices.join('\n')}

## What is assumed beside what is measured

| Name | Value | Why |
|---|---:|---|
${assumptions.join('\n')}

Measured: ${inputs.readCpuMs.toFixed(2)} ms of processor time for a warm read, ${inputs.loadMs.toFixed(0)} ms to load a function, ${inputs.pollMs.toFixed(0)} ms for a warm poll, on the machine
that the results in \`docs/bench\` name.
`;
}
