import { describe, expect, it } from '@jest/globals';
import type { PollObservation } from '../../../core/calls/observation.ts';
import { HOUR_MS } from '../../../core/reference/time.ts';
import { parseReports } from '../../../core/sources/hk-marine-department/parse.ts';
import { type ParsedFetch, RefusedReply } from '../../../core/upstream/source.ts';
import { hkReport } from '../../builders/hk-polls.ts';
import { bytesOf, filesOf, reasonsOf } from '../../builders/source-replies.ts';

const FETCHED_AT = Date.UTC(2025, 7, 17, 5, 30);
const parseOnly = (files: Readonly<Record<string, Uint8Array>>): ParsedFetch =>
  parseReports({ fetchedAt: FETCHED_AT, files: filesOf(files) });
/** The lists that are not named are empty. */
const parse = (files: Readonly<Record<string, Uint8Array>>): ParsedFetch =>
  parseOnly({
    'RP06005i.XML': hkReport('RP06005IXML', []),
    'RP05005i.XML': hkReport('RP05005IXML', []),
    'RP05505i.XML': hkReport('RP05505IXML', []),
    ...files,
  });

const vessel = {
  CALL_SIGN: 'V3LI2',
  VESSEL_NAME: 'PU ZHENG ',
  SHIP_TYPE: 'CONTAINER',
  CURRENT_LOCATION: 'NORTH-WEST LAMMA ANCHORAGE',
};
const inPortRow = { ...vessel, ARRIVAL_TIME: '2025/08/17 11:25', IMO_NO: '9162071' };
const arrivedRow = { ...vessel, ARRIVAL_TIME: '17-AUG-2025 11:25', REMARK: 'Departed' };
const departedRow = {
  CALL_SIGN: 'V3LI2',
  ATD_TIME: '2025/08/17 13:00',
  LAST_BERTH: 'SINOPEC',
  SHIP_TYPE: 'UNSPECIFIED',
};

const inPortOf = (...rows: Record<string, string | undefined>[]): Uint8Array => hkReport('RP06005IXML', rows);
const arrivedOf = (...rows: Record<string, string | undefined>[]): Uint8Array =>
  hkReport('RP05005IXML', rows);
const departedOf = (...rows: Record<string, string | undefined>[]): Uint8Array =>
  hkReport('RP05505IXML', rows);

function pollOf(parsed: ParsedFetch): PollObservation {
  const [report] = parsed.observations;
  if (report?.kind !== 'poll') throw new Error('no poll');
  return report;
}

const whole = (): Record<string, Uint8Array> => ({
  'RP06005i.XML': inPortOf(inPortRow),
  'RP05005i.XML': arrivedOf(arrivedRow),
  'RP05505i.XML': departedOf(departedRow),
});

describe('a fetch of the reports', () => {
  it('is one poll of Hong Kong at the time of the fetch, in UTC', () => {
    const parsed = parse(whole());
    const ataAt = Date.UTC(2025, 7, 17, 3, 25);
    const where = { zone: 'anchorage', place: 'NORTH-WEST LAMMA ANCHORAGE' };
    const vessel = { vesselId: 'V3LI2', traffic: 'cargo', vesselClass: 'container' };
    expect(parsed).toMatchObject({
      asOfAt: FETCHED_AT,
      refusals: { count: 0, byReason: {}, first: [] },
      notices: [],
      observations: [
        {
          kind: 'poll',
          port: 'HKHKG',
          observedAt: FETCHED_AT,
          inPort: [{ ...vessel, imo: '9162071', ataAt, ...where }],
          arrived: [{ ...vessel, ataAt, ...where, departed: true }],
          departed: [
            {
              vesselId: 'V3LI2',
              traffic: 'unknown',
              atdAt: Date.UTC(2025, 7, 17, 5),
              zone: 'berth',
              place: 'SINOPEC',
            },
          ],
        },
      ],
    });
  });

  it('takes the others when a report is missing, which is not an empty one', () => {
    const { 'RP05505i.XML': _, ...others } = whole();
    const poll = pollOf(parseOnly({ ...others, 'RP06005i.XML': inPortOf() }));
    expect(poll.inPort).toEqual([]);
    expect(poll.departed).toBeUndefined();
  });

  it.each([
    ['none', {}],
    ['that of vessels due', { 'RP04005i.XML': hkReport('RP04005IXML', []) }],
    ['vessels in port alone', { 'RP06005i.XML': inPortOf(inPortRow) }],
    ['departures alone', { 'RP05505i.XML': departedOf(departedRow) }],
  ])('is refused with %s: it needs two of the three reports', (_, files) => {
    expect(() => parseOnly(files)).toThrow('fewer than two of the three lists can be used');
  });

  it('reads a byte order mark, character references kept and ampersands in names', () => {
    const xml = `\uFEFF<?xml version="1.0"?><RP06005IXML><G_SQL1><CALL_SIGN>v3li2</CALL_SIGN><CURRENT_LOCATION>A &amp; B WHARF</CURRENT_LOCATION><ARRIVAL_TIME>2025/08/17 11:25</ARRIVAL_TIME><SHIP_TYPE/></G_SQL1></RP06005IXML>`;
    expect(pollOf(parse({ 'RP06005i.XML': bytesOf(xml) })).inPort).toMatchObject([
      { vesselId: 'V3LI2', place: 'A & B WHARF', zone: 'berth' },
    ]);
  });

  it('states the class of a vessel by its ship type', () => {
    const types = [
      'CONTAINER',
      'BULK/ WOODCHIP/ CEMENT/ ORE CARRIER',
      'TANKER (CRUDE,FUEL,DIESEL,LUB)',
      'CHEMICAL',
      'LIQUIFIED PETROLEUM GAS TANKER',
      'LIQUIFIED NATURAL GAS TANKER',
      'LNG POWERED VESSEL(NON-TANKER)',
      'CAR CARRIER',
      undefined,
    ];
    const rows = types.map((SHIP_TYPE, index) => ({ ...inPortRow, CALL_SIGN: `V${index}`, SHIP_TYPE }));
    const listed = pollOf(parse({ 'RP06005i.XML': inPortOf(...rows) })).inPort;
    const [tanker, other] = ['tanker', 'other'];
    expect(listed?.map(({ vesselClass }) => vesselClass)).toEqual([
      ...['container', 'bulk', tanker, tanker, tanker, tanker],
      ...[other, other, undefined],
    ]);
  });

  it('knows service craft and passenger vessels by their type, and takes no unknown type for cargo', () => {
    const types = [
      'TUG',
      'PASSENGER',
      'PLEASURE VESSEL/ YACHT',
      'OTHER',
      'CAR CARRIER',
      'HOVERCRAFT',
      undefined,
    ];
    const rows = types.map((SHIP_TYPE, index) => ({ ...inPortRow, CALL_SIGN: `V${index}`, SHIP_TYPE }));
    const traffic = pollOf(parse({ 'RP06005i.XML': inPortOf(...rows) })).inPort?.map((row) => row.traffic);
    expect(traffic).toEqual(['ferry', 'ferry', 'ferry', 'ferry', 'cargo', 'unknown', 'unknown']);
  });
});

describe('a row at a place that is not known', () => {
  it('keeps its vessel and its time; the place is moving, and one notice names it', () => {
    const rows = ['EAST', 'EAST', undefined].map((place, index) => ({
      ...inPortRow,
      CALL_SIGN: `V${index}`,
      CURRENT_LOCATION: place,
    }));
    const parsed = parse({ 'RP06005i.XML': inPortOf(...rows), 'RP05505i.XML': departedOf(departedRow) });
    expect(pollOf(parsed).inPort?.map(({ zone, place }) => [zone, place])).toEqual([
      ['moving', 'EAST'],
      ['moving', 'EAST'],
      ['moving', ''],
    ]);
    expect(parsed.refusals.count).toBe(0);
    expect(parsed.notices).toEqual([
      { reason: 'unknown-place', detail: '"EAST" in 2 rows' },
      { reason: 'unknown-place', detail: '"" in 1 rows' },
    ]);
  });

  it('counts the rows of each remark that is not read, and reports them', () => {
    const rows = ['Departed', 'CANCELLED', 'Cancelled ', 'SHIFTED'].map((REMARK, index) => ({
      ...arrivedRow,
      CALL_SIGN: `VR${index}`,
      REMARK,
    }));
    const parsed = parse({ 'RP05005i.XML': arrivedOf(...rows) });
    expect(pollOf(parsed).arrived?.map(({ departed }) => departed)).toEqual([true, false, false, false]);
    expect(parsed.notices).toEqual([
      { reason: 'unknown-remark', detail: '"CANCELLED" in 2 rows' },
      { reason: 'unknown-remark', detail: '"SHIFTED" in 1 rows' },
    ]);
  });

  it('keeps a stated departure', () => {
    const atlantis = { ...departedRow, LAST_BERTH: 'LOK ON PAI SIU LAM' };
    const parsed = parse({ 'RP05505i.XML': departedOf(atlantis) });
    expect(pollOf(parsed).departed).toMatchObject([{ atdAt: Date.UTC(2025, 7, 17, 5), zone: 'moving' }]);
  });
});

describe('an IMO number', () => {
  it.each([
    ['9162071', '9162071'],
    [' 9945473 ', '9945473'],
    ['9162072', undefined],
    ['0000000', undefined],
    ['TEMP00167', undefined],
    [undefined, undefined],
  ])('%j is read as %j', (IMO_NO, imo) => {
    const parsed = parse({ 'RP06005i.XML': inPortOf({ ...inPortRow, IMO_NO }) });
    expect(pollOf(parsed).inPort?.[0]?.imo).toBe(imo);
  });
});

describe('a row that cannot be read', () => {
  const good = { ...inPortRow, CALL_SIGN: 'GOOD' };
  it.each([
    ['impossible-time', { ARRIVAL_TIME: '2025/02/30 11:25' }],
    ['impossible-time', { ARRIVAL_TIME: undefined }],
    ['future-time', { ARRIVAL_TIME: '2025/08/18 13:31' }],
    ['missing-vessel', { CALL_SIGN: undefined }],
    ['future-time', { ARRIVAL_TIME: '2025/08/17 15:31' }],
    ['missing-vessel', { CALL_SIGN: ' ' }],
    ['missing-vessel', { CALL_SIGN: 'NULL' }],
    ['missing-vessel', { CALL_SIGN: 'n/a' }],
    ['missing-vessel', { CALL_SIGN: '0' }],
    ['missing-vessel', { CALL_SIGN: 'V'.repeat(40) }],
  ])('is refused as %s (%j), the rest is taken', (reason, fault) => {
    const parsed = parse({ 'RP06005i.XML': inPortOf({ ...inPortRow, ...fault }, good) });
    expect(reasonsOf(parsed)).toEqual([reason]);
    expect(parsed.refusals.first[0]?.detail).toMatch(/^RP06005i\.XML row 1 \(.*\): /);
    expect(pollOf(parsed).inPort?.map((row) => row.vesselId)).toEqual(['GOOD']);
  });

  it('keeps its vessel in port when it at least names one', () => {
    const parsed = parse({ 'RP06005i.XML': inPortOf({ ...inPortRow, ARRIVAL_TIME: 'soon' }, good) });
    expect(pollOf(parsed).unreadable).toEqual(['V3LI2']);
  });

  it('up to an hour ahead is taken: clocks and entries differ', () => {
    const parsed = parse({ 'RP06005i.XML': inPortOf({ ...inPortRow, ARRIVAL_TIME: '2025/08/17 14:30' }) });
    expect(pollOf(parsed).inPort).toMatchObject([{ ataAt: FETCHED_AT + HOUR_MS }]);
  });

  it('with a repeated element is refused', () => {
    const xml = `<RP06005IXML><G_SQL1><CALL_SIGN>A</CALL_SIGN><CALL_SIGN>B</CALL_SIGN></G_SQL1><G_SQL1><CALL_SIGN>GOOD</CALL_SIGN><CURRENT_LOCATION>SINOPEC</CURRENT_LOCATION><ARRIVAL_TIME>2025/08/17 11:25</ARRIVAL_TIME><SHIP_TYPE/></G_SQL1></RP06005IXML>`;
    expect(reasonsOf(parse({ 'RP06005i.XML': bytesOf(xml) }))).toEqual(['missing-vessel']);
  });
});

describe('a field', () => {
  it.each([
    ...['CALL_SIGN', 'ARRIVAL_TIME', 'CURRENT_LOCATION', 'SHIP_TYPE'].flatMap((name) => [
      ['RP06005i.XML', name] as const,
      ['RP05005i.XML', name] as const,
    ]),
    ...['CALL_SIGN', 'ATD_TIME', 'LAST_BERTH', 'SHIP_TYPE'].map((name) => ['RP05505i.XML', name] as const),
  ])('that no row of %s has refuses the fetch: %s', (file, name) => {
    const text = Buffer.from(whole()[file] ?? []).toString();
    const renamed = Buffer.from(text.replaceAll(`${name}>`, 'OTHER>'));
    expect(() => parse({ ...whole(), [file]: renamed })).toThrow(
      expect.objectContaining({ name: 'RefusedReply', reason: 'missing-field' }),
    );
  });

  it('that is there twice refuses its row', () => {
    const text = Buffer.from(inPortOf(inPortRow, { ...inPortRow, CALL_SIGN: 'VRAB1' })).toString();
    const doubled = text.replace('<CURRENT_LOCATION>', '<CURRENT_LOCATION>SINOPEC</CURRENT_LOCATION>$&');
    const parsed = parse({ 'RP06005i.XML': Buffer.from(doubled) });
    expect([reasonsOf(parsed), parsed.lists.slice(0, 1)]).toMatchObject([
      ['malformed'],
      [{ list: 'RP06005IXML', port: 'HKHKG', rows: 2, refused: 1 }],
    ]);
    expect(pollOf(parsed).unreadable).toEqual(['V3LI2']);
  });
});

describe('a report that cannot be read', () => {
  const good = new TextDecoder().decode(inPortOf(inPortRow, { ...inPortRow, CALL_SIGN: 'W' }));
  const bomb = `<!DOCTYPE r [<!ENTITY a "${'x'.repeat(50)}"><!ENTITY b "${'&a;'.repeat(50)}">]>${good}`;
  it.each([
    ['malformed', good.replace('</G_SQL1>', '')],
    ['malformed', '<RP06005IXML><ROW/></RP06005IXML>'],
    ['wrong-root', good.replaceAll('RP06005IXML', 'RP05005IXML')],
    ['wrong-root', '<Error><Code>NoSuchKey</Code></Error>'],
    ['document-type', bomb],
    ['malformed', `${new TextDecoder().decode(inPortOf(inPortRow))}\0`],
    ['malformed', new TextDecoder().decode(inPortOf(inPortRow)).replace('PU', '<html>502</html>')],
    ['encoding', Uint8Array.from([0x3c, 0xe9, 0x3e])],
    ['unreadable', new TextDecoder().decode(inPortOf({ ...inPortRow, ARRIVAL_TIME: 'soon' }))],
  ])('is refused whole as %s, the others are taken', (reason, xml) => {
    const parsed = parse({ ...whole(), 'RP06005i.XML': bytesOf(xml) });
    expect(parsed.refusals.first.at(-1)).toMatchObject({ reason });
    const poll = pollOf(parsed);
    expect(poll.inPort).toBeUndefined();
    expect(poll.unreadable).toBeUndefined();
    expect([poll.arrived?.length, poll.departed?.length]).toEqual([1, 1]);
  });

  it('refuses the fetch when no other is there', () => {
    expect(() => parseOnly({ 'RP06005i.XML': bytesOf('<html>') })).toThrow(RefusedReply);
  });
});

describe('a frozen list', () => {
  const hongKong = (at: number): string =>
    new Date(at + 8 * HOUR_MS).toISOString().slice(0, 16).replaceAll('-', '/').replace('T', ' ');
  const hoursAgo = (hours: number): string => hongKong(FETCHED_AT - hours * HOUR_MS);
  const arrivals = (...hours: readonly number[]) =>
    hours.map((age, index) => ({ ...vessel, CALL_SIGN: `A${index}`, ARRIVAL_TIME: hoursAgo(age) }));
  const departures = (...hours: readonly number[]) =>
    hours.map((age, index) => ({ ...departedRow, CALL_SIGN: `D${index}`, ATD_TIME: hoursAgo(age) }));

  it('of arrivals or departures is missing once its third-oldest row is over 37 hours old', () => {
    const fresh = parse({ 'RP05005i.XML': arrivedOf(...arrivals(40, 39, 37, 2).map(departedOn)) });
    expect(pollOf(fresh).arrived).toHaveLength(4);
    const stale = parse({ 'RP05005i.XML': arrivedOf(...arrivals(40, 39, 37.1, 2).map(departedOn)) });
    expect(pollOf(stale).arrived).toBeUndefined();
    expect(stale.refusals.byReason).toEqual({ 'stale-reply': 1 });
  });
  const departedOn = (row: object) => ({ ...row, REMARK: 'Departed' });

  it.each([
    [3, true],
    [4, false],
  ])(
    'of vessels in port is missing once it lacks more than three that have arrived: %i',
    (absent, isUsed) => {
      const rows = arrivals(...Array.from({ length: absent }, (_, index) => index + 1));
      expect(pollOf(parse({ 'RP05005i.XML': arrivedOf(...rows) })).inPort !== undefined).toBe(isUsed);
    },
  );

  const leftInPort = (left: number, absent: number) => {
    const gone = departures(...Array.from({ length: left }, (_, index) => index + 1));
    const rows = gone.map(({ CALL_SIGN }) => ({ ...inPortRow, CALL_SIGN, ARRIVAL_TIME: hoursAgo(36) }));
    return {
      'RP05005i.XML': arrivedOf(...arrivals(...Array.from({ length: absent }, (_, index) => index + 1))),
      'RP05505i.XML': departedOf(...gone),
      'RP06005i.XML': inPortOf(...rows),
    };
  };

  it.each([
    [5, true],
    [6, false],
  ])('of vessels in port is missing once it has more than five that have left: %i', (left, isUsed) => {
    expect(pollOf(parse(leftInPort(left, 2))).inPort !== undefined).toBe(isUsed);
  });

  it('of vessels in port that has over five that have left, and all that have arrived, is contradictory', () => {
    expect(() => parse(leftInPort(6, 1))).toThrow(
      '6 vessels are in RP06005i.XML and have left by RP05505i.XML',
    );
    expect(pollOf(parse(leftInPort(5, 1))).inPort).toBeDefined();
  });

  it.each([
    [3, true],
    [4, false],
  ])('of arrivals is missing once it lacks more than three in port: %i', (absent, isUsed) => {
    const rows = arrivals(...Array.from({ length: absent }, (_, index) => index + 1));
    expect(pollOf(parse({ 'RP06005i.XML': inPortOf(...rows) })).arrived !== undefined).toBe(isUsed);
  });

  it.each([
    [3, true],
    [4, false],
  ])('of arrivals is missing once it lacks more than three departures: %i', (left, isUsed) => {
    const gone = departures(...Array.from({ length: left }, (_, index) => index + 1));
    const rows = gone.map(({ CALL_SIGN }) => ({ ...vessel, CALL_SIGN, ARRIVAL_TIME: hoursAgo(20) }));
    const files = { 'RP05505i.XML': departedOf(...gone), 'RP05005i.XML': arrivedOf(...rows) };
    expect(pollOf(parse(files)).arrived !== undefined).toBe(isUsed);
  });

  it.each([
    [3, true],
    [4, false],
  ])('of departures is missing once it lacks more than three that have departed: %i', (left, isUsed) => {
    const rows = arrivals(...Array.from({ length: left }, (_, index) => index + 1)).map(departedOn);
    expect(pollOf(parse({ 'RP05005i.XML': arrivedOf(...rows) })).departed !== undefined).toBe(isUsed);
  });

  it('with other arrivals of more than three vessels than another list is contradictory', () => {
    const rows = arrivals(1, 2, 3, 4);
    const files = (count: number) => ({
      'RP05005i.XML': arrivedOf(...rows),
      'RP06005i.XML': inPortOf(
        ...rows.map((row, index) => ({ ...row, ...(index < count && { ARRIVAL_TIME: hoursAgo(9) }) })),
      ),
    });
    expect(pollOf(parse(files(3))).inPort).toHaveLength(4);
    expect(() => parse(files(4))).toThrow('4 vessels have another arrival in RP05005i.XML and RP06005i.XML');
  });

  it('makes the reply stale where fewer than two lists are left', () => {
    const old = { 'RP05005i.XML': arrivedOf(...arrivals(50, 49, 48).map(departedOn)) };
    const alsoOld = { ...old, 'RP05505i.XML': departedOf(...departures(50, 49, 48)) };
    expect(() => parse(alsoOld)).toThrow('3 rows are over 37 hours old');
    expect(() => parse(alsoOld)).toThrow(RefusedReply);
  });
});
