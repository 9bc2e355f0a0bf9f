/** The part of the world that the map shows: a box in the projection's units that is zoomed, moved and kept inside. */

export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Extent {
  readonly width: number;
  readonly height: number;
}

/** The coastline has no more detail beyond this zoom. */
const MOST_ZOOM = 24;

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

export const whole = ({ width, height }: Extent): Viewport => ({ x: 0, y: 0, width, height });

export const centreOf = ({ x, y, width, height }: Viewport): { x: number; y: number } => ({
  x: x + width / 2,
  y: y + height / 2,
});

export const zoomOf = (view: Viewport, world: Extent): number => world.width / view.width;

/** Zooms by `factor` and keeps the point (x, y) where it is. */
export function zoomAt(view: Viewport, world: Extent, factor: number, x: number, y: number): Viewport {
  const zoom = within(zoomOf(view, world) * factor, 1, MOST_ZOOM);
  const width = world.width / zoom;
  const height = world.height / zoom;
  const shrink = width / view.width;
  return inside({ x: x - (x - view.x) * shrink, y: y - (y - view.y) * shrink, width, height }, world);
}

export const moved = (view: Viewport, world: Extent, dx: number, dy: number): Viewport =>
  inside({ ...view, x: view.x + dx, y: view.y + dy }, world);

const inside = (view: Viewport, world: Extent): Viewport => ({
  ...view,
  x: within(view.x, 0, world.width - view.width),
  y: within(view.y, 0, world.height - view.height),
});
