/** Twelve months of waits of a port: what its charts of a year are drawn from. One request. */
import type { PortRecord } from '../../core/contracts/ports.ts';
import { addDays } from '../../core/reference/time.ts';
import { dataOf, requestPath } from '../api/responses.ts';
import { type SpreadDay, type WaitHistory, waitHistory } from '../chart/wait-spread.ts';
import { memoized } from '../view/memo.ts';
import type { Explorer } from './explorer.ts';

export const SPAN_DAYS = 365;

export interface YearSpan {
  readonly path: string;
  readonly from: string;
  readonly lastDay: string;
}

/** The day on which the panels of a port end, `today` at most: those of a port that is no longer observed end with its last one. */
export const endOf = ({ last_day: last }: PortRecord, today: string): string =>
  last !== null && last < today ? last : today;

/** `asOf`: the UTC day at whose end the waits were known; undefined for now. */
export function yearSpan(port: PortRecord, today: string, asOf?: string): YearSpan {
  const lastDay = endOf(port, today);
  const from = addDays(lastDay, -SPAN_DAYS);
  return { path: waitsPath(port, from, lastDay, asOf), from, lastDay };
}

export const waitsPath = ({ port }: PortRecord, from: string, to: string, asOf?: string): string =>
  requestPath('waits', { UNLOCODE: port, from, to, ...(asOf === undefined ? {} : { as_of: asOf }) });

const historyOf = memoized((days: readonly SpreadDay[] | undefined) => days && waitHistory(days));

/** Undefined while they load, and for a key whose plan does not have them. */
export const readYearWaits = ({ responses }: Explorer, { path }: YearSpan): WaitHistory | undefined =>
  historyOf(dataOf<SpreadDay[]>(responses.read(path)));
