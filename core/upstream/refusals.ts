/** The refused records of a reply, in bounded memory: a count by reason, and the first few in full. */

/** A record that is refused, and why; the rest of the reply is accepted. */
export interface Refusal {
  /** A short stable word for metrics, for example `impossible-time`. */
  readonly reason: string;
  /** One line for the log: which record, which value. */
  readonly detail: string;
}

/** Characters of a detail, which may quote an upstream. */
const MAX_DETAIL = 500;

/** The detail as logs and rows have it. */
export const clipped = (detail: string): string =>
  detail.length > MAX_DETAIL ? `${detail.slice(0, MAX_DETAIL - 1)}…` : detail;

export interface Refused {
  readonly count: number;
  readonly byReason: Readonly<Record<string, number>>;
  /** At most twenty. */
  readonly first: readonly Refusal[];
}

const KEPT = 20;

export class Refusals implements Refused {
  count = 0;
  readonly byReason: Record<string, number> = {};
  readonly first: Refusal[] = [];

  constructor(...refusals: readonly Refusal[]) {
    for (const refusal of refusals) this.push(refusal);
  }

  push({ reason, detail }: Refusal): void {
    this.add({ count: 1, byReason: { [reason]: 1 }, first: [{ reason, detail: clipped(detail) }] });
  }

  add({ count, byReason, first }: Refused): this {
    this.count += count;
    for (const [reason, more] of Object.entries(byReason))
      this.byReason[reason] = (this.byReason[reason] ?? 0) + more;
    this.first.push(...first.slice(0, Math.max(0, KEPT - this.first.length)));
    return this;
  }

  /** What `read` gives, and how many refusals it has made. */
  during<Read>(read: () => Read): { readonly read: Read; readonly refused: number } {
    const before = this.count;
    return { read: read(), refused: this.count - before };
  }
}
