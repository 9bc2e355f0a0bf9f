/** The declaration of ANTAQ's berthing statistics: licence, schedule, ports and limits. */
import type { Locode } from '../../reference/locode.ts';
import type { SourceDeclaration } from '../../upstream/source.ts';

// The Brazilian public ports that ANTAQ reports, and the time zone of each.

/**
 * IANA zone by port. Private terminals have codes of another form (BRSP008) and are left out, as are ports
 * with mostly support vessels and river barges.
 */
export const BRAZILIAN_PORT_ZONES: Readonly<Record<Locode, string>> = {
  BRADR: 'America/Sao_Paulo', // Angra dos Reis
  BRARB: 'America/Bahia', // Aratu
  BRARE: 'America/Fortaleza', // Areia Branca
  BRBEL: 'America/Belem', // Belém
  BRCDO: 'America/Fortaleza', // Cabedelo
  BRFOR: 'America/Fortaleza', // Fortaleza (Mucuripe)
  BRIBB: 'America/Sao_Paulo', // Imbituba
  BRIGI: 'America/Sao_Paulo', // Itaguaí
  BRIOS: 'America/Bahia', // Ilhéus
  BRIQI: 'America/Fortaleza', // Itaqui
  BRITJ: 'America/Sao_Paulo', // Itajaí
  BRMCZ: 'America/Maceio', // Maceió
  BRNAT: 'America/Fortaleza', // Natal
  BRPNG: 'America/Sao_Paulo', // Paranaguá
  BRPOA: 'America/Sao_Paulo', // Porto Alegre
  BRREC: 'America/Recife', // Recife
  BRRIG: 'America/Sao_Paulo', // Rio Grande
  BRRIO: 'America/Sao_Paulo', // Rio de Janeiro
  BRSFS: 'America/Sao_Paulo', // São Francisco do Sul
  BRSSA: 'America/Bahia', // Salvador
  BRSSO: 'America/Sao_Paulo', // São Sebastião
  BRSSZ: 'America/Sao_Paulo', // Santos
  BRSTM: 'America/Santarem', // Santarém
  BRSUA: 'America/Recife', // Suape
  BRVLC: 'America/Belem', // Vila do Conde
  BRVIX: 'America/Sao_Paulo', // Vitória
};

/** ANTAQ's code where it is not the UN/LOCODE: BRVDC is the inland town of Vitória da Conquista to UNECE. */
const OTHER_CODES: Readonly<Record<string, Locode>> = { BRVDC: 'BRVLC' };

/** The UN/LOCODE of an ANTAQ code (CDTUP), undefined when the port is not covered. */
export function findLocode(antaqCode: string): Locode | undefined {
  const locode = OTHER_CODES[antaqCode] ?? antaqCode;
  return Object.hasOwn(BRAZILIAN_PORT_ZONES, locode) ? locode : undefined;
}

const BRAZILIAN_PORTS: readonly Locode[] = Object.keys(BRAZILIAN_PORT_ZONES);

const DAY_MINUTES = 24 * 60;
const MEGABYTE = 1_000_000;

export const antaqBerthingDeclaration: SourceDeclaration = {
  id: 'antaq-berthing',
  name: 'Estatístico Aquaviário: berthings and their times',
  publisher: 'ANTAQ, Agência Nacional de Transportes Aquaviários',
  homepage: 'https://web3.antaq.gov.br/ea/sense/download.html',
  licence: 'Brazilian open government data (Decreto 8.777/2016), free reuse with acknowledgement',
  attribution: 'Fonte: ANTAQ, Estatístico Aquaviário',
  gone: {
    since: '2026-06-23',
    notice: 'ANTAQ announces on its own pages that the Estatístico Aquaviário is offline from 23 June 2026',
  },
  passesOnCalls: true,
  everyMinutes: 7 * DAY_MINUTES,
  freshnessBudgetMinutes: 21 * DAY_MINUTES,
  kind: 'events',
  partitionedBy: 'port',
  ports: BRAZILIAN_PORTS,
  hosts: ['download.antaq.gov.br', 'web3.antaq.gov.br', 'estatistica.antaq.gov.br'],
  coverage: {
    since: '2010, by back-fill',
    delay: 'months old',
    notes: {
      snapshot: 'as of 30 days before the newest unberthing that ANTAQ has published',
      trend: 'with `until`, because the data end months ago',
      alerts: 'with `until`, because the data end months ago',
    },
  },
  maxReplyBytes: 64 * MEGABYTE,
};
