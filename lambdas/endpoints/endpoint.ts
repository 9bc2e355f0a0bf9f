/** An endpoint: its route, the tables that it reads and what it does, in one entry; and what the endpoints of one port share. */
import * as z from 'zod/mini';
import { ApiError } from '../../core/contracts/errors.ts';
import type { Route } from '../../core/contracts/route.ts';
import { HEADERS } from '../../core/contracts/wire.ts';
import type { RequestHandler, ResponseNotes } from '../../core/http/chain.ts';
import type { Locode } from '../../core/reference/codes.ts';
import { addDays, type Clock, type Day, dayOf, endOfDay, type Instant } from '../../core/reference/time.ts';
import type { PortReader } from '../../core/store/ports.ts';
import type { SeriesRange, SeriesReader } from '../../core/store/series.ts';
import type { Table } from '../../core/store/table.ts';
import type { TableId } from '../../core/store/tables.ts';
import { readEnvironment, text, type Wiring } from '../wiring.ts';

/** What a function has in addition to its tables. */
interface EndpointContext {
  readonly now: Clock;
  /** AWS region, `local` on one machine. */
  readonly region: string;
  /** The data are replayed from recorded replies: this deployment has fetched none of them. */
  readonly replays?: boolean;
}

export interface Endpoint<R extends Route = Route, I extends TableId = TableId> {
  readonly route: R;
  /** Tables and how they are read: by key, or as a whole, for tables that stay small. */
  readonly tables: { readonly [T in I]?: 'read' | 'scan' };
  /** Memory of the function in MB, with processor time in proportion: the most at which a saved millisecond costs less than half a cent a million requests. */
  readonly memoryMb: number;
  /** Called once when a function is loaded; the returned function is called for every request. */
  create(tables: Readonly<Record<I, Table>>, context: EndpointContext): RequestHandler<R>;
}

/** Types an entry from its route and tables. */
export const endpoint = <R extends Route, I extends TableId>(entry: Endpoint<R, I>): Endpoint<R, I> => entry;

/** What every endpoint takes from the wiring of its function. */
export function endpointContext({ variables, now }: Wiring): EndpointContext {
  const { AWS_REGION: region } = readEnvironment(z.object({ AWS_REGION: text }), variables);
  return { now, region, replays: variables.REPLAYS === 'true' };
}

/** Folder of the built function of an operation: `hs-imports` for `hsImports`. */
export const folderOf = (operation: string): string =>
  operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

// `as_of`: the day whose end a request looks back to, and what its response says of the vintages.

export interface View {
  /** The day whose vintages are read; undefined: the current figures. */
  readonly asOf: Day | undefined;
  /** The end of that day, or now. */
  readonly nowAt: Instant;
}

/** Throws `validation_failed` for a day after today. */
export function viewAt(asOf: Day | undefined, nowAt: Instant): View {
  const today = dayOf(nowAt);
  if (asOf === undefined || asOf === today) return { asOf: undefined, nowAt };
  if (asOf > today)
    throw new ApiError('validation_failed', 'as_of must not be after today.', {
      hint: `The newest day is as_of=${today} (UTC); omit as_of for the figures of now.`,
    });
  return { asOf, nowAt: endOfDay(asOf) - 1 };
}

/** Notes that vintages come from a back-fill, and where they begin if nothing was known. */
export function noteKnown(
  notes: ResponseNotes,
  { backfilled, from }: { readonly backfilled: boolean; readonly from?: Day | undefined },
): void {
  if (backfilled) notes.set(HEADERS.vintages, 'backfilled');
  if (from !== undefined) notes.set(HEADERS.vintagesFrom, from);
}

/** The values of a series as they are, or as they were known at the end of the view's day, which it notes. */
export async function readSeries<T extends object>(
  series: SeriesReader<T>,
  subject: string,
  range: SeriesRange,
  { asOf }: View,
  notes: ResponseNotes,
): Promise<readonly T[]> {
  if (asOf === undefined) return series.current(subject, range);
  const known = await series.asOf(subject, asOf, range);
  noteKnown(notes, known);
  return known.rows;
}

export const notCovered = (port: Locode): ApiError =>
  new ApiError('not_found', `${port} is not covered.`, { hint: 'GET /v1/ports lists the covered ports.' });

/** Resolves with `rows`. Where there are none it looks the port up, and throws `not_found` unless it is covered. */
export async function rowsOfCovered<T>(
  rows: readonly T[],
  port: Locode,
  ports: Pick<PortReader, 'get'>,
): Promise<readonly T[]> {
  if (rows.length === 0 && (await ports.get(port)) === undefined) throw notCovered(port);
  return rows;
}

/** Throws `validation_failed` for a day after the view's. */
function refuseLater(name: string, day: Day, { asOf, nowAt }: View): void {
  if (day <= dayOf(nowAt)) return;
  throw asOf === undefined
    ? new ApiError('validation_failed', `${name} must not be after today.`, {
        hint: `The newest day is ${name}=${dayOf(nowAt)} (UTC); omit ${name} for the running day.`,
      })
    : new ApiError('validation_failed', `${name} must not be after as_of.`, {
        hint: `At the end of ${asOf} the newest day was ${name}=${asOf}; omit ${name} for it, or move as_of.`,
      });
}

/** The last `days` UTC days up to `until`, by default the view's. Throws `validation_failed` for a later day. */
export function readWindow(days: number, until: Day | undefined, view: View) {
  const lastDay = until ?? dayOf(view.nowAt);
  refuseLater('until', lastDay, view);
  // Or now while that day is running.
  const endAt = Math.min(view.nowAt, endOfDay(lastDay));
  return { firstDay: addDays(lastDay, 1 - days), lastDay, endAt };
}

/** The days from `from` to `to`. Throws `validation_failed` for days after the view's, out of order or too far apart. */
export function readSpan(
  from: Day | undefined,
  to: Day | undefined,
  { defaultDays, maxDays }: { readonly defaultDays: number; readonly maxDays: number },
  view: View,
) {
  const lastDay = to ?? dayOf(view.nowAt);
  refuseLater('to', lastDay, view);
  const firstDay = from ?? addDays(lastDay, 1 - defaultDays);
  refuseLater('from', firstDay, view);
  if (firstDay > lastDay)
    throw new ApiError('validation_failed', 'from must not be after to.', {
      hint: `Swap them: from=${lastDay}&to=${firstDay}`,
    });
  if (addDays(firstDay, maxDays) < lastDay)
    throw new ApiError('validation_failed', `from and to must be at most ${maxDays} days apart.`, {
      hint: `From ${firstDay} on, the last day that fits is to=${addDays(firstDay, maxDays)}.`,
    });
  return { firstDay, lastDay };
}
