/** The five simulated ports: how many vessels arrive, how long they stay, and how many berths there are. */
import type { Locode } from '../../core/reference/codes.ts';

export interface PortProfile {
  readonly port: Locode;
  /** Mean cargo calls a day over a whole week. */
  readonly cargoPerDay: number;
  /** Mean ferry calls a day; ferries have berths of their own and so hardly ever queue. */
  readonly ferriesPerDay: number;
  /** Cargo berths in use in ordinary times. */
  readonly berths: number;
  readonly ferryBerths: number;
  /** Median hours at a cargo berth; they are log-normal, a ferry's too. */
  readonly berthHours: number;
  readonly ferryBerthHours: number;
  /** Share of cargo calls that shift to a second berth. */
  readonly shiftShare: number;
  /** Hours between UTC and the port's standard time, which the arrivals follow. */
  readonly utcOffsetHours: number;
  /** Name of the anchorage, and the prefix of the berths' names. */
  readonly anchorage: string;
  readonly berthPrefix: string;
}

const cargoOnly = { ferriesPerDay: 0, ferryBerths: 0, ferryBerthHours: 0 };

const PORT_PROFILES: readonly PortProfile[] = [
  {
    ...cargoOnly,
    port: 'USLAX',
    cargoPerDay: 10,
    berths: 22,
    berthHours: 27,
    shiftShare: 0.06,
    utcOffsetHours: -8,
    anchorage: 'San Pedro Bay anchorage',
    berthPrefix: 'LA',
  },
  {
    ...cargoOnly,
    port: 'SGSIN',
    cargoPerDay: 20,
    berths: 21,
    berthHours: 17,
    shiftShare: 0.1,
    utcOffsetHours: 8,
    anchorage: 'Eastern anchorage',
    berthPrefix: 'PSA',
  },
  {
    ...cargoOnly,
    port: 'NLRTM',
    cargoPerDay: 14,
    berths: 20,
    berthHours: 22,
    shiftShare: 0.15,
    utcOffsetHours: 1,
    anchorage: 'Maas anchorage',
    berthPrefix: 'RTM',
  },
  {
    ...cargoOnly,
    port: 'HKHKG',
    cargoPerDay: 13,
    berths: 13,
    berthHours: 14,
    shiftShare: 0.08,
    utcOffsetHours: 8,
    anchorage: 'Western anchorage',
    berthPrefix: 'KC',
  },
  {
    port: 'FIHEL',
    cargoPerDay: 5,
    ferriesPerDay: 8,
    berths: 6,
    ferryBerths: 7,
    berthHours: 14,
    ferryBerthHours: 2.5,
    shiftShare: 0.05,
    utcOffsetHours: 2,
    anchorage: 'Helsinki roads',
    berthPrefix: 'VUO',
  },
];

/** The profile of `port`; throws `RangeError` for a port that is not simulated. */
export function portProfile(port: Locode): PortProfile {
  const profile = PORT_PROFILES.find((candidate) => candidate.port === port);
  if (!profile) throw new RangeError(`${port} is not a simulated port`);
  return profile;
}
