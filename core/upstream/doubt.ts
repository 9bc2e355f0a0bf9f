/** A doubt about a reply, and when a count is great enough for one. */
export interface Doubt {
  /** A short stable word for metrics. */
  readonly reason: string;
  readonly detail: string;
}

/** Doubtful above this share of all, if it is at least this many. */
export interface Limit {
  readonly share: number;
  readonly atLeast: number;
}

export const exceeds = (part: number, whole: number, { share, atLeast }: Limit): boolean =>
  part >= atLeast && part > share * whole;

export const figure = (count: number): string =>
  String(Math.round(count)).replaceAll(/\B(?=(\d{3})+$)/g, ',');
