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

/** `today` is the end of it where the port has no last day. */
export function yearSpan(port: PortRecord, today: string): YearSpan {
  const lastDay = port.last_day ?? today;
  const from = addDays(lastDay, -SPAN_DAYS);
  return { path: waitsPath(port, from, lastDay), from, lastDay };
}

export const waitsPath = ({ port }: PortRecord, from: string, to: string): string =>
  requestPath('waits', { UNLOCODE: port, from, to });

const historyOf = memoized((days: readonly SpreadDay[] | undefined) => days && waitHistory(days));

/** Undefined while they load, and for a key whose plan does not have them. */
export const readYearWaits = ({ responses }: Explorer, { path }: YearSpan): WaitHistory | undefined =>
  historyOf(dataOf<SpreadDay[]>(responses.read(path)));
