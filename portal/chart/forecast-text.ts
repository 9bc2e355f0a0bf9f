/** The forecast of a port's average wait in a sentence. */
import type { Forecast } from '../../core/contracts/forecast.ts';

const HISTORY_DAYS = 90;
/** The sentence is about this row, three days after the running one. */
const TOLD_ROW = 3;
const weekday = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});

function bandText(low: number, high: number): string {
  const decimals = high < 10 ? 1 : 0;
  const [from, to] = [low, high].map((hours) => Number(hours.toFixed(decimals)));
  return from === to ? `about ${to} h` : `${from} to ${to} h`;
}

/** What waits are likely, and how often such bands held; or why there is no forecast. */
export function forecastText({ history_days, skill, reason, rows }: Forecast): string {
  const row = rows[Math.min(TOLD_ROW, rows.length - 1)];
  if (row === undefined)
    return reason === 'stale'
      ? 'No forecast: the newest observation is older than a day.'
      : `No forecast yet: it needs ${HISTORY_DAYS} days with a value, and this port has ${history_days}.`;
  const likely = `Waits of ${bandText(row.p10, row.p90)} are likely on ${weekday.format(Date.parse(row.date))}`;
  const horizonSkill = skill?.horizons.find(({ horizon }) => horizon === rows.indexOf(row) + 1);
  if (horizonSkill === undefined) return `${likely}.`;
  const tried = skill?.basis === 'rolling' ? ', tried on past days,' : '';
  return `${likely}; such bands${tried} held ${Math.round(horizonSkill.coverage * 100)} of 100 times.`;
}
