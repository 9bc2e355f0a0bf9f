/** Lays periods out in lanes, so that no two in one lane overlap: the timeline of waits and berths. */

export interface Span {
  /** Epoch milliseconds. */
  readonly startAt: number;
  readonly endAt: number;
}

export interface Laid<S extends Span> {
  readonly span: S;
  readonly lane: number;
}

/** Each span gets the lowest free lane; there are as many lanes as spans that overlap. Spans may be in any order. */
export function layInLanes<S extends Span>(spans: readonly S[]): { laid: readonly Laid<S>[]; lanes: number } {
  const freeFrom: number[] = [];
  const laid = spans
    .toSorted((a, b) => a.startAt - b.startAt || a.endAt - b.endAt)
    .map((span) => {
      const free = freeFrom.findIndex((at) => at <= span.startAt);
      const lane = free < 0 ? freeFrom.length : free;
      freeFrom[lane] = span.endAt;
      return { span, lane };
    });
  return { laid, lanes: freeFrom.length };
}
