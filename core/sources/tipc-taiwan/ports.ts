/** The commercial ports of Taiwan that TIPC lists, by its own code for each. */
import type { Locode } from '../../reference/locode.ts';

/** UN/LOCODE by the code that TIPC's forms call `selectPort`. */
export const TIPC_PORTS = {
  APG: 'TWAPG', // Anping
  HUN: 'TWHUN', // Hualien
  KEL: 'TWKEL', // Keelung
  KHH: 'TWKHH', // Kaohsiung
  MZG: 'TWMZG', // Penghu (Magong)
  PUT: 'TWBDA', // Budai
  SUO: 'TWSUO', // Su'ao
  TPE: 'TWTPE', // Taipei port
  TXG: 'TWTXG', // Taichung
} as const satisfies Readonly<Record<string, Locode>>;

export type TipcPort = keyof typeof TIPC_PORTS;

export const TAIWANESE_PORTS: readonly Locode[] = Object.values(TIPC_PORTS).sort();
