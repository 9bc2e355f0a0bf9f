/** The declaration of PORT-MIS: licence, schedule, ports and limits. */
import type { Locode } from '../../reference/codes.ts';
import { fieldsOf, ISO_TIME, oneOf, WHOLE_NUMBER } from '../../upstream/fields.ts';
import { MEGABYTE, type SourceDeclaration } from '../../upstream/source.ts';

// The Korean ports of PORT-MIS, by code and name of their authority.

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

const KOREAN_PORTS: readonly Locode[] = [...new Set(AUTHORITIES.map(({ port }) => port))].sort();

/** By the authority's name, because published tables of the codes contradict one another; by its code where the name is unknown. */
export function findPort(code: string, name: string): Locode | undefined {
  const named = AUTHORITIES.find((authority) => name.startsWith(authority.name));
  return (named ?? AUTHORITIES.find((authority) => authority.code === code))?.port;
}

/** Names of control events; white space within does not count. */
export const CONTROL_NAME = oneOf('입항', '투묘', '양묘', '접안', '이안', '이선', '출항', '이동', '시프트');
/** First, changed and final declarations. */
export const STAGE = oneOf('최초', '변경', '최종');
/** Declarations of entry and of exit. */
export const DIRECTION = oneOf('입항', '출항');

const CALL_SIGN = 'letters and digits';
const NUMBER = { prtAgCd: 'three digits', etryptYear: 'four digits', etryptCo: '1 to 4 digits' };
const USE = { vsslKndCd: 'two digits', details: 'events or declarations of the call' };
const FACILITY_CODE = 'code; WA for an anchorage, WAB for bunkering, MB, MU, MK and MS for a berth';
const FACILITY_NAME = 'text; 박지, 묘지 and 투묘 for an anchorage, 벙커링 and 급유 for bunkering';

export const QUOTA_ADVICE =
  "the day's requests are used up: fetching resumes after midnight in Korea; a registered use case has more";
export const KEY_ADVICE =
  'the key is refused: check PORTMIS_SERVICE_KEY; a new key works within an hour of its approval';
export const SUBSCRIPTION_ADVICE =
  'the key is not approved for this data set, or its address has changed: apply for 15006353 and 15006354 on data.go.kr';

export const portmisKoreaDeclaration: SourceDeclaration = {
  id: 'portmis-korea',
  name: 'PORT-MIS vessel control events, entries and exits',
  publisher: 'Ministry of Oceans and Fisheries (해양수산부)',
  homepage: 'https://www.data.go.kr/data/15006354/openapi.do',
  licence: 'Korean public data (data.go.kr); the pages of the two data sets state no restriction',
  attribution: 'Ministry of Oceans and Fisheries (해양수산부), PORT-MIS, data.go.kr',
  passesOnCalls: true,
  everyMinutes: 60,
  freshnessBudgetMinutes: 360,
  // An estimate: a typhoon closes the ports of one coast.
  silence: { of: 'events', maxHours: 24 },
  kind: 'events',
  ports: KOREAN_PORTS,
  hosts: ['apis.data.go.kr'],
  // A page has 50 calls; the largest known are about 0.2 MB.
  maxReplyBytes: 8 * MEGABYTE,
  maxRows: 10_000,
  fields: [
    ...fieldsOf('events', { clsgn: CALL_SIGN }, { ...NUMBER, ...USE, aprtfEtryptDt: ISO_TIME.form }),
    ...fieldsOf(
      'details of events',
      { cntrlNm: CONTROL_NAME.form, cntrlOpertDt: ISO_TIME.form },
      { commCo: WHOLE_NUMBER.form, fcltyCd: FACILITY_CODE, fcltySubCd: 'code', fcltyNm: FACILITY_NAME },
    ),
    ...['entries', 'exits'].flatMap((list) => fieldsOf(list, { clsgn: CALL_SIGN, ...NUMBER }, USE)),
    ...fieldsOf('declarations', { reqstSeNm: STAGE.form, etryndNm: DIRECTION.form }),
    ...fieldsOf(
      'final entries',
      { etryptDt: ISO_TIME.form },
      { laidupFcltyCd: FACILITY_CODE, laidupFcltySubCd: 'code', laidupFcltyNm: FACILITY_NAME },
    ),
    ...fieldsOf('final exits', { tkoffDt: ISO_TIME.form }),
  ],
  secret: 'PORTMIS_SERVICE_KEY',
  // The gateway answers in plain text, with the status or with 200; data and its own errors are XML.
  wholeAnswers: [
    { text: /^[^<]*\b(?:quota|limit|exceed)/i, reason: 'quota', advice: QUOTA_ADVICE },
    { text: /^[^<]*\b(?:unauthori[sz]ed|forbidden)\b/i, reason: 'key-refused', advice: KEY_ADVICE },
    { text: /^[^<]*\bnot found\b/i, reason: 'not-subscribed', advice: SUBSCRIPTION_ADVICE },
    { statuses: [401, 403], reason: 'key-refused', advice: KEY_ADVICE },
    { statuses: [404], reason: 'not-subscribed', advice: SUBSCRIPTION_ADVICE },
    { statuses: [429], reason: 'quota', advice: QUOTA_ADVICE },
    {
      statuses: [410],
      reason: 'refused',
      advice: 'the gateway refuses this client, or the service has moved',
    },
  ],
  coverage: { since: 'first fetch less 60 days', delay: 'at most an hour old' },
};
