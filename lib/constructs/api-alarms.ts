/** Alarms of the API: the error budget burning too fast in two pairs of windows, slow responses, and a stage that refuses everybody. */
import { Duration, type Stack } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import {
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  MathExpression,
  Metric,
} from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { METRIC_NAMESPACE } from '../../core/contracts/log.ts';
import type { StageConfig } from '../stage-config.ts';
import { describeAlarm } from './alarm-kinds.ts';
import { STAGE_THROTTLE, type StagedRestApi } from './rest-api.ts';
import { type AlarmTopics, notify, RunbookAlarm } from './runbook-alarm.ts';

/** The service level objectives; docs/slo.md states them in words, and the alarms watch them. */
export const OBJECTIVES = {
  /** Share of requests that get a response other than a 5xx, over thirty days. */
  availability: 0.999,
  /** 95 of 100 requests get a response within this, in milliseconds. */
  p95LatencyMs: 300,
} as const;

/** Share of requests that may fail. */
export const ERROR_BUDGET = 1 - OBJECTIVES.availability;

/**
 * Rates that spend 2 % of thirty days' budget in one hour, and 5 % in six. The short window ends the alarm soon after the
 * fault. Beyer et al., The Site Reliability Workbook, chapter 5.
 */
export const BURN_RATES = [
  { name: 'Fast', kind: 'errorBudgetFast', rate: 14.4, longMinutes: 60, shortMinutes: 5 },
  { name: 'Slow', kind: 'errorBudgetSlow', rate: 6, longMinutes: 360, shortMinutes: 30 },
] as const;

/** Requests an hour below which one failure means little. */
const TRAFFIC_PER_HOUR = 60;
const MINUTES_PER_HOUR = 60;
/**
 * Failures in five minutes that raise an alarm below the traffic of the error budget's windows, and the share of the requests that they must
 * exceed: with much traffic a few failures are within the objective.
 */
const LEAST_FAILURES = 5;
const LEAST_FAILING_SHARE = 0.01;
/** With fewer requests in five minutes, one cold start would be the 95th percentile. */
const MIN_FOR_PERCENTILE = 20;

/** Share of requests with a 5xx in each window; 0 where there is too little traffic to judge. */
export function failingShare(stage: Stage, minutes: number): MathExpression {
  const enough = Math.max(1, Math.round((TRAFFIC_PER_HOUR * minutes) / MINUTES_PER_HOUR));
  return new MathExpression({
    expression: `IF(requests${minutes} >= ${enough}, FILL(failures${minutes}, 0) / requests${minutes}, 0)`,
    // The ids carry the window because a graph shows several of these at once.
    usingMetrics: {
      [`failures${minutes}`]: stage.metricServerError({ statistic: 'Sum' }),
      [`requests${minutes}`]: stage.metricCount({ statistic: 'Sum' }),
    },
    period: Duration.minutes(minutes),
    label: `failing share over ${minutes} min`,
  });
}

/** The alarms on the objectives. */
export function addObjectiveAlarms(stack: Stack, stage: Stage, topics: AlarmTopics): void {
  const scope = new Construct(stack, 'Objectives');
  for (const { name, kind, rate, longMinutes, shortMinutes } of BURN_RATES) {
    const over = (minutes: number, window: string) =>
      new RunbookAlarm(scope, `${name}${window}`, {
        kind,
        meaning: `Over ${minutes} minutes the error budget burns ${rate} times too fast.`,
        metric: failingShare(stage, minutes),
        threshold: rate * ERROR_BUDGET,
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      });
    const both = [over(longMinutes, 'Long'), over(shortMinutes, 'Short')];
    const burning = new CompositeAlarm(scope, `${name}Burn`, {
      alarmRule: AlarmRule.allOf(...both.map((alarm) => AlarmRule.fromAlarm(alarm, AlarmState.ALARM))),
      alarmDescription: describeAlarm(
        `The error budget burns ${rate} times too fast, over ${longMinutes} minutes and still now.`,
        kind,
      ),
    });
    notify(burning, kind, topics);
  }
  new RunbookAlarm(scope, 'ServerErrors', {
    kind: 'serverErrors',
    meaning: `In five minutes ${LEAST_FAILURES} requests or more, and over ${LEAST_FAILING_SHARE * 100}% of them, got a 5xx.`,
    metric: new MathExpression({
      expression: `IF(failures > ${LEAST_FAILING_SHARE} * requests, failures, 0)`,
      usingMetrics: {
        failures: stage.metricServerError({ statistic: 'Sum' }),
        requests: stage.metricCount({ statistic: 'Sum' }),
      },
      label: 'failures, where they are a share that matters',
    }),
    threshold: LEAST_FAILURES,
    topics,
  });
  new RunbookAlarm(scope, 'Latency', {
    kind: 'latency',
    meaning: `One request in twenty takes more than ${OBJECTIVES.p95LatencyMs} ms.`,
    metric: new MathExpression({
      // 0 where there is too little traffic to judge.
      expression: `IF(requests >= ${MIN_FOR_PERCENTILE}, latency, 0)`,
      usingMetrics: {
        latency: stage.metricLatency({ statistic: 'p95' }),
        requests: stage.metricCount({ statistic: 'Sum' }),
      },
      label: 'p95 latency, ms',
    }),
    threshold: OBJECTIVES.p95LatencyMs,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: 6,
    datapointsToAlarm: 3,
    topics,
  });
}

/** Requests that the gateway refuses itself in a minute. */
const GATEWAY_REFUSALS = 100;
const SECONDS_PER_MINUTE = 60;
/** Half of what the stage admits in a minute. One throttled key cannot lift it above that: it is served a burst and a rate. */
const BUSY_STAGE = (STAGE_THROTTLE.throttlingRateLimit * SECONDS_PER_MINUTE) / 2;

/** The alarm on refusals by the throttle of the stage, which meets every key. A key that its own plan throttles raises no alarm. */
export function addLimitAlarm(
  stack: Stack,
  config: StageConfig,
  { api, accessLog }: StagedRestApi,
  topics: AlarmTopics,
): void {
  const scope = new Construct(stack, 'Limits');
  // API Gateway counts refusals with all other 4xx; only the access log tells them apart.
  const THROTTLED = [
    FilterPattern.stringValue('$.status', '=', '429'),
    FilterPattern.stringValue('$.gatewayError', '=', 'THROTTLED'),
  ];
  const refusals = accessLog.addMetricFilter('GatewayRefusals', {
    filterPattern: FilterPattern.all(...THROTTLED),
    metricNamespace: METRIC_NAMESPACE,
    metricName: `GatewayRefusals-${config.stage}`,
  });
  // No plan has these, so the stage or the account was too fast; below what is much for this stage, another API of the account was.
  const withoutKey = accessLog.addMetricFilter('RefusalsWithoutKey', {
    filterPattern: FilterPattern.all(...THROTTLED, FilterPattern.stringValue('$.keyId', '=', '-')),
    metricNamespace: METRIC_NAMESPACE,
    metricName: `RefusalsWithoutKey-${config.stage}`,
  });
  new RunbookAlarm(scope, 'Gateway', {
    kind: 'throttledRequests',
    meaning: `The gateway itself refuses ${GATEWAY_REFUSALS} requests a minute: all keys together, or all APIs of the account, are too fast.`,
    metric: new MathExpression({
      expression: `IF(requests - FILL(refused, 0) >= ${BUSY_STAGE} OR FILL(withoutKey, 0) >= 1, FILL(refused, 0), 0)`,
      label: 'requests that the busy stage or account refuses',
      usingMetrics: {
        refused: refusals.metric({ statistic: 'Sum' }),
        withoutKey: withoutKey.metric({ statistic: 'Sum' }),
        requests: api.deploymentStage.metricCount({ statistic: 'Sum' }),
      },
      period: Duration.minutes(1),
    }),
    threshold: GATEWAY_REFUSALS,
    evaluationPeriods: 5,
    datapointsToAlarm: 3,
    topics,
  });
}

/** ACM renews a certificate sixty days before its end, one that was imported never. */
const RENEWED_BEFORE_DAYS = 30;

export function addCertificateAlarm(stack: Stack, certificateArn: string, topics: AlarmTopics): void {
  new RunbookAlarm(stack, 'Certificate', {
    kind: 'certificate',
    meaning: `The certificate of the API's domain ends within ${RENEWED_BEFORE_DAYS} days.`,
    metric: new Metric({
      namespace: 'AWS/CertificateManager',
      metricName: 'DaysToExpiry',
      dimensionsMap: { CertificateArn: certificateArn },
      statistic: 'Minimum',
      period: Duration.days(1),
    }),
    threshold: RENEWED_BEFORE_DAYS,
    comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
    topics,
  });
}
