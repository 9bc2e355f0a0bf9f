/** `as_of`: the day whose end a request looks back to, and what its response says of the vintages. */
import { ApiError } from '../contracts/errors.ts';
import { HEADERS } from '../contracts/headers.ts';
import type { ResponseNotes } from '../http/chain.ts';
import { type Day, dayOf, endOfDay, type Instant } from '../reference/time.ts';

export interface View {
  /** The day whose vintages are read; undefined for the figures of now, which are those of the end of today. */
  readonly asOf: Day | undefined;
  /** The end of that day, or now. */
  readonly nowAt: Instant;
}

/** Throws `validation_failed` for a day after today. */
export function viewOf(asOf: Day | undefined, nowAt: Instant): View {
  const today = dayOf(nowAt);
  if (asOf === undefined || asOf === today) return { asOf: undefined, nowAt };
  if (asOf > today)
    throw new ApiError('validation_failed', 'as_of must not be after today.', {
      hint: `The newest day is as_of=${today} (UTC); omit as_of for the figures of now.`,
    });
  return { asOf, nowAt: endOfDay(asOf) - 1 };
}

interface Known {
  readonly backfilled: boolean;
  readonly from?: Day | undefined;
}

/** Notes that vintages come from a back-fill, and where they begin if nothing was known. */
export function noteKnown(notes: ResponseNotes, { backfilled, from }: Known): void {
  if (backfilled) notes.set(HEADERS.vintages, 'backfilled');
  if (from !== undefined) notes.set(HEADERS.vintagesFrom, from);
}
