/** The busiest ports that no call-level source covers, and boxes around them, from the port reference. */
import { parse } from 'csv-parse/sync';
import { fixedDegrees } from '../../core/positions/geometry.ts';
import { type NearestPort, nearestPort } from '../../core/positions/port-areas.ts';
import type { Locode } from '../../core/reference/codes.ts';
import type { PortBox } from '../../core/reference/port-boxes.ts';
import type { Port } from '../../core/reference/ports.ts';

/** A port of a list ordered by how many vessels call there; the position only finds its UN/LOCODE. */
export interface ListedPort {
  readonly name: string;
  /** As in the list: often missing, and sometimes wrong. */
  readonly locode: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly calls: number;
  /** ISO 3166-1 alpha-3. */
  readonly country: string;
}

/** A reviewed correction by the list's name, `Rotterdam` or `Cartagena, COL`, and why it was made. */
export interface ListedOverride {
  readonly ports: readonly Locode[];
  readonly reason: string;
}

interface Row {
  readonly LOCODE: string;
  readonly portname: string;
  readonly lat: string;
  readonly lon: string;
  readonly vessel_count_total: string;
  readonly ISO3: string;
}

/** Parses a PortWatch port database: one row for each port, with its yearly vessel calls. */
export const readPortWatch = (text: string): ListedPort[] =>
  (parse(text, { columns: true, bom: true, skip_empty_lines: true }) as Row[])
    .map((row) => ({
      name: row.portname,
      locode: row.LOCODE.replaceAll(' ', ''),
      latitude: Number(row.lat),
      longitude: Number(row.lon),
      calls: Number(row.vessel_count_total),
      country: row.ISO3,
    }))
    .filter(({ calls }) => calls > 0)
    .sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1));

export interface ChosenPorts {
  readonly ports: readonly Locode[];
  /** Listed ports that are not chosen. */
  readonly others: readonly Locode[];
  /** Calls of each port of the list, chosen or not. */
  readonly callsByPort: ReadonlyMap<Locode, number>;
  /** Calls of the chosen ports, and of the whole list. */
  readonly calls: number;
  readonly allCalls: number;
  /** Busy ports without a port of the reference near them. */
  readonly unmatched: readonly string[];
}

/** List and reference can place one harbour up to this far apart. */
const SAME_PORT_METRES = 20_000;

/** The first `count` ports of the reference by listed calls that are not in `covered`. */
export function choosePorts(
  listed: readonly ListedPort[],
  reference: readonly Port[],
  covered: ReadonlySet<Locode>,
  count: number,
  overrides: Readonly<Record<string, ListedOverride>> = {},
): ChosenPorts {
  const known = new Set(reference.map(({ locode }) => locode));
  const nearest: NearestPort = nearestPort(reference);
  const calls = new Map<Locode, number>();
  const chosen = new Set<Locode>();
  const unmatched: string[] = [];
  const overrideOf = ({ name, country }: ListedPort) => overrides[`${name}, ${country}`] ?? overrides[name];
  const listPorts = (port: ListedPort): readonly Locode[] => {
    const { locode, latitude, longitude } = port;
    const near = nearest.within(fixedDegrees(latitude), fixedDegrees(longitude), SAME_PORT_METRES);
    const found = known.has(locode) ? locode : near;
    return overrideOf(port)?.ports ?? (found === undefined ? [] : [found]);
  };
  for (const port of listed) {
    const found = listPorts(port);
    if (found.length === 0 && overrideOf(port) === undefined) unmatched.push(port.name);
    for (const locode of found) {
      if (chosen.size < count && !covered.has(locode)) chosen.add(locode);
      calls.set(locode, (calls.get(locode) ?? 0) + port.calls / found.length);
    }
  }
  const sum = (all: Iterable<number>): number => [...all].reduce((total, each) => total + each, 0);
  return {
    ports: [...chosen].sort(),
    others: [...calls.keys()].filter((locode) => !chosen.has(locode)).sort(),
    calls: sum([...chosen].map((locode) => calls.get(locode) ?? 0)),
    callsByPort: calls,
    allCalls: sum(listed.map((port) => port.calls)),
    unmatched: unmatched.slice(0, count),
  };
}

/** Distance at which two ports share a box; degrees. */
const SHARED = 0.2;

const round = (degrees: number): number => Number(degrees.toFixed(2));

/**
 * A box around each port, of `margin` degrees to every side; ports that lie close to one another share one. `others`
 * are ports that are not chosen, so that their calls are not counted for a chosen one.
 */
export function boxesAround(ports: readonly Port[], others: readonly Port[], margin: number): PortBox[] {
  const groups: Port[][] = [];
  for (const port of ports) {
    const isNear = (other: Port): boolean =>
      Math.abs(port.latitude - other.latitude) <= SHARED &&
      Math.abs(port.longitude - other.longitude) <= SHARED;
    const near = groups.filter((group) => group.some(isNear));
    const joined = [...near.flat(), port];
    for (const group of near) groups.splice(groups.indexOf(group), 1);
    groups.push(joined);
  }
  return groups
    .map((group): PortBox => {
      const [latitudes, longitudes] = [
        group.map((port) => port.latitude),
        group.map((port) => port.longitude),
      ];
      const box = {
        south: round(Math.min(...latitudes) - margin),
        west: round(Math.min(...longitudes) - margin),
        north: round(Math.max(...latitudes) + margin),
        east: round(Math.max(...longitudes) + margin),
      };
      const neighbours = others.filter(
        ({ latitude, longitude }) =>
          latitude >= box.south && latitude <= box.north && longitude >= box.west && longitude <= box.east,
      );
      return {
        ports: group.map(({ locode }) => locode).sort(),
        neighbours: neighbours.map(({ locode }) => locode).sort(),
        ...box,
      };
    })
    .sort((a, b) => ((a.ports[0] ?? '') < (b.ports[0] ?? '') ? -1 : 1));
}
