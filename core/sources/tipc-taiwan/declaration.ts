/** The declaration of TIPC's vessel lists: licence, schedule, ports and limits. */
import type { Locode } from '../../reference/codes.ts';
import { DECIMAL, fieldsOf, localTime } from '../../upstream/fields.ts';
import { MEGABYTE, type SourceDeclaration } from '../../upstream/source.ts';

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

/** Taiwan has used UTC+8 without summer time since 1980. */
export const TAIPEI_MINUTES = 8 * 60;
export const TAIPEI_TIME = localTime('YYYYMMDDHHmm', 'Taipei', TAIPEI_MINUTES);

const NAMES = { VESSEL_CNAME: 'text, Chinese', VESSEL_ENAME: 'text, English' };
const USE = {
  STA_TYPE: 'vessel type, a Chinese word',
  GOAL_ARRIVAL: 'purpose; 裝 or 卸 for cargo',
};

export const tipcTaiwanDeclaration: SourceDeclaration = {
  id: 'tipc-taiwan',
  name: 'TPNET inbound and outbound vessel lists',
  publisher: 'Taiwan International Ports Corporation (臺灣港務股份有限公司)',
  homepage: 'https://tpnet.twport.com.tw/IFAWeb/Function?_RedirUrl=/IFAWeb/Reports/InPortShipList',
  licence: 'public lists; the pages state no licence, so only figures derived from them are published',
  attribution: 'Source: Taiwan International Ports Corporation (臺灣港務股份有限公司), TPNET',
  everyMinutes: 30,
  freshnessBudgetMinutes: 180,
  // Kaohsiung alone was silent for 33.8 h in a typhoon of July 2025.
  silence: { of: 'events', maxHours: 40 },
  kind: 'events',
  ports: TAIWANESE_PORTS,
  hosts: ['tpnet.twport.com.tw'],
  coverage: {
    since: 'first fetch less 58 days, or back-fill',
    delay: 'at most 30 minutes old',
  },
  // A month of Kaohsiung is about 1,300 rows, 1 MB.
  maxReplyBytes: 16 * MEGABYTE,
  maxRows: 30_000,
  fields: [
    ...fieldsOf(
      'IN_PORT',
      { VISA_NO: 'four letters and 6 to 12 digits', EXPECT_DT: TAIPEI_TIME.form, GROSS_TOA: DECIMAL.form },
      {
        ...NAMES,
        SP5NM: TAIPEI_TIME.form,
        ARRV_DT: TAIPEI_TIME.form,
        ACT_PORT_DT: TAIPEI_TIME.form,
        WHARF_CODE: 'text; 錨地 for an anchorage',
        ...USE,
      },
    ),
    ...fieldsOf(
      'OUT_PORT',
      { VISA_NO: 'four letters and 6 to 12 digits', EXPECT_DT: TAIPEI_TIME.form },
      { ...NAMES, LEAVE_PORT_DT: TAIPEI_TIME.form, ...USE },
    ),
  ],
};
