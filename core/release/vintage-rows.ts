/** What was known when of a port: rows of the tables of vintages, from every value that each day or alert has had. Pure. */
import { alertRecord } from '../endpoints/alerts.ts';
import { trendPoints } from '../endpoints/trend.ts';
import type { Alert } from '../metrics/figures.ts';
import { addDays, type Day } from '../reference/time.ts';
import type { ServedDay } from '../store/daily-metrics.ts';
import type { KnownValue, KnownValues } from '../store/vintages.ts';
import type { WaitDayPart } from '../store/wait-days.ts';
import type { ReleaseRow } from './columns.ts';
import { type Change, runsOf } from './known-runs.ts';

/** The runs of every key. `changesOf` has the changes that a value makes, and knows when the next value comes. */
function runsByKey<T>(
  values: KnownValues<T>,
  changesOf: (value: KnownValue<T>, next: Day | undefined) => readonly Change[],
): ReleaseRow[] {
  return [...values].flatMap(([key, ofKey]) => {
    // No response has a day that comes after its own, though clocks differ and a reply may state one.
    const dayOfKey = key.slice(0, 10);
    const clamped = ofKey.map((value) => (value.since > dayOfKey ? value : { ...value, since: dayOfKey }));
    return runsOf(clamped.flatMap((value, at) => changesOf(value, clamped[at + 1]?.since)));
  });
}

/** One row, or none where the key had none. */
const oneChange = <T>(known: KnownValue<T>, row: ReleaseRow | undefined): Change => ({
  since: known.since,
  rows: row === undefined ? [] : [{ id: '', row, made: known }],
});

/** A day on which the observations broke off is served while it runs, and no longer. */
export const trendVintages = (values: KnownValues<ServedDay>): ReleaseRow[] =>
  runsByKey(values, (known, next) => {
    const { since, value } = known;
    if (value === undefined) return [oneChange(known, undefined)];
    const change = oneChange(known, trendPoints([value], since)[0]);
    if (value.partial !== true) return [change];
    const dayAfter = addDays(value.day, 1);
    const isCut = since < dayAfter && (next === undefined || next > dayAfter);
    return isCut ? [change, { since: dayAfter, rows: [] }] : [change];
  });

/** `rowsOf` gives a row for each group of calls. */
export const waitVintages = (
  values: KnownValues<WaitDayPart>,
  rowsOf: (day: WaitDayPart) => readonly (ReleaseRow & { readonly class: string })[],
): ReleaseRow[] =>
  runsByKey(values, (known) => {
    const { since, value } = known;
    const rows = value === undefined ? [] : rowsOf(value).map((row) => ({ id: row.class, row, made: known }));
    return [{ since, rows }];
  });

export const alertVintages = (values: KnownValues<Alert>): ReleaseRow[] =>
  runsByKey(values, (known) => [oneChange(known, known.value && alertRecord(known.value))]);
