/** The Korean ports of PORT-MIS, by code and name of their authority. */
import type { Locode } from '../../reference/locode.ts';

/** An authority in PORT-MIS: its code, its name in replies, and the UN/LOCODE of its port. */
interface Authority {
  readonly code: string;
  readonly name: string;
  readonly port: Locode;
}

export const AUTHORITIES: readonly Authority[] = [
  { code: '020', name: '부산', port: 'KRPUS' },
  { code: '030', name: '인천', port: 'KRINC' },
  { code: '031', name: '평택', port: 'KRPTK' },
  { code: '200', name: '동해', port: 'KRTGH' },
  { code: '202', name: '묵호', port: 'KRMUK' },
  { code: '300', name: '대산', port: 'KRTSN' },
  { code: '301', name: '보령', port: 'KRBOR' },
  { code: '302', name: '태안', port: 'KRTAN' },
  { code: '500', name: '군산', port: 'KRKUV' },
  { code: '610', name: '목포', port: 'KRMOK' },
  { code: '620', name: '여수', port: 'KRYOS' },
  { code: '621', name: '여천', port: 'KRYOC' },
  { code: '622', name: '광양', port: 'KRKAN' },
  { code: '700', name: '포항', port: 'KRKPO' },
  { code: '701', name: '포항', port: 'KRKPO' },
  { code: '810', name: '마산', port: 'KRMAS' },
  { code: '820', name: '울산', port: 'KRUSN' },
  { code: '900', name: '제주', port: 'KRCHA' },
];

export const KOREAN_PORTS: readonly Locode[] = [...new Set(AUTHORITIES.map(({ port }) => port))].sort();

/**
 * The port of a reply's row: by the authority's name, because published tables of the codes contradict one another, and
 * by its code where the name is not known. Undefined when neither is.
 */
export function portOf(code: string, name: string): Locode | undefined {
  const named = AUTHORITIES.find((authority) => name.startsWith(authority.name));
  return (named ?? AUTHORITIES.find((authority) => authority.code === code))?.port;
}
