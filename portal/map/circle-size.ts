/** How large a port is drawn. */

const SMALLEST = 4.5;
const LARGEST = 20;
/** The area grows with the vessels. */
const PER_ROOT_VESSEL = 2.4;

/** Radius of the circle for so many vessels at anchor, screen pixels. */
export const circleRadius = (atAnchor: number): number =>
  Math.min(LARGEST, SMALLEST + PER_ROOT_VESSEL * Math.sqrt(atAnchor));
