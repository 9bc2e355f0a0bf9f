/**
 * PORT-MIS replies after the field names that the ministry publishes. No real reply of the event log has been seen; the
 * declarations have the form of real replies, with made-up values.
 */
export type Fields = Readonly<Record<string, string>>;

const elements = (fields: Fields): string =>
  Object.entries(fields)
    .map(([tag, text]) => `<${tag}>${text}</${tag}>`)
    .join('');

export interface Item {
  readonly fields: Fields;
  readonly details: readonly Fields[];
}

export const pageText = (items: readonly Item[], totalCount = items.length, code = '00'): string => {
  const list = items.map(
    ({ fields, details }) =>
      `<item>${elements(fields)}<details>${details.map((row) => `<detail>${elements(row)}</detail>`).join('')}</details></item>`,
  );
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<response>' +
    `<header><resultCode>${code}</resultCode><resultMsg>NORMAL_SERVICE</resultMsg></header>` +
    `<body><items>${list.join('\n')}</items><numOfRows>${items.length}</numOfRows><pageNo>1</pageNo>` +
    `<totalCount>${totalCount}</totalCount></body></response>\n`
  );
};

/** An error reply of the gateway of data.go.kr, with status 200. */
export const gatewayError = (code: string): string =>
  '<OpenAPI_ServiceResponse><cmmMsgHeader><errMsg>SERVICE ERROR</errMsg>' +
  `<returnAuthMsg>SERVICE_ERROR</returnAuthMsg><returnReasonCode>${code}</returnReasonCode></cmmMsgHeader></OpenAPI_ServiceResponse>`;

const CALL: Fields = {
  prtAgCd: '020',
  prtAgNm: '부산',
  etryptYear: '2026',
  etryptCo: '005',
  clsgn: 'D7XX',
  vsslNm: 'EXAMPLE',
  vsslKndCd: '41',
};

export const event = (
  commCo: number,
  cntrlNm: string,
  time: string,
  [fcltyCd = '', fcltySubCd = '', fcltyNm = '']: readonly string[] = [],
): Fields => ({
  commCo: String(commCo),
  cntrlNm,
  cntrlOpertDt: `${time}:00+09:00`,
  fcltyCd,
  fcltySubCd,
  fcltyNm,
});

const OUTER: readonly string[] = ['WAN', '03', '남외항 N-3박지'];
export const QUAY: readonly string[] = ['MB7', '01', '7부두 71선석'];

/** Anchors on 8 March at 06:00, berths on 9 March at 07:10, Korean time. */
export const EVENTS: readonly Fields[] = [
  event(1, '입항', '2026-03-08T05:30', OUTER),
  event(2, '투묘', '2026-03-08T06:00', OUTER),
  event(3, '양묘', '2026-03-09T05:50', OUTER),
  event(4, '접안', '2026-03-09T07:10', QUAY),
];

export const eventItem = (details: readonly Fields[] = EVENTS, fields: Fields = {}): Item => ({
  fields: { ...CALL, aprtfEtryptDt: '2026-03-08T05:30:00+09:00', tkoffDt: '', ...fields },
  details,
});

export const entry = (fields: Fields = {}): Fields => ({
  reqstSeNm: '최종',
  etryndNm: '입항',
  etryptDt: '2026-03-08T05:30:00+09:00',
  laidupFcltyCd: 'WAN',
  laidupFcltySubCd: '03',
  laidupFcltyNm: '남외항 N-3박지',
  ...fields,
});

export const exit = (fields: Fields = {}): Fields => ({
  reqstSeNm: '최종',
  etryndNm: '출항',
  tkoffDt: '2026-03-10T18:00:00+09:00',
  ...fields,
});

export const declaration = (details: readonly Fields[] = [entry()], fields: Fields = {}): Item => ({
  fields: { ...CALL, ...fields },
  details,
});

export interface Lists {
  readonly events?: readonly Item[];
  readonly entries?: readonly Item[];
  readonly exits?: readonly Item[];
}

/** The three lists of Busan. */
export const busan = ({ events = [], entries = [], exits = [] }: Lists): Map<string, Uint8Array> =>
  new Map([
    ['events-020-0-1.xml', Buffer.from(pageText(events))],
    ['entries-020-0-1.xml', Buffer.from(pageText(entries))],
    ['exits-020-0-1.xml', Buffer.from(pageText(exits))],
  ]);

export const FETCHED_AT = Date.parse('2026-03-10T12:01:00Z');
export const REQUEST = '{"from":"2026-03-02T15:00:00Z","to":"2026-03-10T15:00:00Z","unanswered":[]}';
