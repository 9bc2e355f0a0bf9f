/**
 * What is usual to be received at a port, because an outage of its receivers does not mean an empty port. A poll (or a day)
 * with less than a fifth of what is usual does not cover the port, and hardly changes what is usual: otherwise the
 * remainder that is received during an outage would soon be usual itself, and the vessels that are not received would leave.
 */

/** Vessels a poll, or vessel-hours a day. */
export interface UsualReception {
  readonly usual: number;
  /** Of how many covering polls or days it is the mean, up to the span of the memory; 0 before anything was received. */
  readonly of: number;
}

/** Spans over which an exponential moving average forgets, in polls or days. */
interface ReceptionMemory {
  readonly covering: number;
  /** Of polls or days that do not cover the port: as long as an outage lasts that is not a change of the port itself. */
  readonly uncovered: number;
}

const POLLS_A_DAY = 288;
/**
 * A day, so that a port may grow or shrink from one day to the next. A port that truly keeps 16, 8 or 4 % of its vessels
 * is covered again after 8, 30 or 50 days, and for as long the remainder during an outage is not taken for the port.
 */
export const POLL_MEMORY: ReceptionMemory = { covering: POLLS_A_DAY, uncovered: 28 * POLLS_A_DAY };
/** A month, as vessel-hours differ by the day of the week. With 16, 8 or 4 % a port is covered again after 15, 57 or 94 days. */
export const DAY_MEMORY: ReceptionMemory = { covering: 28, uncovered: 56 };

/** With less than this share of what is usual, a receiver has failed. */
const MIN_SHARE = 0.2;

/** What is usual after a poll or a day in which `now` was received, and whether that covers the port. In whole numbers. */
export function receiveAt(
  before: UsualReception | undefined,
  now: number,
  { covering, uncovered }: ReceptionMemory,
): { readonly reception: UsualReception; readonly isCovered: boolean } {
  // Until anything was received, whatever is received is usual.
  const { usual, of } = before === undefined || before.of === 0 ? { usual: now, of: 0 } : before;
  const isCovered = now > 0 && now >= MIN_SHARE * usual;
  if (isCovered) {
    // At the beginning the plain mean, so that a poor first poll is not usual for a day.
    const polls = Math.min(of + 1, covering);
    return { reception: { usual: Math.round(usual + (now - usual) / polls), of: polls }, isCovered };
  }
  // Rounded down, so that it never stops short of what is received.
  return { reception: { usual: Math.floor(usual + (now - usual) / uncovered), of }, isCovered };
}
