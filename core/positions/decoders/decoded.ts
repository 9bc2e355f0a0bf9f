/** What decoders share: where fixes go, and what is counted. */
import type { Fix } from '../fix.ts';

/** Takes one fix; the object is overwritten by the next. */
export type FixSink = (fix: Fix) => void;

export interface Decoded {
  fixes: number;
  /** Rows of something else, a buoy or a message without a position, and rows that were left at their MMSI. */
  others: number;
  broken: number;
}

export const nothingDecoded = (): Decoded => ({ fixes: 0, others: 0, broken: 0 });

/** The input as a whole is not of the published form. */
export class UnreadablePositions extends Error {
  override readonly name = 'UnreadablePositions';
}
