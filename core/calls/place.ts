/** Names of places within a port, where one may lie in another: `KWAI CHUNG > BERTH 7` lies in `KWAI CHUNG`. */

/** Stands between the wider place and the exact one in it. */
export const WITHIN = ' > ';

const holds = (wider: string, exact: string): boolean => exact.startsWith(wider + WITHIN);

/** Whether the two names can be of one place: equal, or one given more exactly than the other. */
export const isOnePlace = (a: string, b: string): boolean => a === b || holds(a, b) || holds(b, a);

/** The more exact of two names of one place. */
export const moreExact = (a: string, b: string): string => (holds(a, b) ? b : a);
