/** Use of a facility of a Korean port, and its place in a call. */
import type { Zone } from '../../calls/observation.ts';

/** Anchorages for bunkering: a vessel there waits for a barge, not for a berth. */
const BUNKERING = /벙커링|급유/;
const BUNKERING_CODE = /^WAB/;
const ANCHORAGE = /정박지|박지|묘지|투묘/;
const ANCHORAGE_CODE = /^WA/;
/** Quays and buoys; MK and MS are further groups at Busan. */
const BERTH_CODE = /^M[BUKS]/;

/** The use of a facility, by its code's prefix, or by its name where the code is missing. */
export function readZone(code: string, name: string): Zone {
  if (BUNKERING_CODE.test(code) || BUNKERING.test(name)) return 'moving';
  if (ANCHORAGE_CODE.test(code) || (!BERTH_CODE.test(code) && ANCHORAGE.test(name))) return 'anchorage';
  return code !== '' || name !== '' ? 'berth' : 'moving';
}

/** `WAN-03`, or the name where there is no code. */
export const place = (code: string, subCode: string, name: string): string =>
  [code, subCode].filter((part) => part !== '').join('-') || name;
