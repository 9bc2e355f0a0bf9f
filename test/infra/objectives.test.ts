/** docs/slo.md says what the alarms watch and what the sources declare. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { METRICS } from '../../core/contracts/log.ts';
import { PLANS } from '../../core/contracts/plans.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { BURN_RATES, ERROR_BUDGET, OBJECTIVES } from '../../lib/constructs/api-alarms.ts';
import { STAGE_THROTTLE } from '../../lib/constructs/rest-api.ts';
import {
  alarmOf,
  at,
  functionOf,
  listAt,
  PROD_SETTINGS,
  refersTo,
  sharedStacks,
  variablesOf,
  withType,
} from '../builders/stacks.ts';

const page = readFileSync(new URL('../../docs/slo.md', import.meta.url), 'utf8');
const { resources } = sharedStacks('prod', PROD_SETTINGS);
const alarms = withType(resources, 'AWS::CloudWatch::Alarm');

const span = (minutes: number): string => {
  const [count, unit] = minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
};

describe('objectives', () => {
  it('are those on the page', () => {
    expect(page).toContain(`${OBJECTIVES.availability * 100}% of requests`);
    expect(page).toContain(`within ${OBJECTIVES.p95LatencyMs} ms`);
    for (const { rate, longMinutes, shortMinutes } of BURN_RATES) {
      expect(page).toContain(`\n${rate} | ${span(longMinutes)} and ${span(shortMinutes)} |`);
    }
  });

  it.each(BURN_RATES)(
    '$name burn: both windows must be over the rate',
    ({ name, rate, longMinutes, shortMinutes }) => {
      const [composite] = withType(resources, 'AWS::CloudWatch::CompositeAlarm').filter(({ id }) =>
        id.includes(name),
      );
      const rule = JSON.stringify(composite?.properties.AlarmRule);
      for (const minutes of [longMinutes, shortMinutes]) {
        const window = alarms.find(
          ({ id, properties }) =>
            rule.includes(id) && JSON.stringify(properties.Metrics).includes(`failures${minutes}`),
        );
        expect(window?.properties.Threshold).toBeCloseTo(rate * ERROR_BUDGET, 10);
        expect(at(window?.properties.Metrics, 1, 'MetricStat', 'Period')).toBe(minutes * 60);
      }
      expect(rule).toContain(' AND ');
    },
  );
});

describe('*The API fails*', () => {
  const alarm = alarmOf(resources, 'the-api-fails');
  /** Whether five minutes with this many requests and failures raise it, by its own expression. */
  const isRaised = (requests: number, failures: number): boolean => {
    const [, share = 'none'] =
      /^IF\(failures > ([\d.]+) \* requests, failures, 0\)$/.exec(
        String(at(alarm?.Metrics, 0, 'Expression')),
      ) ?? [];
    return (failures > Number(share) * requests ? failures : 0) >= Number(alarm?.Threshold);
  };

  it('pages at five failures that are over 1 % of the requests', () => {
    expect(alarm?.ComparisonOperator).toBe('GreaterThanOrEqualToThreshold');
    expect([isRaised(5, 5), isRaised(400, 5), isRaised(10_000, 101)]).toEqual([true, true, true]);
    expect([isRaised(4, 4), isRaised(500, 5), isRaised(10_000, 100)]).toEqual([false, false, false]);
  });

  it('stays silent at a failing share within the objective, whatever the traffic', () => {
    // 43 million requests a month are 5,000 in five minutes.
    for (const requests of [5000, 500_000]) expect(isRaised(requests, requests * ERROR_BUDGET)).toBe(false);
  });
});

it('latency is that of 95 of 100 requests, and counts from twenty requests in five minutes on', () => {
  const measured = (Stat: string) => ({ MetricStat: { Stat, Period: 300 } });
  expect(alarmOf(resources, 'responses-are-slow')).toMatchObject({
    Metrics: [{ Expression: 'IF(requests >= 20, latency, 0)' }, measured('p95'), measured('Sum')],
    Threshold: OBJECTIVES.p95LatencyMs,
    EvaluationPeriods: 6,
    DatapointsToAlarm: 3,
    TreatMissingData: 'notBreaching',
  });
});

describe('freshness budgets', () => {
  it('are watched by a function separate from the passes, which has an alarm of its own', () => {
    const watch = functionOf(resources, 'SourcesWatch');
    const sources = String(variablesOf(watch).WATCHED_SOURCES);
    expect(sources.split(',').sort()).toEqual(SOURCE_DECLARATIONS.map(({ id }) => id).sort());
    const silent = alarmOf(resources, 'sources-are-not-watched');
    expect(refersTo(silent?.Metrics, watch.id)).toBe(true);
    expect(silent).toMatchObject({ TreatMissingData: 'breaching', Threshold: 1 });
  });

  it.each(SOURCE_DECLARATIONS)(
    'of $id are on the page and watched',
    ({ id, everyMinutes, freshnessBudgetMinutes }) => {
      const minutes = [everyMinutes, freshnessBudgetMinutes].map((count) => count.toLocaleString('en'));
      expect(page).toContain(`\n\`${id}\` | ${minutes.join(' | ')}\n`);
      const alarm = alarms.find(({ properties }) =>
        String(properties.AlarmDescription).includes(`The source ${id} `),
      );
      expect(alarm?.properties).toMatchObject({
        MetricName: 'FetchAge',
        ComparisonOperator: 'GreaterThanThreshold',
        Threshold: freshnessBudgetMinutes,
      });
    },
  );
});

it('one alarm is raised at the first reply that is refused or held, and ends with the next good one', () => {
  const doubts = alarms.filter(({ properties }) => properties.MetricName === METRICS.doubts);
  expect(doubts).toHaveLength(1);
  expect(alarmOf(resources, 'a-fetch-is-not-accepted')).toMatchObject({
    MetricName: METRICS.doubts,
    Threshold: 1,
    Statistic: 'Maximum',
    EvaluationPeriods: 1,
    ComparisonOperator: 'GreaterThanOrEqualToThreshold',
  });
});

describe('refusals by the gateway', () => {
  const filters = withType(resources, 'AWS::Logs::MetricFilter');
  const name = String(at(filters[0]?.properties.MetricTransformations, 0, 'MetricName'));
  const [alarm, ...others] = alarms.filter(({ properties }) =>
    JSON.stringify(properties).includes(`"${name}"`),
  );
  /** Whether a minute with these numbers of requests and refusals counts towards the alarm. */
  const counts = (requests: number, refused: number, withoutKey = 0): boolean => {
    const [, least = '', leastWithoutKey = ''] =
      /^IF\(requests - FILL\(refused, 0\) >= (\d+) OR FILL\(withoutKey, 0\) >= (\d+), FILL\(refused, 0\), 0\)$/.exec(
        String(at(alarm?.properties.Metrics, 0, 'Expression')),
      ) ?? [];
    const everyone = requests - refused >= Number(least) || withoutKey >= Number(leastWithoutKey);
    return everyone && refused >= Number(alarm?.properties.Threshold);
  };

  it('are counted in the access log by fields that it has, for one alarm', () => {
    const [stage] = withType(resources, 'AWS::ApiGateway::Stage');
    const line = JSON.parse(String(at(stage?.properties.AccessLogSetting, 'Format')));
    expect(line).toMatchObject({
      status: '$context.status',
      gatewayError: '$context.error.responseType',
      keyId: '$context.identity.apiKeyId',
    });
    expect(filters.map(({ properties }) => properties.FilterPattern)).toEqual([
      '{ ($.status = "429") && ($.gatewayError = "THROTTLED") }',
      '{ ($.status = "429") && ($.gatewayError = "THROTTLED") && ($.keyId = "-") }',
    ]);
    expect(others).toEqual([]);
    expect(listAt(alarm?.properties.AlarmActions)).toHaveLength(1);
  });

  it('raise it when the stage refuses everybody, and never for one key, whatever it sends', () => {
    const { burst, ratePerSecond } = PLANS.pro;
    const servedToOneKey = burst + 60 * ratePerSecond;
    for (const sent of [500, 10_000, 60_000, 1_000_000])
      expect(counts(sent, sent - servedToOneKey)).toBe(false);
    const servedToAll = 60 * STAGE_THROTTLE.throttlingRateLimit;
    expect(counts(servedToAll + 5000, 5000)).toBe(true);
    expect(counts(servedToAll, 0)).toBe(false);
  });

  it('raise it when other APIs use up the throttle of the account, which refuses requests without a key', () => {
    expect(counts(400, 300, 5)).toBe(true);
    expect(counts(400, 50, 50)).toBe(false);
  });
});
