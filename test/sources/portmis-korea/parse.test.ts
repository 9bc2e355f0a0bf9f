/** What becomes of control events and declarations: stays, waits that are known or not, and every reason to refuse. */
import { describe, expect, it } from '@jest/globals';
import type { CallsObservation } from '../../../core/calls/observation.ts';
import { openLedger } from '../../../core/calls/port-call.ts';
import { applyObservation } from '../../../core/calls/reconstruct.ts';
import { parsePortMis } from '../../../core/sources/portmis-korea/parse.ts';
import { only, reasonsOf, refusalOf } from '../../builders/source-replies.ts';
import {
  busan,
  declaration,
  EVENTS,
  entry,
  event,
  eventItem,
  exit,
  FETCHED_AT,
  type Fields,
  gatewayError,
  type Item,
  type Lists,
  pageText,
  QUAY,
  REQUEST,
} from './replies.ts';

const at = (text: string): number => Date.parse(`${text}:00+09:00`);

function parse(lists: Lists) {
  const {
    observations,
    refusals,
    lists: counts,
  } = parsePortMis({ fetchedAt: FETCHED_AT, files: busan(lists) });
  const batch = observations[0] as CallsObservation;
  return { batch, records: batch.records, refusals: reasonsOf({ refusals }), counts };
}

describe('the event log', () => {
  it('makes an anchorage stay and a berth stay of anchoring, weighing and berthing', () => {
    const { batch, records, refusals } = parse({ events: [eventItem()] });
    expect(only(records)).toEqual({
      callId: '020-2026-005-D7XX',
      vesselId: 'call-sign:D7XX',
      traffic: 'cargo',
      recordedAt: FETCHED_AT,
      stops: [
        { zone: 'anchorage', place: 'WAN-03', ataAt: at('2026-03-08T05:30'), atdAt: at('2026-03-09T05:50') },
        { zone: 'berth', place: 'MB7-01', ataAt: at('2026-03-09T07:10') },
      ],
      ataAt: at('2026-03-08T05:30'),
      keepsEarlier: 'log',
    });
    expect([batch.port, refusals]).toEqual(['KRPUS', []]);
  });

  it('begins the wait at an entry into an anchorage, where no anchoring is logged', () => {
    const { records } = parse({ events: [eventItem(EVENTS.filter((_row, index) => index !== 1))] });
    expect(only(records).stops[0]).toMatchObject({ zone: 'anchorage', ataAt: at('2026-03-08T05:30') });
  });

  it('has no wait for a vessel that enters for a berth', () => {
    const direct = [event(1, '입항', '2026-03-09T05:00', QUAY), event(2, '접안', '2026-03-09T06:00', QUAY)];
    const record = only(parse({ events: [eventItem(direct, { aprtfEtryptDt: '' })] }).records);
    expect(record.stops).toEqual([{ zone: 'berth', place: 'MB7-01', ataAt: at('2026-03-09T06:00') }]);
    expect([record.ataAt, record.waitKnown]).toEqual([at('2026-03-09T05:00'), undefined]);
  });

  it('follows a vessel from berth to berth until it leaves', () => {
    const moves = [
      ...EVENTS,
      event(5, '이안', '2026-03-09T12:00', QUAY),
      event(6, '접안', '2026-03-09T13:00', ['MU2', '01', '2번 부이']),
      event(7, '이선', '2026-03-10T01:00', ['MU2', '01', '2번 부이']),
      event(8, '출항', '2026-03-10T02:00'),
    ];
    const record = only(parse({ events: [eventItem(moves)] }).records);
    expect(record.stops.map(({ zone, place }) => `${zone} ${place}`)).toEqual([
      'anchorage WAN-03',
      'berth MB7-01',
      'berth MU2-01',
    ]);
    expect(record.atdAt).toBe(at('2026-03-10T02:00'));
  });

  it('takes no bunkering anchorage for a wait', () => {
    const bunkers = [
      event(1, '투묘', '2026-03-09T05:00', ['WAB', '01', '벙커링 정박지']),
      ...EVENTS.slice(3),
    ];
    const record = only(parse({ events: [eventItem(bunkers, { aprtfEtryptDt: '' })] }).records);
    expect(record.stops.map(({ zone }) => zone)).toEqual(['moving', 'berth']);
  });

  it('knows an anchorage by its name where the facility has no code', () => {
    const named = [event(1, '투묘', '2026-03-09T05:00', ['', '', '제1정박지'])];
    expect(only(parse({ events: [eventItem(named)] }).records).stops[0]).toMatchObject({
      zone: 'anchorage',
      place: '제1정박지',
    });
  });

  it('leaves a call whose sequence and times disagree out of the waits, and counts it', () => {
    const swapped = EVENTS.map((row, index) => ({ ...row, commCo: String(EVENTS.length - index) }));
    const { records, refusals } = parse({ events: [eventItem(swapped)] });
    expect(only(records).waitKnown).toBe(false);
    expect(refusals).toEqual(['negative-step']);
    const { ledger } = applyObservation(openLedger(), parse({ events: [eventItem(swapped)] }).batch);
    expect([...ledger.calls.values()].map(({ waitKnown }) => waitKnown)).toEqual([false]);
  });

  it('reads a row that the log repeats once', () => {
    const twice = EVENTS.flatMap((row) => [row, row]);
    expect(only(parse({ events: [eventItem(twice)] }).records)).toEqual(
      only(parse({ events: [eventItem(EVENTS)] }).records),
    );
  });

  it('keeps the name of an event whose code says otherwise, and counts it', () => {
    const odd = EVENTS.map((row, index) =>
      index === 1 ? { ...row, cntrlSe: '4' } : { ...row, cntrlSe: '' },
    );
    const { records, refusals } = parse({ events: [eventItem(odd)] });
    expect(only(records).stops).toHaveLength(2);
    expect(refusals).toEqual(['code-mismatch']);
  });

  it('skips an event of an unknown name or an impossible time, and counts it', () => {
    const odd = [
      ...EVENTS,
      event(5, '급수', '2026-03-10T01:00'),
      event(6, '출항', '2026-03-12T01:00'),
      event(7, '출항', 'soon'),
    ];
    const { records, refusals } = parse({ events: [eventItem(odd)] });
    expect(only(records).atdAt).toBeUndefined();
    expect(refusals).toEqual(['unknown-event', 'future-time', 'unreadable-time']);
  });

  it.each([
    ['14', 'ferry'],
    ['41', 'cargo'],
    ['27', 'cargo'],
    ['61', 'ferry'],
    ['93', 'ferry'],
    ['', 'unknown'],
  ])('counts vessels of kind %s as %s', (vsslKndCd, traffic) => {
    expect(only(parse({ events: [eventItem(EVENTS, { vsslKndCd })] }).records).traffic).toBe(traffic);
  });
});

describe('a call without a departure', () => {
  it('is closed at its last event after seven days of silence, and counted', () => {
    const shifted = EVENTS.map((row) => ({
      ...row,
      cntrlOpertDt: row.cntrlOpertDt?.replace('2026-03', '2026-02') ?? '',
    }));
    const { records, refusals } = parse({ events: [eventItem(shifted, { aprtfEtryptDt: '' })] });
    expect(only(records).atdAt).toBe(at('2026-02-09T07:10'));
    expect(refusals).toEqual(['no-departure']);
  });

  it('takes the departure of the exit list', () => {
    const record = only(parse({ events: [eventItem()], exits: [declaration([entry(), exit()])] }).records);
    expect(record.atdAt).toBe(at('2026-03-10T18:00'));
  });
});

describe('declarations', () => {
  it('join the events of the same authority, year, number and call sign', () => {
    const events = [eventItem(EVENTS, { prtAgCd: '622', prtAgNm: '부산', vsslSatmntAgCd: '020' })];
    expect(only(parse({ events, entries: [declaration()] }).records).callId).toBe('020-2026-005-D7XX');
  });

  it('join the events of the same call sign that entered within the hour', () => {
    const events = [eventItem(EVENTS, { etryptCo: '777' })];
    expect(only(parse({ events, entries: [declaration()] }).records).callId).toBe('020-2026-005-D7XX');
    const late = [declaration([entry({ etryptDt: '2026-03-08T06:31:00+09:00' })])];
    expect(parse({ events, entries: late }).records).toHaveLength(2);
  });

  it('alone give an arrival without a wait', () => {
    const record = only(parse({ entries: [declaration()] }).records);
    expect(record).toMatchObject({ ataAt: at('2026-03-08T05:30'), waitKnown: false });
    expect(record.stops).toEqual([{ zone: 'anchorage', place: 'WAN-03', ataAt: at('2026-03-08T05:30') }]);
  });

  it('count only when they are final', () => {
    expect(
      parse({ entries: [declaration([entry({ reqstSeNm: '최초' }), exit({ reqstSeNm: '변경' })])] }).records,
    ).toEqual([]);
  });

  it('of an exit alone close the call that is known', () => {
    const earlier = parse({ events: [eventItem()] }).batch;
    const later = parse({ exits: [declaration([exit({ tkoffDt: '2026-03-10T20:00:00+09:00' })])] }).batch;
    const { ledger } = applyObservation(applyObservation(openLedger(), earlier).ledger, {
      ...later,
      observedAt: FETCHED_AT + 1000,
    });
    const [call] = [...ledger.calls.values()];
    expect([call?.ataAt, call?.atdAt, call?.waitKnown, call?.legs.length]).toEqual([
      at('2026-03-08T05:30'),
      at('2026-03-10T20:00'),
      true,
      2,
    ]);
  });

  it('are refused without a call sign or a number', () => {
    expect(parse({ entries: [declaration([entry()], { clsgn: '' })] }).refusals).toEqual(['malformed']);
    expect(parse({ events: [eventItem(EVENTS, { etryptCo: 'x' })] }).refusals).toEqual(['no-call']);
  });
});

describe('fields', () => {
  const renamed = (item: Item, name: string): Item =>
    JSON.parse(JSON.stringify(item).replaceAll(`"${name}"`, '"other"'));

  it.each([
    ...['clsgn', 'aprtfEtryptDt', 'vsslKndCd', 'cntrlNm', 'cntrlOpertDt', 'commCo', 'fcltyCd'].map(
      (name) => ['events', name] as const,
    ),
    ...['etryptCo', 'reqstSeNm', 'etryndNm', 'etryptDt', 'laidupFcltyCd', 'tkoffDt'].map(
      (name) => ['exits', name] as const,
    ),
  ])('of %s are all there: without %s the reply is refused', (list, name) => {
    const item = list === 'events' ? eventItem() : declaration([entry(), exit()]);
    expect(refusalOf(() => parse({ [list]: [renamed(item, name)] }))).toBe('missing-field');
  });

  it.each([
    [
      {
        events: [
          eventItem(
            [...EVENTS, event(5, '출항', '2026-03-10T02:00')].map((row) => ({ ...row, commCo: '1,5' })),
          ),
        ],
      },
    ],
    [{ events: [eventItem(), eventItem(EVENTS, { vsslKndCd: '41.0', etryptCo: '006' })] }],
    [
      {
        events: [eventItem(), eventItem([{ ...EVENTS[0], cntrlOpertDt: '' } as Fields], { etryptCo: '006' })],
      },
    ],
    [{ entries: [declaration(), declaration([entry({ etryndNm: 'IN' })], { etryptCo: '006' })] }],
    [{ entries: [declaration(), declaration([entry({ reqstSeNm: 'FINAL' })], { etryptCo: '006' })] }],
  ])('are read whole or refused, and counted with their list: case %#', (lists) => {
    const { refusals, counts } = parse(lists);
    expect(new Set(refusals)).toEqual(new Set(['malformed']));
    expect(counts.reduce((sum, { refused }) => sum + refused, 0)).toBe(1);
  });

  it('that are there twice refuse the call', () => {
    const files = busan({ events: [eventItem(), eventItem(EVENTS, { etryptCo: '006' })] });
    const text = Buffer.from(files.get('events-020-0-1.xml') ?? []).toString();
    files.set('events-020-0-1.xml', Buffer.from(text.replace('<clsgn>', '<clsgn>D7YY</clsgn><clsgn>')));
    const { lists } = parsePortMis({ fetchedAt: FETCHED_AT, files });
    expect(lists).toContainEqual({ list: 'events', port: 'KRPUS', rows: 2, refused: 1 });
  });
});

describe('a fetch', () => {
  it('trusts the name of an authority above its code', () => {
    const files = busan({});
    files.set(
      'entries-700-0-1.xml',
      Buffer.from(pageText([declaration([entry()], { prtAgCd: '810', prtAgNm: '포항' })])),
    );
    const { observations } = parsePortMis({ fetchedAt: FETCHED_AT, files });
    expect(
      observations.map((report) => [
        (report as CallsObservation).port,
        (report as CallsObservation).records.length,
      ]),
    ).toEqual([
      ['KRKPO', 1],
      ['KRPUS', 0],
    ]);
  });

  it('gives no batch for a port whose authority has no reply, and names it', () => {
    const files = busan({ events: [eventItem()] });
    files.set('events-820-0-1.xml', Buffer.from(gatewayError('99')));
    files.set('request.json', Buffer.from(REQUEST.replace('[]', '["030"]')));
    const { observations, refusals } = parsePortMis({ fetchedAt: FETCHED_AT, files });
    expect(observations.map((report) => (report as CallsObservation).port)).toEqual(['KRPUS']);
    expect(refusals.first).toEqual([
      { reason: 'error-reply', detail: 'events-820-0-1.xml: result code 99' },
      { reason: 'no-reply', detail: 'authority 030' },
    ]);
  });

  it.each([
    ['nothing', '', undefined, 'empty'],
    ['another document', '<rss></rss>', 'events-020-0-1.xml', 'wrong-root'],
    ['an error', pageText([], 0, '11'), 'events-020-0-1.xml', 'error-reply'],
  ])('of %s is refused', (_what, text, name, reason) => {
    const files = new Map(name === undefined ? [] : [[name, Buffer.from(text)] as const]);
    expect(refusalOf(() => parsePortMis({ fetchedAt: FETCHED_AT, files }))).toBe(reason);
  });
});
