/** The two figures of congestion that a trend point and a snapshot share. */
import { decimal } from './wire.ts';

export const congestionScore = decimal(
  3,
  { minimum: 0, maximum: 1 },
  { description: 'Congestion score, 0 (free) to 1, the mean of three terms.', example: 0.412 },
);
export const avgWaitHours = decimal(
  1,
  { minimum: 0, maximum: 100_000 },
  { description: 'Mean hours between arrival and first berth, over seven days of berthings.', example: 11.3 },
);
