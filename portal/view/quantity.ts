/** Figures as people say them: with a unit, and a change as a word. */

/** `1 vessel`, `21 vessels`, `no vessel`. */
export function vesselsText(count: number): string {
  if (count === 0) return 'no vessel';
  return count === 1 ? '1 vessel' : `${count} vessels`;
}

/** `29 h`; below ten hours with its decimal, `2.5 h`. */
export const hoursText = (hours: number): string =>
  `${Math.abs(hours) < 10 ? Number(hours.toFixed(1)) : Math.round(hours)} h`;

/** Two of the three decimals that the API gives, halves up: `0.11` for 0.105. */
export const scoreText = (score: number): string =>
  (Math.round(Math.round(score * 1000) / 10) / 100).toFixed(2);

/** `rose from 0.29 to 0.41`, of a score of now that has changed by `change`. */
export const movedText = (score: number, change: number): string =>
  `${change > 0 ? 'rose' : 'fell'} from ${scoreText(score - change)} to ${scoreText(score)}`;

/** A change of the score that is too small to be read off its text. */
export const isStill = (change: number): boolean => Math.abs(change) < 0.005;

/** `33.75° N, 118.25° W`. */
export const placeText = ({ latitude, longitude }: Record<'latitude' | 'longitude', number>): string =>
  `${Math.abs(latitude).toFixed(2)}° ${latitude < 0 ? 'S' : 'N'}, ${Math.abs(longitude).toFixed(2)}° ${longitude < 0 ? 'W' : 'E'}`;
