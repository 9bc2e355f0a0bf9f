/**
 * The parts of a back-fill or replay that do not depend on one another: one a source. A source has one checkpoint,
 * one lease and fetches that speak of all its ports at once, so its fetches are walked in order by one walker; within
 * a fetch the ports are worked on side by side.
 */
import type { Day } from '../../core/reference/time.ts';
import type { Source } from '../../core/sources/source.ts';

export interface Partition {
  readonly source: string;
  /** Past fetches of these days are brought into the archive first, where the upstream still has them. */
  readonly from?: Day;
  readonly to?: Day;
  /** Fetches after this time are left alone. ISO 8601. */
  readonly until?: string;
}

export type PartitionRequest = Omit<Partition, 'source'>;

/** One partition a source, in the order given; only those with a history are asked for their past. */
export const partitionsOf = (
  sources: readonly Source[],
  { from, to, until }: PartitionRequest,
): Partition[] =>
  sources.map(({ declaration, history }) => ({
    source: declaration.id,
    ...(from === undefined || to === undefined || history === undefined ? {} : { from, to }),
    ...(until === undefined ? {} : { until }),
  }));
