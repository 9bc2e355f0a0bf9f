// Recomputes the skill of the forecast of one port and metric from the rows that were stored when they were issued and the
// figures of the days, by what docs/methodology-reference.md says under "Forecast". It shares no code with the service.
//
//   node test/recompute/forecast-skill.mjs ISSUED.json FIGURES.csv METRIC [SERVED.csv]
//
// ISSUED has the rows of the table `Forecasts` of one series, FIGURES a column `date` and one named as the metric. Prints
// `date,skill_from,skill_to,skill_origins,error,ratio_to_persistence,ratio_to_median,coverage` of the seven days of the newest forecast.
// With the CSV of the endpoint, exits with 1 if a line of it differs.
import { readFileSync } from 'node:fs';

const [issuedPath, figuresPath, metric, servedPath] = process.argv.slice(2);

/** Rows of a CSV file without quoted cells, as objects by column. */
function rowsOf(path) {
  const [header, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
  const names = header.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [names[at], cell])));
}

const dayAfter = (day, count) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10);

const figures = new Map(
  rowsOf(figuresPath)
    .filter((row) => row[metric] !== '')
    .map((row) => [row.date, Number(row[metric])]),
);
const issued = JSON.parse(readFileSync(issuedPath, 'utf8'))
  .filter(({ replayed }) => replayed !== true)
  .filter((row) => row.figures !== undefined)
  .map(({ origin, figures: text, persistence, median }) => ({
    origin,
    // Thousandths as digits of base 36: p10, p50 and p90 of each day.
    lists: text.split(',').map((day) => day.split(' ').map((digits) => Number.parseInt(digits, 36) / 1000)),
    base: { persistence, median },
  }))
  .sort((a, b) => (a.origin < b.origin ? -1 : 1));

const newest = issued.at(-1).origin;
// Those whose seventh day was over, by a figure of one of the seven, and of no more than 400 days.
const oldest = dayAfter(newest, -400);
const known = (day) => (day > oldest && day <= newest ? figures.get(day) : undefined);
const scored = issued.filter(
  ({ origin, lists }) =>
    dayAfter(origin, 7) <= newest && lists.some((_, i) => known(dayAfter(origin, i + 1)) !== undefined),
);

const decimals = (value) => (Number.isFinite(value) ? Math.round(value * 10_000) / 10_000 : '');
const lines = [1, 2, 3, 4, 5, 6, 7].map((horizon) => {
  const pairs = scored
    .map(({ origin, lists, base }) => ({
      ...base,
      list: lists[horizon - 1],
      value: known(dayAfter(origin, horizon)),
    }))
    .filter(({ value }) => value !== undefined);
  // A list begins with p10, p50, p90.
  const total = (p50) => pairs.reduce((sum, pair) => sum + Math.abs(pair.value - p50(pair)), 0);
  const error = total(({ list }) => list[1]);
  const inside = pairs.filter(({ list, value }) => !(value < list[0] || value > list[2]));
  return {
    date: dayAfter(newest, horizon),
    skill_from: scored[0]?.origin,
    skill_to: scored.at(-1)?.origin,
    skill_origins: scored.length,
    error: decimals(error / pairs.length),
    ratio_to_persistence: decimals(error / total(({ persistence }) => persistence)),
    ratio_to_median: decimals(error / total(({ median }) => median)),
    coverage: decimals(inside.length / pairs.length),
  };
});

const names = Object.keys(lines[0]);
console.log([names.join(','), ...lines.map((line) => Object.values(line).join(','))].join('\n'));
if (servedPath !== undefined) {
  const served = rowsOf(servedPath);
  const isSame = (line, at) => names.every((name) => String(line[name]) === served[at]?.[name]);
  if (served.length !== 7 || !lines.every(isSame)) {
    console.error('the served skill differs');
    process.exitCode = 1;
  }
}
