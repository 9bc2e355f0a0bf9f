/** Threshold alerts: a figure at or above a line on two days running; one alert an episode. */

import { round } from '../reference/rounding.ts';
import { endOfDay } from '../reference/time.ts';
import { type AlertRule, SEVERITIES, type ThresholdLines, type WatchedDay } from './alert-rules.ts';
import { changeFraction, median } from './change-size.ts';
import { explainThreshold } from './explanation.ts';
import type { Alert, Severity } from './figures.ts';

/** Days in a row, by the calendar, that a figure must be at or above a line to hold it. */
const DAYS_TO_HOLD = 2;
/** The normal that a figure is compared with: the median of so many days before. */
const NORMAL_DAYS = 28;
/** An episode is over when no line has been held for so long, data or none. */
const EPISODE_MEMORY_DAYS = 28;

interface Episode {
  readonly alert: Alert;
  /** Day number on which a line was last held. */
  readonly heldOn: number;
}

/**
 * Threshold alerts of one metric over completed days, oldest first. An episode ends when the figure falls to the
 * clearing level. When a higher line is held within an episode, its one alert moves up: severity, day and figures
 * are those of the first day on which its highest line was held.
 */
export function thresholdAlerts(days: readonly WatchedDay[], rule: AlertRule): Alert[] {
  const { threshold } = rule;
  if (!threshold) return [];
  const over: Alert[] = [];
  let episode: Episode | undefined;
  for (const [i, { figure, dayNumber }] of days.entries()) {
    if (figure === undefined) continue;
    if (episode && (figure <= threshold.clearAt || dayNumber - episode.heldOn > EPISODE_MEMORY_DAYS)) {
      over.push(episode.alert);
      episode = undefined;
    }
    const held = heldSeverity(days, i, threshold);
    if (held === undefined) continue;
    const higher = episode === undefined || rank(held) > rank(episode.alert.severity);
    const alert = episode && !higher ? episode.alert : alertOn(days, i, held, rule, threshold);
    episode = { alert, heldOn: dayNumber };
  }
  return episode ? [...over, episode.alert] : over;
}

const rank = (severity: Severity): number => SEVERITIES.indexOf(severity);

/** The highest line that the figure was at or above on day `i` and on each day before it that counts. */
function heldSeverity(
  days: readonly WatchedDay[],
  i: number,
  { lines }: ThresholdLines,
): Severity | undefined {
  const last = days[i]?.dayNumber ?? 0;
  const run = days.slice(Math.max(0, i + 1 - DAYS_TO_HOLD), i + 1);
  const figures = run.flatMap(({ figure, dayNumber }) =>
    figure !== undefined && last - dayNumber < DAYS_TO_HOLD ? [figure] : [],
  );
  if (figures.length < DAYS_TO_HOLD) return undefined;
  const least = Math.min(...figures);
  return SEVERITIES.findLast((severity) => least >= lines[severity]);
}

function alertOn(
  days: readonly WatchedDay[],
  i: number,
  severity: Severity,
  rule: AlertRule,
  { lines }: ThresholdLines,
): Alert {
  const { day = '', dayNumber = 0, figure = 0 } = days[i] ?? {};
  const before = days
    .slice(Math.max(0, i - NORMAL_DAYS), i)
    .flatMap((row) =>
      row.figure !== undefined && dayNumber - row.dayNumber <= NORMAL_DAYS ? [row.figure] : [],
    );
  const normal = round(median(before) ?? figure, rule.decimals);
  const reason = { figure, line: lines[severity], days: DAYS_TO_HOLD, normal, normalDays: NORMAL_DAYS };
  return {
    type: 'threshold',
    metric: rule.metric,
    severity,
    changeFraction: changeFraction(normal, figure, rule.floor),
    asOfAt: endOfDay(day),
    explain: explainThreshold({ metric: rule.metric, ...reason }),
  };
}
