// Recomputes `avg_wait_hours` and the delayed share of the trend from the CSV of the waits endpoint, by what
// docs/methodology.md says under "From the waits". It shares no code with the service: whole seconds and exact fractions.
//
//   node test/recompute/trend-from-waits.mjs WAITS.csv [TREND.csv]
//
// Prints `date,avg_wait_hours,delayed_share` of every day. With a trend, it prints the trend's days only, and exits with
// 1 if a figure of it differs.
import { readFileSync } from 'node:fs';

const DAY_MS = 86_400_000;

/** Rows of a CSV file without quoted cells, as objects by column. */
function rowsOf(path) {
  const [header, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
  const names = header.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [names[at], cell])));
}

/** Hours with four decimals stand for whole seconds. */
const seconds = (hours) => BigInt(Math.round(Number(hours) * 3600));

const fraction = (over, under = 1n) => ({ over, under });
const plus = (a, b) => fraction(a.over * b.under + b.over * a.under, a.under * b.under);
const times = (a, b) => fraction(a.over * b.over, a.under * b.under);
const minus = (a, b) => plus(a, times(b, fraction(-1n)));

/** A fraction of zero or more with `decimals` digits behind the point, a half upward. */
function rounded({ over, under }, decimals) {
  const scaled = (2n * over * 10n ** BigInt(decimals) + under) / (2n * under);
  return Number(scaled) / 10 ** decimals;
}

/** Mean of waits in seconds. */
function meanSeconds(waits) {
  const sum = waits.reduce((total, wait) => total + wait, 0n);
  return fraction(sum, BigInt(waits.length));
}

const days = new Map(
  rowsOf(process.argv[2]).map((row) => {
    const waited = row.waits === '' ? [] : row.waits.split(' ').map(seconds);
    const berthed = Number(row.berthed);
    return [
      row.date,
      {
        waits: [...Array(berthed - waited.length).fill(0n), ...waited],
        delayed: BigInt(Math.round(Number(row.delayed_share) * berthed)),
        waiting: BigInt(row.waiting === '' ? 0 : row.waiting),
        waitingSeconds: seconds(row.waiting_hours),
      },
    ];
  }),
);

/** The rows of the `count` days that end with `date`. */
function lastDays(date, count) {
  const end = Date.parse(`${date}T00:00:00Z`);
  return Array.from({ length: count }, (_, ago) =>
    days.get(new Date(end - ago * DAY_MS).toISOString().slice(0, 10)),
  ).filter((day) => day !== undefined);
}

/** Undefined with fewer than three berthings in 28 days. */
function avgWaitHours(date) {
  const waitsOf = (count) => lastDays(date, count).flatMap(({ waits }) => waits);
  const inMonth = waitsOf(28).length;
  if (inMonth < 3) return undefined;
  const window = [7, 14, 28].map(waitsOf).find((waits) => waits.length >= 3);
  const { waiting, waitingSeconds } = days.get(date) ?? { waiting: 0n, waitingSeconds: 0n };
  const n = BigInt(inMonth);
  // w = m / (3 + m) * min(1, (20 - n) / 17)
  const weight =
    n >= 20n || waiting === 0n
      ? fraction(0n)
      : times(fraction(waiting, 3n + waiting), fraction(20n - n, 17n));
  const ofBerthed = times(minus(fraction(1n), weight), meanSeconds(window));
  const ofOpen = waiting === 0n ? fraction(0n) : times(weight, fraction(waitingSeconds, waiting));
  return rounded(times(plus(ofBerthed, ofOpen), fraction(1n, 3600n)), 1);
}

/** (k + 5 * 0.30) / (n + 5) over seven days. */
function delayedShare(date) {
  const week = lastDays(date, 7);
  const n = week.reduce((sum, { waits }) => sum + BigInt(waits.length), 0n);
  const k = week.reduce((sum, { delayed }) => sum + delayed, 0n);
  return rounded(fraction(10n * k + 15n, 10n * (n + 5n)), 6);
}

const trend = process.argv[3] === undefined ? undefined : rowsOf(process.argv[3]);
const dates = trend?.map(({ date }) => date) ?? [...days.keys()];
console.log('date,avg_wait_hours,delayed_share');
for (const date of dates) console.log(`${date},${avgWaitHours(date) ?? ''},${delayedShare(date)}`);

const different = (trend ?? []).filter(
  ({ date, avg_wait_hours }) => avgWaitHours(date) !== Number(avg_wait_hours),
);
for (const { date, avg_wait_hours } of different)
  console.error(`${date}: the trend says ${avg_wait_hours}, the waits give ${avgWaitHours(date)}`);
if (different.length > 0) process.exitCode = 1;
