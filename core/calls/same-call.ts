/** Whether two tellings of a call say the same, whenever and by whatever record they were told. */
import type { Leg, PortCall } from './port-call.ts';

const isSameLeg = (a: Leg, b: Leg | undefined): boolean =>
  b !== undefined &&
  a.zone === b.zone &&
  a.place === b.place &&
  a.startAt === b.startAt &&
  a.endAt === b.endAt &&
  a.inferred === b.inferred;

/** Compares all but the bookkeeping (`changedAt`, `recordedAt`). */
export const isSameCall = (a: PortCall, b: PortCall): boolean =>
  a.callId === b.callId &&
  a.port === b.port &&
  a.vesselId === b.vesselId &&
  a.traffic === b.traffic &&
  a.ataAt === b.ataAt &&
  a.ataInferred === b.ataInferred &&
  a.atdAt === b.atdAt &&
  a.atdInferred === b.atdInferred &&
  a.firstAtaAt === b.firstAtaAt &&
  a.waitKnown === b.waitKnown &&
  a.legs.length === b.legs.length &&
  a.legs.every((leg, index) => isSameLeg(leg, b.legs[index]));
