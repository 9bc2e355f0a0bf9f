/** Which marks have room for a label: first come, first served, none over another. */

export interface Labelled {
  readonly text: string;
  /** Screen pixels. */
  readonly x: number;
  readonly y: number;
  /** Radius of the mark, screen pixels. */
  readonly radius: number;
}

const GLYPH = 6.6;
const HEIGHT = 16;
/** Between a mark and its label. */
export const LABEL_GAP = 8;

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const boxOf = ({ text, x, y, radius }: Labelled, toLeft: boolean): Box => {
  const width = text.length * GLYPH;
  const left = toLeft ? x - radius - LABEL_GAP - width : x + radius + LABEL_GAP;
  return { left, right: left + width, top: y - HEIGHT / 2, bottom: y + HEIGHT / 2 };
};

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

export type Side = 'left' | 'right';

/** The side of each point on which its label stands; undefined for one without room. */
export function placeLabels(points: readonly Labelled[], width: number): (Side | undefined)[] {
  const taken: Box[] = points.map(({ x, y, radius }) => ({
    left: x - radius,
    right: x + radius,
    top: y - radius,
    bottom: y + radius,
  }));
  return points.map((point, own) => {
    for (const side of ['right', 'left'] as const) {
      const box = boxOf(point, side === 'left');
      const free =
        box.left >= 0 && box.right <= width && !taken.some((other, i) => i !== own && overlap(box, other));
      if (free) {
        taken.push(box);
        return side;
      }
    }
    return undefined;
  });
}
