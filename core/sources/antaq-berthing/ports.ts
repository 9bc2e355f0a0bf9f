/** The Brazilian public ports that ANTAQ reports, and the time zone of each. */
import type { Locode } from '../../reference/locode.ts';

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
export function locodeOf(antaqCode: string): Locode | undefined {
  const locode = OTHER_CODES[antaqCode] ?? antaqCode;
  return Object.hasOwn(BRAZILIAN_PORT_ZONES, locode) ? locode : undefined;
}

export const BRAZILIAN_PORTS: readonly Locode[] = Object.keys(BRAZILIAN_PORT_ZONES);
