/** The declaration of the Hong Kong Marine Department's feed: licence, schedule, ports and limits. */
import { fieldsOf, localTime } from '../../upstream/fields.ts';
import { MEGABYTE, type SourceDeclaration } from '../../upstream/source.ts';

/** UTC+8 without summer time since 1979. */
export const HONG_KONG_MINUTES = 8 * 60;

export const HONG_KONG_TIMES = ['YYYY/MM/DD HH:mm', 'DD-MMM-YYYY HH:mm'].map((layout) =>
  localTime(layout, 'Hong Kong', HONG_KONG_MINUTES),
);
const TIME = 'time "YYYY/MM/DD HH:mm" or "DD-MMM-YYYY HH:mm" of Hong Kong';

const PLACE = 'name of a place';
const TYPE = { SHIP_TYPE: 'name of a type' };

export const hkMarineDepartmentDeclaration: SourceDeclaration = {
  id: 'hk-marine-department',
  name: 'Vessel arrivals, departures and vessels in port',
  publisher: 'Marine Department, HKSAR Government',
  homepage: 'https://data.gov.hk/en-datasets/provider/hk-md',
  licence: 'DATA.GOV.HK terms of use: free commercial and non-commercial reuse with acknowledgement',
  attribution: 'Marine Department, HKSAR Government; DATA.GOV.HK',
  passesOnCalls: true,
  everyMinutes: 20,
  freshnessBudgetMinutes: 60,
  // Its lists reach back 36 hours; see `parse.ts`. In 54 polls no newest event was withdrawn; a hand may correct one.
  silence: { of: 'events', maxHours: 37, backHours: 1 },
  kind: 'polls',
  ports: ['HKHKG'],
  hosts: ['www.mardep.gov.hk'],
  coverage: {
    since: 'first poll, or back-fill',
    delay: 'at most 20 minutes old',
  },
  maxReplyBytes: 4 * MEGABYTE,
  maxRows: 10_000,
  fields: [
    ...['RP05005IXML', 'RP06005IXML'].flatMap((list) =>
      fieldsOf(list, { CALL_SIGN: 'text', ARRIVAL_TIME: TIME }, { CURRENT_LOCATION: PLACE, ...TYPE }),
    ),
    // Absent when no vessel of the list has departed.
    { list: 'RP05005IXML', name: 'REMARK', form: 'DEPARTED, or none', optional: true, rare: true },
    ...fieldsOf('RP05505IXML', { CALL_SIGN: 'text', ATD_TIME: TIME }, { LAST_BERTH: PLACE, ...TYPE }),
  ],
};
