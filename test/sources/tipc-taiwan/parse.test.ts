/** What becomes of TIPC's rows: calls, their times, cargo or not, and every reason to refuse. */
import { describe, expect, it } from '@jest/globals';
import type { CallsObservation } from '../../../core/calls/observation.ts';
import { openLedger } from '../../../core/calls/port-call.ts';
import { applyObservation } from '../../../core/calls/reconstruct.ts';
import { toPortCall } from '../../../core/calls/records.ts';
import { tipcTaiwanDeclaration } from '../../../core/sources/tipc-taiwan/declaration.ts';
import { parseTaiwan } from '../../../core/sources/tipc-taiwan/parse.ts';
import { only, reasonsOf, refusalOf } from '../../builders/source-replies.ts';
import {
  big5,
  FETCHED_AT,
  type Fields,
  inbound,
  kaohsiung,
  listText,
  outbound,
  REQUEST,
} from './vessel-lists.ts';

const at = (text: string): number => Date.parse(text);

function parse(inRows: readonly Fields[], outRows: readonly Fields[] = [], fetchedAt = FETCHED_AT) {
  const files = kaohsiung(inRows, outRows).set('request.json', Buffer.from(REQUEST));
  const { observations, refusals, asOfAt } = parseTaiwan({ fetchedAt, files });
  const [batch] = observations as readonly CallsObservation[];
  return { batch, records: batch?.records ?? [], refusals: reasonsOf({ refusals }), asOfAt };
}

describe('a requested list', () => {
  it('withdraws a visit that it no longer has, and keeps one whose row cannot be read', () => {
    const [gone, broken] = ['AKHH115000002', 'AKHH115000003'].map((VISA_NO) => inbound({ VISA_NO }));
    if (gone === undefined || broken === undefined) throw new Error('no rows');
    const known = parse([inbound(), gone, broken]).batch;
    const unreadable = inbound({ VISA_NO: 'AKHH115000003', ACT_PORT_DT: 'soon' });
    const later = parse([inbound(), unreadable]).batch;
    if (known === undefined || later === undefined) throw new Error('no batch');
    const { removed } = applyObservation(applyObservation(openLedger(), known).ledger, later);
    expect(removed.map(({ callId }) => callId)).toEqual(['AKHH115000002']);
  });
});

describe('a visit', () => {
  it('is joined from both lists by its visa number, in UTC', () => {
    const { batch, records, refusals, asOfAt } = parse([inbound()], [outbound()]);
    expect(only(records)).toEqual({
      callId: 'AKHH115000001',
      vesselId: 'name:EXAMPLE ONE',
      traffic: 'cargo',
      vesselClass: 'container',
      listedAt: at('2026-03-08T22:00:00Z'),
      recordedAt: FETCHED_AT,
      stops: [{ zone: 'berth', place: '#109號碼頭', ataAt: at('2026-03-08T23:10:00Z') }],
      ataAt: at('2026-03-08T22:00:00Z'),
      atdAt: at('2026-03-09T18:12:00Z'),
      keepsEarlier: 'fields',
    });
    expect([batch?.port, batch?.observedAt, batch?.coveredFromAt, asOfAt, refusals]).toEqual([
      'TWKHH',
      FETCHED_AT,
      at('2026-03-01T16:00:00Z'),
      FETCHED_AT,
      [],
    ]);
  });

  it('that anchored arrives at the anchorage or at the 5-mile line, whichever is earlier', () => {
    const anchoredFirst = inbound({ ARRV_DT: '202603080300', SP5NM: '202603090600' });
    const crossedFirst = inbound({ ARRV_DT: '202603080300', SP5NM: '202603080236' });
    for (const [row, ataAt] of [
      [anchoredFirst, '2026-03-07T19:00:00Z'],
      [crossedFirst, '2026-03-07T18:36:00Z'],
    ] as const) {
      const record = only(parse([row]).records);
      expect(toPortCall(record, { port: 'TWKHH', observedAt: FETCHED_AT })?.ataAt).toBe(at(ataAt));
      expect(record.stops).toEqual([
        { zone: 'anchorage', place: 'anchorage', ataAt: at('2026-03-07T19:00:00Z') },
        { zone: 'berth', place: '#109號碼頭', ataAt: at('2026-03-08T23:10:00Z') },
      ]);
    }
  });

  it('that anchored and has not berthed is waiting', () => {
    const record = only(
      parse([inbound({ ARRV_DT: '202603101500', ACT_PORT_DT: '', WHARF_CODE: '' })]).records,
    );
    expect(record.stops).toEqual([
      { zone: 'anchorage', place: 'anchorage', ataAt: at('2026-03-10T07:00:00Z') },
    ]);
    expect(record.atdAt).toBeUndefined();
  });

  it('that lies at an anchorage inside the port is not at a berth', () => {
    const record = only(parse([inbound({ WHARF_CODE: '其他錨地(港內)' })]).records);
    expect(record.stops.map(({ zone }) => zone)).toEqual(['anchorage']);
  });

  it('that was declared and never came is not a call', () => {
    expect(parse([inbound({ ACT_PORT_DT: '', SP5NM: '' })]).records).toEqual([]);
  });

  it('that crossed the line and did nothing more is withdrawn after ten days', () => {
    const crossed = { ACT_PORT_DT: '', EXPECT_DT: '202602280600' };
    expect(only(parse([inbound({ ...crossed, SP5NM: '202602281900' })]).records).cancelled).toBe(true);
    expect(only(parse([inbound({ ...crossed, SP5NM: '202603012100' })]).records).cancelled).toBeUndefined();
  });

  it('on the outbound list alone states its departure and leaves the rest as it is known', () => {
    const record = only(parse([], [outbound()]).records);
    expect([record.ataAt, record.stops, record.atdAt, record.keepsEarlier]).toEqual([
      undefined,
      [],
      at('2026-03-09T18:12:00Z'),
      'fields',
    ]);
  });

  it.each([
    ['a container vessel that loads', {}, 'cargo'],
    [
      'a bulk carrier that discharges, blanks behind the purpose',
      { STA_TYPE: '散裝輪', GOAL_ARRIVAL: '卸非兩岸貨 ' },
      'cargo',
    ],
    ['a vessel of no stated type that loads', { STA_TYPE: '' }, 'unknown'],
    ['a yacht of no stated type', { STA_TYPE: '', GROSS_TOA: '24.00' }, 'ferry'],
    ['a harbour barge', { STA_TYPE: '其他專用輪', GROSS_TOA: '2682.00', GOAL_ARRIVAL: '其他' }, 'ferry'],
    ['a vehicle carrier that discharges', { STA_TYPE: '其他專用輪', GROSS_TOA: '10000.00' }, 'cargo'],
    [
      'a special vessel of 9,999 tons that discharges',
      { STA_TYPE: '其他專用輪', GROSS_TOA: '9999.00' },
      'ferry',
    ],
    [
      'a large special vessel that does not load',
      { STA_TYPE: '其他專用輪', GROSS_TOA: '60000.00', GOAL_ARRIVAL: '其他' },
      'ferry',
    ],
    ['a tanker for bunkers', { STA_TYPE: '油輪', GOAL_ARRIVAL: '加油' }, 'visitor'],
    ['a vessel for repair', { GOAL_ARRIVAL: '修護' }, 'visitor'],
    ['a vessel for supplies', { GOAL_ARRIVAL: '補給' }, 'visitor'],
    ['an empty vessel', { GOAL_ARRIVAL: '空船' }, 'visitor'],
    ['a tug with a tow', { STA_TYPE: '其他專用輪', GOAL_ARRIVAL: '拖帶' }, 'ferry'],
    ['a passenger vessel', { STA_TYPE: '客輪', GOAL_ARRIVAL: '載客' }, 'ferry'],
    ['a passenger vessel with cargo', { STA_TYPE: '客貨輪' }, 'ferry'],
    ['a craft of 499 tons', { GROSS_TOA: '499.00' }, 'ferry'],
    ['a domestic craft', { VISA_NO: 'XKHH115000001' }, 'ferry'],
  ] as const)('%s counts as %3$s', (_what, fields, traffic) => {
    expect(only(parse([inbound(fields)]).records).traffic).toBe(traffic);
  });

  it('states the class of its vessel, and none where the list states no type', () => {
    const types = ['貨櫃輪', '油輪', '散裝輪', '煤輪', '礦砂輪', '乾貨輪', ''];
    const classes = types.map((STA_TYPE) => only(parse([inbound({ STA_TYPE })]).records).vesselClass);
    expect(classes).toEqual(['container', 'tanker', 'bulk', 'bulk', 'bulk', 'other', undefined]);
  });

  it('names its vessel by the Chinese name where there is no English one', () => {
    expect(only(parse([inbound({ VESSEL_ENAME: '' })]).records).vesselId).toBe('name:示例');
  });

  it('keeps a name with a raw ampersand', () => {
    expect(only(parse([inbound({ VESSEL_ENAME: 'SEA&LAND NO.6' })]).records).vesselId).toBe(
      'name:SEA&LAND NO.6',
    );
    expect(only(parse([inbound({ VESSEL_ENAME: 'SEA&amp;LAND' })]).records).vesselId).toBe('name:SEA&LAND');
  });
});

describe('a time', () => {
  it('of the line that lies after the berthing is not an arrival', () => {
    const record = only(parse([inbound({ SP5NM: '202603091900' })]).records);
    expect(record.ataAt).toBeUndefined();
    expect(record.stops).toMatchObject([{ ataAt: at('2026-03-08T23:10:00Z') }]);
  });

  it('of the line from another year is left out, and the call stays', () => {
    const { records, refusals } = parse([inbound({ SP5NM: '202503090600' })]);
    expect(only(records).ataAt).toBeUndefined();
    expect(only(records).stops).toHaveLength(1);
    expect(refusals).toEqual(['stale-time']);
  });

  it('of more than fifty days after its forecast, when no pass may list it, is left out', () => {
    const timesOf = (line: string) => {
      const lists = kaohsiung([inbound({ EXPECT_DT: '202601010000', ACT_PORT_DT: '', SP5NM: line })], []);
      return (parseTaiwan({ fetchedAt: FETCHED_AT, files: lists }).observations[0] as CallsObservation)
        .records.length;
    };
    expect([timesOf('202602200000'), timesOf('202602200001')]).toEqual([1, 0]);
  });

  it('of berthing that is stale, unreadable or yet to come drops the row', () => {
    for (const [time, reason] of [
      ['202003271300', 'stale-time'],
      ['20260309', 'unreadable-time'],
      ['202602300710', 'unreadable-time'],
      ['202603111200', 'future-time'],
    ] as const) {
      expect(parse([inbound({ ACT_PORT_DT: time })])).toMatchObject({ records: [], refusals: [reason] });
    }
  });

  it('of anchoring after the berthing leaves the call in port with an unknown wait', () => {
    const { records, refusals } = parse([inbound({ ARRV_DT: '202603090900' })]);
    expect(only(records)).toMatchObject({ waitKnown: false, ataAt: at('2026-03-08T22:00:00Z') });
    expect(only(records).stops).toHaveLength(1);
    expect(refusals).toEqual(['negative-wait']);
  });

  it('of leaving before the berthing counts as not stated', () => {
    const { records, refusals } = parse([inbound()], [outbound({ LEAVE_PORT_DT: '202603090300' })]);
    expect([only(records).stops.length, only(records).atdAt, refusals]).toEqual([
      1,
      undefined,
      ['impossible-order'],
    ]);
  });

  it('of berthing that is impossible leaves the departure, as a list without the inbound row would', () => {
    const alone = parse([], [outbound()]).records;
    expect(parse([inbound({ ACT_PORT_DT: '202003271300' })], [outbound()]).records).toEqual(alone);
  });
});

describe('a fetch', () => {
  it('of past months is as of the end of its window', () => {
    const files = kaohsiung(
      [inbound(), inbound({ VISA_NO: 'AKHH115000002', EXPECT_DT: '202603092300' })],
      [],
    );
    const { asOfAt, observations } = parseTaiwan({ fetchedAt: at('2026-11-01T00:00:00Z'), files });
    expect([asOfAt, (observations[0] as CallsObservation).coveredFromAt]).toEqual([
      at('2026-03-09T15:00:00Z'),
      at('2026-03-09T15:00:00Z'),
    ]);
  });

  it('gives no batch for a port with half its lists, and names it', () => {
    const files = kaohsiung([inbound()], []);
    files.set('in-port-KEL.xml', big5(listText('IN_PORT', [inbound({ VISA_NO: 'AKEL115000001' })])));
    const { observations, refusals } = parseTaiwan({ fetchedAt: FETCHED_AT, files });
    expect(observations.map((report) => (report as CallsObservation).port)).toEqual(['TWKHH']);
    expect(refusals.first).toEqual([{ reason: 'half-a-port', detail: 'KEL: no outbound list' }]);
  });

  it('goes on with the other ports when one list is a web page', () => {
    const files = kaohsiung([inbound()], []);
    files.set('in-port-KEL.xml', big5('<!DOCTYPE html><html></html>'));
    files.set('out-port-KEL.xml', big5(listText('OUT_PORT', [])));
    const { observations, refusals } = parseTaiwan({ fetchedAt: FETCHED_AT, files });
    expect(observations).toHaveLength(1);
    expect(reasonsOf({ refusals })).toEqual(['html']);
  });

  it('has nothing of the spans that its note names as missing', () => {
    const files = kaohsiung([inbound()], []);
    const missing = [['2026-03-05T16:00:00Z', '2026-03-06T16:00:00Z']];
    files.set('request.json', Buffer.from(JSON.stringify({ ...JSON.parse(REQUEST), missing })));
    const { observations } = parseTaiwan({ fetchedAt: FETCHED_AT, files });
    expect(observations).toMatchObject([
      { missing: [{ fromAt: at('2026-03-05T16:00:00Z'), toAt: at('2026-03-06T16:00:00Z') }] },
    ]);
    const backwards = JSON.stringify({
      ...JSON.parse(REQUEST),
      missing: missing.map((span) => span.reverse()),
    });
    files.set('request.json', Buffer.from(backwards));
    expect(() => parseTaiwan({ fetchedAt: FETCHED_AT, files })).toThrow('does not state what was fetched');
  });

  it('names the ports without a reply', () => {
    const files = kaohsiung([inbound()], []);
    files.set('request.json', Buffer.from(REQUEST.replace('[]', '["PUT"]')));
    const { refusals } = parseTaiwan({ fetchedAt: FETCHED_AT, files });
    expect(refusals.first).toEqual([{ reason: 'no-reply', detail: 'port PUT' }]);
  });

  it('counts a row without a visa number', () => {
    expect(parse([inbound(), inbound({ VISA_NO: '' })]).refusals).toEqual(['malformed']);
  });

  it.each([
    ['nothing', new Map(), 'empty'],
    ['an entity', new Map([['in-port-KHH.xml', big5('<!DOCTYPE x []><IN_PORT/>')]]), 'document-type'],
    ['the other list', new Map([['in-port-KHH.xml', big5(listText('OUT_PORT', []))]]), 'wrong-root'],
    ['no row', kaohsiung([], []), 'nothing-usable'],
    ['a broken note', kaohsiung([inbound()], []).set('request.json', Buffer.from('{}')), 'malformed'],
  ])('of %s is refused', (_what, files: Map<string, Uint8Array>, reason) => {
    expect(refusalOf(() => parseTaiwan({ fetchedAt: FETCHED_AT, files }))).toBe(reason);
  });
});

describe('a list of another form', () => {
  const without = (name: string, row: Fields): Fields =>
    Object.fromEntries(Object.entries(row).filter(([tag]) => tag !== name));

  it.each(['ARRV_DT', 'ACT_PORT_DT', 'SP5NM', 'GROSS_TOA', 'EXPECT_DT'])('without %s is refused', (name) => {
    const files = kaohsiung([without(name, inbound())], [outbound()]);
    const message = `IN_PORT of KHH: none of 1 rows has ${name}`;
    expect(() => parseTaiwan({ fetchedAt: FETCHED_AT, files })).toThrow(message);
  });

  it('with thousands separators makes no ferry of a vessel: its row is refused, and its call is kept', () => {
    const { batch, records, refusals } = parse([inbound({ GROSS_TOA: '118,524.00' })], [outbound()]);
    expect([records, refusals]).toEqual([[], ['malformed']]);
    expect(batch?.complete?.unreadable).toEqual(['AKHH115000001']);
  });

  it('counts rows, and those that it refuses, by port', () => {
    const doubled = listText('IN_PORT', [inbound(), inbound({ VISA_NO: 'AKHH115000002' })]).replace(
      '<ARRV_DT>',
      '<ARRV_DT>202603080300</ARRV_DT><ARRV_DT>',
    );
    const files = kaohsiung([], [outbound()]).set('in-port-KHH.xml', big5(doubled));
    files.set('request.json', Buffer.from(REQUEST));
    expect(parseTaiwan({ fetchedAt: FETCHED_AT, files }).lists).toMatchObject([
      { list: 'IN_PORT', port: 'TWKHH', rows: 2, refused: 1, days: 18 },
      { list: 'OUT_PORT', port: 'TWKHH', rows: 1, refused: 0, days: 18 },
    ]);
  });

  it('counts rows with the visa number of another, and rows outside the span asked', () => {
    const counts = (...numbers: readonly string[]) => {
      const early = inbound({ VISA_NO: 'AKHH115000009', EXPECT_DT: '202602010600' });
      const files = kaohsiung([...numbers.map((VISA_NO) => inbound({ VISA_NO })), early], []);
      const [list] = parseTaiwan({
        fetchedAt: FETCHED_AT,
        files: files.set('request.json', Buffer.from(REQUEST)),
      }).lists;
      return list;
    };
    expect(counts('AKHH115000001', 'AKHH115000001')).toMatchObject({ rows: 3, repeated: 1, outside: 1 });
    expect(counts('AKHH115000001')).toMatchObject({ rows: 2, repeated: 0, outside: 1 });
  });

  it('with more rows than the declaration allows is refused before it is parsed', () => {
    const files = kaohsiung([], []).set(
      'in-port-KHH.xml',
      Buffer.from(`<IN_PORT>${'<SHIP/>'.repeat(tipcTaiwanDeclaration.maxRows + 1)}</IN_PORT>`),
    );
    expect(refusalOf(() => parseTaiwan({ fetchedAt: FETCHED_AT, files }))).toBe('too-many-rows');
  });
});
