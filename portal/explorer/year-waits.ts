/** Twelve months of waits of a port: what its charts of a year are drawn from. One request. */
import type { PortRecord } from '../../core/contracts/ports.ts';
import { addDays } from '../../core/reference/time.ts';
import { requestPath } from '../api/responses.ts';

export const SPAN_DAYS = 365;

/** The day on which the panels of a port end, `today` at most: those of a port that is no longer observed end with its last one. */
export const endOf = ({ last_day: last }: Pick<PortRecord, 'last_day'>, today: string): string =>
  last !== null && last < today ? last : today;

/** The request of the twelve months up to `to`. `asOf`: the UTC day at whose end the waits were known; undefined for now. */
export const yearPath = (port: string, to: string, asOf?: string): string =>
  requestPath('waits', { UNLOCODE: port, from: addDays(to, -SPAN_DAYS), to, as_of: asOf });

/** The waits of the last year of a port that has figures: its story, and its worst week. */
export const lastYearPath = ({ port, as_of, last_day }: PortRecord): string =>
  yearPath(port, endOf({ last_day }, as_of?.slice(0, 10) ?? ''));
