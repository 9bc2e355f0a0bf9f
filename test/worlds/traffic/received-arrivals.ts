/** True calls whose whole wait the published fixes show: those of vessels that are received arriving. */

import { fixedDegrees } from '../../../core/positions/geometry.ts';
import { BORDER_DEGREES, isInside, stayPorts } from '../../../core/positions/port-areas.ts';
import { outsideReach } from '../../../core/positions/reception.ts';
import type { PortBox } from '../../../core/reference/port-boxes.ts';
import { findPort, PORTS } from '../../../core/reference/ports.ts';
import { DAY_MS, HOUR_MS, type Instant } from '../../../core/reference/time.ts';
import type { GeneratedFix, TrueStay } from './world-types.ts';

/** A silence as long as the shortest wait may hide one. */
const SILENCE_MS = 3 * HOUR_MS;
/** First received inside, a vessel has arrived if its port was covered for a day and it was absent for as long as a call may pause. */
const COVERED_MS = DAY_MS;
const ABSENCE_MS = 12 * HOUR_MS;

/** Within a degree of a port. Elsewhere the vessel is absent, or another one that transmits the same MMSI. */
function isNear({ latitude, longitude }: GeneratedFix, port: string): boolean {
  const at = findPort(port);
  return at !== undefined && Math.abs(at.latitude - latitude) <= 1 && Math.abs(at.longitude - longitude) <= 1;
}

const positionOf = ({ latitude, longitude }: GeneratedFix) => ({
  latitude: fixedDegrees(latitude),
  longitude: fixedDegrees(longitude),
});

/** Whether the vessel of a call with these stays, oldest first, was received from its arrival to its first stay. */
export type ReceivedArriving = (stays: readonly TrueStay[]) => boolean;

/** The rule of the methodology over all that is published of a vessel from `startAt` on, in the order of time. */
export function receivedArriving(
  fixes: readonly GeneratedFix[],
  boxes: readonly PortBox[],
  startAt: Instant,
): ReceivedArriving {
  const byVessel = new Map<number, GeneratedFix[]>();
  const receivedDays = new Set<string>();
  const boxesAt = (fix: GeneratedFix, margin: number): readonly PortBox[] =>
    boxes.filter((box) => isInside(box, positionOf(fix), margin));
  const nameOf = (box: PortBox, at: Instant): string => `${box.ports.join()} ${Math.floor(at / DAY_MS)}`;
  for (const fix of fixes) {
    const known = byVessel.get(fix.mmsi);
    if (known) known.push(fix);
    else byVessel.set(fix.mmsi, [fix]);
    for (const box of boxesAt(fix, 0)) receivedDays.add(nameOf(box, fix.at));
  }
  // Reception is not proven where no vessel was received on the day before, in any of the boxes that overlap there.
  const isCovered = (fix: GeneratedFix): boolean =>
    fix.at - startAt >= COVERED_MS &&
    boxesAt(fix, BORDER_DEGREES).every((box) => receivedDays.has(nameOf(box, fix.at - COVERED_MS)));
  const isOutside = outsideReach(boxes, stayPorts(PORTS, boxes));
  const isOutsideFix = (fix: GeneratedFix): boolean => isOutside(positionOf(fix));
  return (stays) => {
    const [first] = stays;
    if (first === undefined) return false;
    const arriving = (byVessel.get(first.mmsi) ?? []).filter(
      (fix) => fix.at < first.startAt && isNear(fix, first.port),
    );
    const begin = arriving.findLastIndex(
      ({ at }, index) => at - (arriving[index - 1]?.at ?? Number.NEGATIVE_INFINITY) >= SILENCE_MS,
    );
    const begun = arriving[begin];
    if (begun === undefined) return false;
    const absence = begun.at - (arriving[begin - 1]?.at ?? Number.NEGATIVE_INFINITY);
    return arriving.slice(begin).some(isOutsideFix) || (absence >= ABSENCE_MS && isCovered(begun));
  };
}
