/** Merges several lists into one port table: which list takes precedence for which field, and what a person must check. */
import type { Locode } from '../../core/reference/locode.ts';
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

/** Zone names of the sea-ports package that IANA has since renamed. */
const RENAMED_ZONES: Readonly<Record<string, string>> = {
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
};

/** Zones at sea, such as `Etc/GMT-3`, which are not the legal time of any country. */
const atSea = (zone: string | undefined): boolean => zone === undefined || zone.startsWith('Etc/');

/** The time zone of each country whose listed ports have only one. */
function countryZones(list: PortList): ReadonlyMap<string, string> {
  const zones = new Map<string, Set<string>>();
  for (const [locode, { timeZone }] of list) {
    const country = locode.slice(0, 2);
    if (timeZone)
      zones.set(country, (zones.get(country) ?? new Set()).add(RENAMED_ZONES[timeZone] ?? timeZone));
  }
  const single = [...zones].flatMap(([country, set]) =>
    set.size === 1 ? [...set].map((z) => [country, z] as const) : [],
  );
  return new Map(single);
}

/** Whether two zones show the same time in winter and in summer. */
function sameClock(a: string, b: string): boolean {
  const shown = (zone: string, at: number) =>
    new Intl.DateTimeFormat('en', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }).format(at);
  return [Date.UTC(2025, 0, 15), Date.UTC(2025, 6, 15)].every((at) => shown(a, at) === shown(b, at));
}

const round = (degrees: number): number => Math.round(degrees * 1e4) / 1e4;

/** The merged entries of `wanted`; overrides take precedence. Incomplete ports are left out. */
export function mergePorts(
  wanted: Iterable<Locode>,
  lists: PortLists,
  overrides: Readonly<Record<Locode, PortOverride>>,
  zoneAt: (position: Position) => string,
): MergedPorts {
  const singleZones = countryZones(lists.seaPorts);
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
    const placedZone =
      latitude === undefined || longitude === undefined ? undefined : zoneAt({ latitude, longitude });
    const listedZone = said(lists.seaPorts)?.timeZone ?? singleZones.get(locode.slice(0, 2));
    const zone = override?.timeZone ?? (atSea(placedZone) ? listedZone : placedZone);
    const timeZone = zone && (RENAMED_ZONES[zone] ?? zone);
    if (latitude === undefined || longitude === undefined || !name || !timeZone) {
      const missing = [latitude === undefined && 'position', !name && 'name', !timeZone && 'time zone'];
      doubts.push(`${locode} left out: no ${missing.filter(Boolean).join(', ')}`);
      continue;
    }
    const far = placed.map((other) => Math.round(distanceKm({ latitude, longitude }, other)));
    if (!override && Math.max(0, ...far) > FAR_KM)
      doubts.push(`${locode} ${name}: lists are ${Math.max(...far)} km apart`);
    const countryZone = singleZones.get(locode.slice(0, 2));
    if (!override?.timeZone && countryZone && !sameClock(timeZone, countryZone)) {
      doubts.push(
        `${locode} ${name}: ${timeZone} at its position, ${countryZone} in the rest of the country`,
      );
    }
    ports.push({
      locode,
      name: plainLetters(name),
      countryCode: locode.slice(0, 2),
      latitude: round(latitude),
      longitude: round(longitude),
      timeZone,
    });
  }
  return { ports, doubts };
}
