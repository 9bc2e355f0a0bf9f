/** The declaration of TIPC's vessel lists: licence, schedule, ports and limits. */
import type { Locode } from '../../reference/locode.ts';
import type { SourceDeclaration } from '../../upstream/source.ts';

// The commercial ports of Taiwan that TIPC lists, by its own code for each.

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

const TAIWANESE_PORTS: readonly Locode[] = Object.values(TIPC_PORTS).sort();

const MEGABYTE = 1_000_000;

export const tipcTaiwanDeclaration: SourceDeclaration = {
  id: 'tipc-taiwan',
  name: 'TPNET inbound and outbound vessel lists',
  publisher: 'Taiwan International Ports Corporation (臺灣港務股份有限公司)',
  homepage: 'https://tpnet.twport.com.tw/IFAWeb/Function?_RedirUrl=/IFAWeb/Reports/InPortShipList',
  licence: 'public lists; the pages state no licence, so only figures derived from them are published',
  attribution: 'Source: Taiwan International Ports Corporation (臺灣港務股份有限公司), TPNET',
  everyMinutes: 30,
  freshnessBudgetMinutes: 180,
  kind: 'events',
  partitionedBy: 'port',
  ports: TAIWANESE_PORTS,
  hosts: ['tpnet.twport.com.tw'],
  coverage: {
    since: 'first fetch less 58 days, or back-fill',
    delay: 'at most 30 minutes old',
  },
  // A month of Kaohsiung is about 0.9 MB.
  maxReplyBytes: 16 * MEGABYTE,
};
