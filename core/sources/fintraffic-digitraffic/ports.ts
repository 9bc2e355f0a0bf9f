/** The Finnish sea ports that Digitraffic reports port calls of. */
import type { Locode } from '../../reference/locode.ts';

/** Inland ports of the Saimaa and piers of a boat or two are left out: they have no queue. */
export const FINNISH_PORTS: readonly Locode[] = [
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
