/** The declaration of Fintraffic Digitraffic: licence, schedule, ports and limits. */
import type { Locode } from '../../reference/codes.ts';
import { fieldsOf, ISO_TIME, LIST } from '../../upstream/fields.ts';
import { MEGABYTE, type SourceDeclaration } from '../../upstream/source.ts';

// The Finnish sea ports that Digitraffic reports port calls of.

/** Inland ports of the Saimaa and piers of a boat or two are left out: they have no queue. */
const FINNISH_PORTS: readonly Locode[] = [
  'FIDLS', // Taalintehdas
  'FIECK', // Eckerö
  'FIFAR', // Färjsundet
  'FIFOR', // Förby
  'FIHEL', // Helsinki with Vuosaari
  'FIHKO', // Hanko
  'FIHMN', // Hamina, still in use beside FIKTK
  'FIINK', // Inkoo
  'FIKAS', // Kaskinen
  'FIKEM', // Kemi
  'FIKJO', // Kalajoki
  'FIKNT', // Kantvik
  'FIKOK', // Kokkola
  'FIKRS', // Kristiinankaupunki
  'FIKTK', // HaminaKotka
  'FILAN', // Långnäs
  'FILOV', // Loviisa
  'FIMHQ', // Mariehamn
  'FINLI', // Naantali
  'FIOUL', // Oulu
  'FIPAR', // Parainen
  'FIPOR', // Pori with Mäntyluoto and Tahkoluoto
  'FIPRS', // Pietarsaari
  'FIPRV', // Porvoo
  'FIRAA', // Raahe
  'FIRAU', // Rauma
  'FISKV', // Kilpilahti
  'FITKU', // Turku
  'FITOK', // Tolkkinen
  'FITOR', // Tornio
  'FIUKI', // Uusikaupunki
  'FIVAA', // Vaasa
];

const TIME = ISO_TIME.form;

export const fintrafficDigitrafficDeclaration: SourceDeclaration = {
  id: 'fintraffic-digitraffic',
  name: 'Digitraffic marine port calls',
  publisher: 'Fintraffic',
  homepage: 'https://www.digitraffic.fi/en/marine-traffic/',
  licence: 'CC BY 4.0',
  attribution: 'Source: Fintraffic / digitraffic.fi, license CC 4.0 BY',
  passesOnCalls: true,
  everyMinutes: 10,
  freshnessBudgetMinutes: 120,
  silence: { of: 'reply', maxHours: 6 },
  kind: 'events',
  ports: FINNISH_PORTS,
  hosts: ['meri.digitraffic.fi'],
  coverage: {
    since: 'first fetch less 60 days',
    delay: 'minutes after the agent reports',
    notes: { waits: 'a lower bound: short stays at anchor are reported incompletely' },
  },
  maxReplyBytes: 32 * MEGABYTE,
  maxRows: 500_000,
  fields: [
    ...fieldsOf(
      'portCalls',
      { portCallId: 'whole number', portToVisit: 'UN/LOCODE', portAreaDetails: LIST },
      {
        portCallTimestamp: TIME,
        imoLloyds: 'IMO number, 0 for none',
        mmsi: 'MMSI, 0 for none',
        vesselName: 'text',
        vesselTypeCode: 'code of Portnet',
      },
    ),
    ...fieldsOf(
      'portAreaDetails',
      {},
      {
        portAreaCode: 'code; ANK for an anchorage',
        portAreaName: 'text',
        berthCode: 'code',
        berthName: 'text',
        ata: TIME,
        atd: TIME,
      },
    ),
    ...fieldsOf(
      'visits',
      { visitId: 'text', portOfCall: 'UN/LOCODE', status: 'text; Cancelled does not count' },
      { vesselId: 'IMO number', vesselName: 'text', ata: TIME, atd: TIME, updateTime: TIME },
    ),
    ...fieldsOf('vessels', {}, { imo: 'IMO number', shipType: 'AIS ship type' }),
  ],
};
