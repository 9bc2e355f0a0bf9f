/** Merges several lists into one port table: which list takes precedence for which field, and what a person must check. */
import type { Locode } from '../../core/reference/codes.ts';
import type { Port } from '../../core/reference/ports.ts';
import type { Listing, PortList, Position } from './port-lists.ts';

export interface PortLists {
  readonly worldPortIndex: PortList;
  readonly unlocode: PortList;
  readonly safeSeaNet: PortList;
  readonly portAreas: PortList;
  readonly seaPorts: PortList;
}

/** A reviewed correction, and why it was made. */
export interface PortOverride extends Partial<Omit<Port, 'locode' | 'countryCode'>> {
  readonly reason: string;
}

export interface MergedPorts {
  /** By code. */
  readonly ports: readonly Port[];
  /** One line each: what is missing, or where the lists disagree without an override. */
  readonly doubts: readonly string[];
}

/** Lists that place one port further apart than this mean different places. */
const FAR_KM = 60;
const EARTH_RADIUS_KM = 6371;

/** Great-circle distance (haversine). */
function distanceKm(a: Position, b: Position): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const half = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2;
  const chord =
    half(a.latitude, b.latitude) +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * half(a.longitude, b.longitude);
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(Math.min(1, chord)));
}

/** The name without diacritics, as UN/LOCODE gives it too: CSV responses are plain ASCII and equal the JSON. */
const plainLetters = (name: string): string => name.normalize('NFD').replace(/\p{M}/gu, '');

const round = (degrees: number): number => Math.round(degrees * 1e4) / 1e4;

/** The merged entries of `wanted`; overrides take precedence. Incomplete ports are left out. */
export function mergePorts(
  wanted: Iterable<Locode>,
  lists: PortLists,
  overrides: Readonly<Record<Locode, PortOverride>>,
): MergedPorts {
  const ports: Port[] = [];
  const doubts: string[] = [];
  for (const locode of [...new Set(wanted)].sort()) {
    const said = (list: PortList): Listing | undefined => list.get(locode);
    const override = overrides[locode];
    // The World Port Index has the position of the harbour; the other lists mostly that of the town.
    const placed = [lists.worldPortIndex, lists.portAreas, lists.unlocode, lists.safeSeaNet, lists.seaPorts]
      .map((list) => said(list)?.position)
      .filter((position) => position !== undefined);
    const [first] = placed;
    const latitude = override?.latitude ?? first?.latitude;
    const longitude = override?.longitude ?? first?.longitude;
    const name =
      override?.name ||
      [lists.seaPorts, lists.unlocode, lists.worldPortIndex, lists.safeSeaNet]
        .map((l) => said(l)?.name)
        .find(Boolean);
    if (latitude === undefined || longitude === undefined || !name) {
      doubts.push(`${locode} left out: no ${name ? 'position' : 'name'}`);
      continue;
    }
    const far = placed.map((other) => Math.round(distanceKm({ latitude, longitude }, other)));
    if (!override && Math.max(0, ...far) > FAR_KM)
      doubts.push(`${locode} ${name}: lists are ${Math.max(...far)} km apart`);
    ports.push({
      locode,
      name: plainLetters(name),
      countryCode: locode.slice(0, 2),
      latitude: round(latitude),
      longitude: round(longitude),
    });
  }
  return { ports, doubts };
}
