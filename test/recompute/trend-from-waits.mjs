// Recomputes `avg_wait_hours`, and the delayed share and the flow term of the score, from the CSV of the waits endpoint, by what
// docs/methodology-reference.md says under "From the waits". It shares no code with the service: whole seconds and exact fractions.
//
//   node test/recompute/trend-from-waits.mjs WAITS.csv [TREND.csv]
//
// Prints `date,avg_wait_hours,delayed_share,flow` of every day. With a trend, it prints the trend's days only, and exits with
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
        coverage: Number(row.coverage),
        waiting: BigInt(row.waiting === '' ? 0 : row.waiting),
        waitingSeconds: seconds(row.waiting_hours),
        arrivals: BigInt(row.recent_arrivals === '' ? 0 : row.recent_arrivals),
        waitedSeconds: seconds(row.recent_wait_hours),
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
  const month = waitsOf(28);
  if (month.length < 3) return undefined;
  const ofBerthed = meanSeconds([7, 14, 28].map(waitsOf).find((waits) => waits.length >= 3));
  const { waiting = 0n, waitingSeconds, arrivals, waitedSeconds } = days.get(date) ?? {};
  const n = BigInt(month.length);
  if (n >= 20n || waiting === 0n) return rounded(times(ofBerthed, fraction(1n, 3600n)), 1);
  // A = min(M, (H + 6 M) / (N + 6)), with M the mean over the waits of 28 days and the open waits
  const mean = times(meanSeconds([...month, waitingSeconds]), fraction(n + 1n, n + waiting));
  const rate = times(plus(fraction(waitedSeconds), times(fraction(6n), mean)), fraction(1n, arrivals + 6n));
  const ofAll = mean.over * rate.under < rate.over * mean.under ? mean : rate;
  // w = min(1, (20 - n) / 17)
  const weight = fraction(20n - n, 17n);
  const seconds = plus(times(weight, ofAll), times(minus(fraction(1n), weight), ofBerthed));
  return rounded(times(seconds, fraction(1n, 3600n)), 1);
}

/** (k + 5 * 0.30) / (n + 5) over seven days. */
function delayedShare(date) {
  const week = lastDays(date, 7);
  const n = week.reduce((sum, { waits }) => sum + BigInt(waits.length), 0n);
  const k = week.reduce((sum, { delayed }) => sum + delayed, 0n);
  return rounded(fraction(10n * k + 15n, 10n * (n + 5n)), 6);
}

/** Days with at least 80 % coverage. */
const isCovered = (day) => day !== undefined && day.coverage >= 0.8;

/** max(0, 1 - 2 b / u) * m / (m + 2), of a day that is over; undefined with fewer than 28 of the 56 days before. */
function flow(date) {
  const end = Date.parse(`${date}T00:00:00Z`);
  const on = (ago) => days.get(new Date(end - ago * DAY_MS).toISOString().slice(0, 10));
  const agos = Array.from({ length: 56 }, (_, i) => i + 1).filter((ago) => isCovered(on(ago)));
  if (agos.length < 28 || !isCovered(on(0))) return undefined;
  /** Twice the median of the days of more than a week ago that `isOf` takes. */
  const twiceMedian = (isOf) => {
    const counts = agos
      .filter((ago) => ago > 7 && isOf(ago % 7))
      .map((ago) => on(ago).waits.length)
      .sort((a, b) => a - b);
    const [low, high] = [counts[Math.floor((counts.length - 1) / 2)], counts[Math.floor(counts.length / 2)]];
    return low === undefined ? undefined : BigInt(low + high);
  };
  const around = twiceMedian((weekday) => [0, 1, 6].includes(weekday));
  const same = twiceMedian((weekday) => weekday === 0);
  if (around === undefined) return undefined;
  const usual = same !== undefined && 2n * same < around ? same : around;
  const berthed = BigInt(on(0).waits.length);
  const { waiting } = on(0);
  if (usual < 10n || 4n * berthed >= usual) return 0;
  return rounded(times(fraction(usual - 4n * berthed, usual), fraction(waiting, waiting + 2n)), 6);
}

const trend = process.argv[3] === undefined ? undefined : rowsOf(process.argv[3]);
const dates = trend?.map(({ date }) => date) ?? [...days.keys()];
console.log('date,avg_wait_hours,delayed_share,flow');
for (const date of dates)
  console.log(`${date},${avgWaitHours(date) ?? ''},${delayedShare(date)},${flow(date) ?? ''}`);

const different = (trend ?? []).filter(
  ({ date, avg_wait_hours }) => avgWaitHours(date) !== Number(avg_wait_hours),
);
for (const { date, avg_wait_hours } of different)
  console.error(`${date}: the trend says ${avg_wait_hours}, the waits give ${avgWaitHours(date)}`);
if (different.length > 0) process.exitCode = 1;
