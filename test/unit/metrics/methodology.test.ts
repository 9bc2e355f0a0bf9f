/**
 * The methodology: its worked examples are recomputed, and what it states of the alert rules comes from the code
 * (UPDATE_METHODOLOGY=1 rewrites that).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  ALERT_RULES,
  ALERT_WORDS,
  type AlertRule,
  changeFraction,
} from '../../../core/metrics/alert-rules.ts';
import { evaluateAlerts } from '../../../core/metrics/alerts.ts';
import { dailySeries } from '../../../core/metrics/day-figures.ts';
import { METHODOLOGY_VERSION } from '../../../core/metrics/figures.ts';
import { importMomentum } from '../../../core/metrics/import-momentum.ts';
import { flowTerm } from '../../../core/metrics/score.ts';
import { snapshotAt } from '../../../core/metrics/snapshot.ts';
import { DELAYED_HOURS, meanWithOpen } from '../../../core/metrics/waits.ts';
import { addDays, dayOf, endOfDay } from '../../../core/reference/time.ts';
import { SOURCE_DECLARATIONS } from '../../../core/sources/declarations.ts';
import examples from '../../../docs/methodology-examples.json' with { type: 'json' };
import { atHour, BEGINNING, callOf, leg, waitingCall } from '../../builders/calls.ts';
import { plainDays } from '../../detector/noise.ts';

const fileOf = (path: string): URL => new URL(`../../../${path}`, import.meta.url);
const read = (path: string): string => readFileSync(fileOf(path), 'utf8');
const page = read('docs/methodology.md');
const REFERENCE = 'docs/methodology-reference.md';
const reference = read(REFERENCE);
const EXAMPLES = 'docs/methodology-examples.json';

const rules = Object.values<AlertRule>(ALERT_RULES);
const { threshold, change_point, unusual, closure } = ALERT_WORDS;

/** The rows of the tables of the alert rules, and the sentences of their examples, in the order of the page. */
const RULE_ROWS = {
  unusual: rules.flatMap(({ metric, unit, unusual: rule }) =>
    rule === undefined
      ? []
      : `\`${metric}\` | ${rule.meaning} | above the 99th percentile, and above the median by ${rule.leastRise}${unit} and by ${rule.distance} times its distance to the 95th`,
  ),
  thresholds: rules.flatMap(({ metric, threshold: rule }) =>
    rule === undefined
      ? []
      : `${[`\`${metric}\``, rule.lines.low, rule.lines.medium, rule.lines.high, rule.clearAt].join(' | ')}`,
  ),
  sentences: [
    threshold.explain(threshold.example),
    change_point.explain(change_point.example),
    unusual.explain(unusual.example),
    closure.explain(closure.example),
  ].map((sentence) => `- \`${sentence}\``),
};

function withRules(text: string): string {
  const [before = '', after = ''] = text.split('**`explain`**');
  let sentence = 0;
  const tables = before
    .replace(
      /(?<=\| Unusual\n---\|---\|---\n)(?:`(?!berthings).*\n)+/,
      () => `${RULE_ROWS.unusual.join('\n')}\n`,
    )
    .replace(/(?<=\| clears at\n[-|]+\n)(?:`.*\n)+/, () => `${RULE_ROWS.thresholds.join('\n')}\n`);
  const sentences = after.replace(/^- `[^`]*`/gm, (found) => RULE_ROWS.sentences[sentence++] ?? found);
  return `${tables}**\`explain\`**${sentences}`;
}

/** Compares the sentence of an example with that of its alert, or writes it. */
function compareExplain(stated: string, alert: { readonly explain: string } | undefined): void {
  if (process.env.UPDATE_METHODOLOGY === undefined || alert === undefined)
    expect(alert?.explain).toBe(stated);
  else
    writeFileSync(
      fileOf(EXAMPLES),
      read(EXAMPLES).replace(stated, () => alert.explain),
    );
}

describe('the methodology page', () => {
  it('states the version of the code, as do its examples, the accuracy page and the changelog', () => {
    expect(page).toContain(`\`methodology_version\`: **${METHODOLOGY_VERSION}**`);
    expect(examples.methodology_version).toBe(METHODOLOGY_VERSION);
    expect(read('docs/accuracy.md')).toContain(`Methodology ${METHODOLOGY_VERSION};`);
    expect(read('CHANGELOG.md')).toContain(`Methodology ${METHODOLOGY_VERSION}`);
  });

  it('states for every source of ports which vessels count', () => {
    const [, table = ''] = /## Which vessels count([\s\S]*?)\n#/.exec(reference) ?? [];
    const sources = SOURCE_DECLARATIONS.filter(({ ports }) => ports.length > 0);
    expect(sources.map(({ id }) => id).filter((id) => !table.includes(`\`${id}\``))).toEqual([]);
  });

  it('states the thresholds and the sentences of the alert rules', () => {
    if (process.env.UPDATE_METHODOLOGY === undefined)
      expect(
        Object.values(RULE_ROWS)
          .flat()
          .filter((row) => !reference.includes(`\n${row}`)),
      ).toEqual([]);
    else writeFileSync(fileOf(REFERENCE), withRules(reference));
  });

  it('computes its day', () => {
    const { day } = examples;
    const calls = day.calls.map(([ata = 0, wait = 0, berth = 0]) => waitingCall(ata, wait, berth));
    expect(calls).toHaveLength(day.berthed);
    expect(day.calls.filter(([, wait = 0]) => wait >= DELAYED_HOURS)).toHaveLength(day.delayed);
    const coverage = [{ fromAt: atHour(-500), toAt: atHour(24) }];
    expect(dailySeries({ days: [dayOf(BEGINNING)], calls, coverage, asOfAt: atHour(24) })).toMatchObject([
      {
        avgWaitHours: day.avg_wait_hours,
        delayedShare: day.delayed_share,
        waitTerm: day.wait_term,
        queueTerm: day.queue_term,
        congestionScore: day.congestion_score,
        vessels: day.vessels,
      },
    ]);
  });

  it('has a flow term and a wait with open waits', () => {
    const { flow, pending_wait: pending } = examples;
    const { waiting } = flow;
    expect(flowTerm(flow.berthings, flow.usual, { waiting, isBroken: false })).toBeCloseTo(flow.flow_term, 6);
    const closed = pending.waits.map((hours, i) => ({ hours, weight: pending.weights[i] ?? 0 }));
    expect(meanWithOpen(closed, pending.open_waits)).toBeCloseTo(pending.hours, 5);
  });

  it.each(examples.few_berthings)('averages $waits.length waits with open waits', (example) => {
    const { waits, open_waits: ages, avg_wait_hours: average } = example;
    const calls = [
      ...waits.map((wait) => waitingCall(10 - wait, wait, 1)),
      ...ages.map((age) => callOf([leg('anchorage', 23 - age)])),
    ];
    expect(snapshotAt({ coverage: [], asOfAt: atHour(23), calls }).avgWaitHours).toBe(average);
  });

  it('states the size of its change', () => {
    const { before, after, floor, change_pct: expected } = examples.change;
    expect(changeFraction(before, after, floor)).toBe(expected);
  });

  it('raises its threshold alert', () => {
    const { figures, severity, change_pct: expected, explain, metric } = examples.threshold;
    const series = figures.map((congestionScore, i) => ({
      day: addDays('2026-06-01', i),
      coverage: 1,
      vessels: 1,
      congestionScore,
    }));
    const alerts = evaluateAlerts(series, { asOfAt: endOfDay('2026-07-01') });
    expect(alerts).toMatchObject([{ type: 'threshold', metric, severity, changeFraction: expected }]);
    compareExplain(explain, alerts[0]);
  });

  it.each(['rise', 'fall'] as const)('reports its %s', (name) => {
    const { from, days_at_level: levels, severity, change_pct: expected, explain, ...rest } = examples[name];
    const values = levels.flatMap(([days = 0, hours = 0]) => Array.from({ length: days }, () => hours));
    const alerts = evaluateAlerts(plainDays(values, 'avg_wait_hours', from), {
      asOfAt: endOfDay('2027-01-01'),
    });
    const changes = alerts.filter(({ type }) => type === 'change_point');
    expect(changes).toMatchObject([{ ...rest, severity, changeFraction: expected }]);
    compareExplain(explain, changes[0]);
  });

  it('computes its import index', () => {
    const points = importMomentum(new Map(Object.entries(examples.imports.values)));
    expect(Object.fromEntries(points.map(({ month, index }) => [month, index]))).toEqual(
      examples.imports.index,
    );
  });
});
