/** TIPC lists after the published layout, in Big5 as TIPC sends them. The rows are made up. */

/** Bytes by character of Big5 as the WHATWG defines it: Node decodes Big5 and does not encode it. */
const BIG5 = new Map<string, readonly number[]>();
const decoder = new TextDecoder('big5', { fatal: true });
for (let lead = 0xa1; lead <= 0xf9; lead += 1) {
  for (let trail = 0x40; trail <= 0xfe; trail += 1) {
    try {
      const character = decoder.decode(Uint8Array.of(lead, trail));
      if ([...character].length === 1 && !BIG5.has(character)) BIG5.set(character, [lead, trail]);
    } catch {
      // Not every pair of bytes is a character.
    }
  }
}

/** `text` in Big5; characters outside it are a fault of the test. */
export const big5 = (text: string): Uint8Array =>
  Uint8Array.from(
    [...text].flatMap((character) => {
      if (character < '\x80') return [character.charCodeAt(0)];
      const bytes = BIG5.get(character);
      if (bytes === undefined) throw new Error(`${character} is not in Big5`);
      return bytes;
    }),
  );

export type Fields = Readonly<Record<string, string>>;

/** A container vessel that crosses the line at 06:00, berths at 07:10 and discharges; times are in Taipei. */
export const inbound = (fields: Fields = {}): Fields => ({
  VISA_NO: 'AKHH115000001',
  VESSEL_CNAME: '示例',
  VESSEL_ENAME: 'EXAMPLE ONE',
  ETA_DT: '202603090500',
  EXPECT_DT: '202603090600',
  ACT_PORT_DT: '202603090710',
  WHARF_CODE: '#109號碼頭',
  STA_TYPE: '貨櫃輪',
  GOAL_ARRIVAL: '裝卸貨',
  GROSS_TOA: '118524.00',
  ARRV_DT: '',
  SP5NM: '202603090600',
  ...fields,
});

export const outbound = (fields: Fields = {}): Fields => ({
  VISA_NO: 'AKHH115000001',
  VESSEL_CNAME: '示例',
  VESSEL_ENAME: 'EXAMPLE ONE',
  EXPECT_DT: '202603100100',
  LEAVE_PORT_DT: '202603100212',
  WHARF_CODE: '#109號碼頭',
  STA_TYPE: '貨櫃輪',
  GOAL_ARRIVAL: '裝卸貨',
  ...fields,
});

/** Field texts stand in the document as they are given, unescaped ampersands included. */
export const listText = (root: string, rows: readonly Fields[]): string => {
  const ships = rows.map(
    (row) =>
      `\t<SHIP>\n${Object.entries(row)
        .map(([tag, text]) => `\t\t<${tag}>${text}</${tag}>\n`)
        .join('')}\t</SHIP>\n`,
  );
  return `<?xml version="1.0" encoding="BIG5"?>\n<${root}>\n${ships.join('')}</${root}>\n`;
};

/** The two lists of Kaohsiung. */
export const kaohsiung = (inRows: readonly Fields[], outRows: readonly Fields[]): Map<string, Uint8Array> =>
  new Map([
    ['in-port-KHH.xml', big5(listText('IN_PORT', inRows))],
    ['out-port-KHH.xml', big5(listText('OUT_PORT', outRows))],
  ]);

export const REQUEST = '{"from":"2026-02-27T16:00:00Z","to":"2026-03-17T16:00:00Z","unanswered":[]}';
export const FETCHED_AT = Date.parse('2026-03-10T12:01:00Z');
