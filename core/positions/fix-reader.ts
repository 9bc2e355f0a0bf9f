/** Reads archived fetches of positions offline: to learn places, and to report on reception. */
import type { Locode } from '../reference/locode.ts';
import type { PortBox } from '../reference/port-boxes.ts';
import type { Instant, Interval } from '../reference/time.ts';
import type { ArchivedFetch, Source } from '../upstream/source.ts';
import type { FixSink } from './decoders/decoded.ts';
import type { EngineParameters } from './parameters.ts';

/** How the ports were received in one fetch. */
export interface FetchReception {
  /** The time that the fetch stands for: since the last poll, or its day. */
  readonly span: Interval;
  /** The covered ports, each with the start of the covered time. */
  readonly covered: ReadonlyMap<Locode, Instant>;
  /** What is usual at each port since the first fetch: vessels a poll, or vessel-hours a day. */
  readonly usual: ReadonlyMap<Locode, number>;
}

export interface FixReader {
  readonly parameters: EngineParameters;
  /** Boxes by region. Vessels of one region are followed apart from those of another. */
  readonly regions: Readonly<Record<string, readonly PortBox[]>>;
  /** Unix second that the fixes of a fetch reach up to. Throws `RefusedReply` when none of them can be used. */
  endOf(fetched: ArchivedFetch): number;
  /** Throws `RefusedReply` like `endOf`. */
  push(fetched: ArchivedFetch, region: string, sink: FixSink): void;
  /** What `usual` of a reception counts. */
  readonly usualUnit: 'vessels a poll' | 'vessel-hours a day';
  /** A reader of fetches in their order, by the rule of the steps. It throws `RefusedReply` like `endOf`. */
  receive(): (fetched: ArchivedFetch) => FetchReception;
}

/** A source whose fetches can be read this way. */
export type PositionSource = Source & { readonly fixes: FixReader };

export const isPositionSource = (source: Source): source is PositionSource => 'fixes' in source;
