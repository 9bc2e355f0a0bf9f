/** The port call: one vessel's visit to one port, and the legs of which it is made. */
import type { Locode } from '../reference/locode.ts';
import type { Instant } from '../reference/time.ts';
import type { Traffic, Zone } from './observation.ts';

/** One place within a call. Legs of a call follow one another and never overlap; the last may be open. */
export interface Leg {
  readonly zone: Zone;
  readonly place: string;
  readonly startAt: Instant;
  /** Absent while the vessel is still there. */
  readonly endAt?: Instant;
  /** The leg was concluded from ATA and ATD and never seen. */
  readonly inferred?: true;
}

export interface PortCall {
  /** Stable for one visit: made from what never changes of it, so replaying the same reports gives the same id. */
  readonly callId: string;
  readonly port: Locode;
  readonly vesselId: string;
  readonly traffic: Traffic;
  readonly ataAt: Instant;
  /** No source stated the ATA: `ataAt` is the latest that it can have been, and no arrival is counted. */
  readonly ataInferred?: true;
  /** When it left its last berth or anchorage. A `moving` leg may follow while it is still in port waters. */
  readonly atdAt?: Instant;
  /** The ATD was concluded from the vessel's absence, and gives way to one that the source states. */
  readonly atdInferred?: true;
  /** Oldest first. */
  readonly legs: readonly Leg[];
  /** False where the wait before the first berth could not be observed: the call counts into no wait statistic. */
  readonly waitKnown: boolean;
  /** ATA as first heard of. It is part of the row's key, and so stays when the source corrects the ATA. */
  readonly firstAtaAt: Instant;
  /** `observedAt` of the report that last changed this call. */
  readonly changedAt: Instant;
  /** For calls made from records: the stamp of the record that is told here. */
  readonly recordedAt?: Instant;
}
