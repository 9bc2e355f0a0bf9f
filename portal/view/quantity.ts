/** Figures as people say them: with a unit, and a change as a word. */

/** `1 vessel`, `21 vessels`, `no vessel`. */
export function vesselsText(count: number): string {
  if (count === 0) return 'no vessel';
  return count === 1 ? '1 vessel' : `${count} vessels`;
}

/** `29 h`; below ten hours with its decimal, `2.5 h`. */
export const hoursText = (hours: number): string =>
  `${Math.abs(hours) < 10 ? Number(hours.toFixed(1)) : Math.round(hours)} h`;

const SCORE_DECIMALS = 2;
export const scoreText = (score: number): string => score.toFixed(SCORE_DECIMALS);

/** A change of the score that is too small to be read off its text. */
export const isStill = (change: number): boolean => Math.abs(change) < 0.005;

/** `33.75° N, 118.25° W`. */
export const placeText = ({ latitude, longitude }: Record<'latitude' | 'longitude', number>): string =>
  `${Math.abs(latitude).toFixed(2)}° ${latitude < 0 ? 'S' : 'N'}, ${Math.abs(longitude).toFixed(2)}° ${longitude < 0 ? 'W' : 'E'}`;
