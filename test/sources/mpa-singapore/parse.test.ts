/** What becomes of arrivals, departures and movements: stays, waits that are known or not, and reasons to refuse. */
import { describe, expect, it } from '@jest/globals';
import type { CallsObservation } from '../../../core/calls/observation.ts';
import { openLedger } from '../../../core/calls/port-call.ts';
import { applyObservation } from '../../../core/calls/reconstruct.ts';
import { parseSingapore } from '../../../core/sources/mpa-singapore/parse.ts';
import { filesOf, only, reasonsOf, refusalOf } from '../../builders/source-replies.ts';
import { arrival, declaration, departure, FETCHED_AT, MOVEMENTS, movement } from './replies.ts';

const at = (text: string): number => Date.parse(`${text}:00+08:00`);

function parse(texts: Readonly<Record<string, unknown>>, fetchedAt = FETCHED_AT) {
  const { observations, refusals, notices, lists } = parseSingapore({
    fetchedAt,
    files: filesOf({ 'arrivals-2026-03-09.json': [arrival()], ...texts }),
  });
  const batch = observations[0] as CallsObservation;
  return { batch, records: batch.records, refusals: reasonsOf({ refusals }), notices, counts: lists };
}

const withMovements = (rows: readonly unknown[], more: Readonly<Record<string, unknown>> = {}) =>
  parse({ 'movements-9301237.json': rows, ...more });

describe('a call', () => {
  it('has the stays that its movements state, and the wait at the anchorage', () => {
    const { records, refusals, notices } = withMovements(MOVEMENTS);
    expect(only(records)).toEqual({
      callId: 'imo:9301237-2026-03-08T22:00',
      vesselId: 'imo:9301237',
      traffic: 'cargo',
      recordedAt: FETCHED_AT,
      stops: [
        {
          zone: 'anchorage',
          place: 'EASTERN ANCHORAGE',
          ataAt: at('2026-03-09T06:10'),
          atdAt: at('2026-03-09T20:00'),
        },
        { zone: 'berth', place: 'PASIR PANJANG P12', ataAt: at('2026-03-09T21:15') },
      ],
      ataAt: at('2026-03-09T06:00'),
      keepsEarlier: 'log',
    });
    expect([refusals, notices]).toEqual([[], []]);
  });

  it('is closed by the first departure of its vessel', () => {
    const { records } = parse({ 'departures-2026-03-10.json': [departure()] });
    expect(only(records).atdAt).toBe(at('2026-03-10T18:30'));
  });

  it('is not closed by an earlier departure, nor by one after the next arrival', () => {
    const { records } = parse({
      'arrivals-2026-03-10.json': [arrival({ arrivedTime: '2026-03-10 08:00:00' })],
      'departures-2026-03-10.json': [departure(), departure({ departedTime: '2026-03-08 01:00:00' })],
    });
    expect(records.map(({ atdAt }) => atdAt)).toEqual([undefined, at('2026-03-10T18:30')]);
  });

  it('keeps its stays while the vessel awaits its turn', () => {
    const first = withMovements(MOVEMENTS).batch;
    const second = parse({}, FETCHED_AT + 3_600_000).batch;
    const { ledger } = applyObservation(applyObservation(openLedger(), first).ledger, second);
    const [call] = [...ledger.calls.values()];
    expect(call?.legs.map(({ zone }) => zone)).toEqual(['anchorage', 'berth']);
    expect(call?.waitKnown).toBe(true);
  });

  it('is known by its call sign where the IMO number is missing or wrong, and then serves the port', () => {
    for (const imoNumber of [null, '', '9301234', 'ABC']) {
      const record = only(parse({ 'arrivals-2026-03-09.json': [arrival({}, { imoNumber })] }).records);
      expect([record.vesselId, record.traffic]).toEqual(['call-sign:9VXX1', 'ferry']);
    }
  });

  it('of a small vessel, and one for bunkers alone, counts in no wait', () => {
    for (const imoNumber of ['0009301237', 9301237]) {
      const small = [{ vesselParticulars: { imoNumber, grossTonnage: '499' } }];
      expect(only(parse({ 'vessels.json': small }).records).traffic).toBe('ferry');
    }
    const purposes = (purpose: string) =>
      only(parse({ 'declarations-2026-03-09.json': [declaration({ purpose })] }).records).traffic;
    expect(['TAKING BUNKERS', 'CARGO OPERATIONS, TAKING BUNKERS', ''].map(purposes)).toEqual([
      'visitor',
      'cargo',
      'cargo',
    ]);
  });
});

describe('an incomplete chain makes the wait unknown', () => {
  it.each([
    ['no arrival movement near the arrival', [MOVEMENTS[1]]],
    [
      'a start from another place than the last end',
      [MOVEMENTS[0], movement('I', '2026-03-09 20:00:00', '2026-03-09 21:15:00', 'WESTERN ANCHORAGE', 'P12')],
    ],
    [
      'two arrivals in a row',
      [MOVEMENTS[0], movement('A', '2026-03-10 02:00:00', '2026-03-10 03:00:00', 'SEA', 'P12')],
    ],
  ])('%s', (_what, rows) => {
    const { records, refusals } = withMovements(rows);
    expect(only(records).waitKnown).toBe(false);
    expect(refusals).toEqual(['incomplete-chain']);
  });
});

describe('movements', () => {
  it('that end in the future or state no time are left out', () => {
    const rows = [
      ...MOVEMENTS,
      movement('D', '2026-03-11 01:00:00', '2026-03-11 03:00:00', 'P12', 'SEA'),
      movement('I', null, null, 'P12', 'P13'),
    ];
    expect(only(withMovements(rows).records).stops).toHaveLength(2);
  });

  it('with one time of two take no time', () => {
    const rows = [MOVEMENTS[0], movement('I', '2026-03-09 20:00:00', null, 'EASTERN ANCHORAGE', 'P12')];
    expect(only(withMovements(rows).records).stops[1]).toMatchObject({
      zone: 'berth',
      ataAt: at('2026-03-09T20:00'),
    });
  });

  it('to an unknown place are not berthings, make the wait unknown and are counted', () => {
    const rows = [
      MOVEMENTS[0],
      movement('I', '2026-03-09 20:00:00', '2026-03-09 21:15:00', 'EASTERN ANCHORAGE', 'SHELL BUKOM'),
      movement('I', '2026-03-10 08:00:00', '2026-03-10 09:00:00', 'SHELL BUKOM', 'JURONG PORT WHARF'),
    ];
    const { records, notices, refusals } = withMovements(rows);
    expect(only(records).stops.map(({ zone, place }) => [zone, place])).toEqual([
      ['anchorage', 'EASTERN ANCHORAGE'],
      ['moving', 'SHELL BUKOM'],
      ['berth', 'JURONG PORT WHARF'],
    ]);
    expect(only(records).waitKnown).toBe(false);
    expect(notices).toEqual([{ reason: 'unknown-place', detail: '"SHELL BUKOM" in 1 stay' }]);
    expect(refusals).toEqual([]);
  });

  it('to an unknown place after the first berth leave the wait known', () => {
    const rows = [
      ...MOVEMENTS,
      movement('I', '2026-03-10 08:00:00', '2026-03-10 09:00:00', 'PASIR PANJANG P12', 'SHELL BUKOM'),
    ];
    const { records, notices } = withMovements(rows);
    expect(only(records).waitKnown).toBeUndefined();
    expect(notices).toHaveLength(1);
  });

  it('that cannot be read leave the call without them, and are counted', () => {
    const { records, refusals } = parse({ 'movements-9301237.json': { message: 'error' } });
    expect([only(records).stops, refusals]).toEqual([[], ['malformed']]);
  });
});

describe('fields', () => {
  const small = { vesselParticulars: { imoNumber: '9301237', grossTonnage: '499' } };
  const lists = {
    'arrivals-2026-03-09.json': [arrival()],
    'departures-2026-03-10.json': [departure()],
    'declarations-2026-03-09.json': [declaration()],
    'movements-9301237.json': MOVEMENTS,
    'vessels.json': [small],
  };

  it.each([
    ['arrivals-2026-03-09.json', ['vesselParticulars', 'arrivedTime', 'imoNumber', 'callSign']],
    ['departures-2026-03-10.json', ['departedTime', 'imoNumber']],
    ['declarations-2026-03-09.json', ['reportedArrivalTime', 'purpose']],
    [
      'movements-9301237.json',
      ['movementType', 'movementStartDateTime', 'movementEndDateTime', 'locationTo'],
    ],
    ['vessels.json', ['imoNumber', 'grossTonnage']],
  ] as const)('of %s are all there: without one of %j the reply is refused', (file, names) => {
    const reasons = names.map((name) => {
      const renamed = JSON.parse(JSON.stringify(lists[file]).replaceAll(`"${name}"`, '"other"'));
      return refusalOf(() => parse({ ...lists, [file]: renamed }));
    });
    expect(new Set(reasons)).toEqual(new Set(['missing-field']));
  });

  it.each(['118,524.00', '1e5', '499 t'])('with a tonnage of %s make the traffic unknown', (grossTonnage) => {
    const vessels = [{ vesselParticulars: { imoNumber: '9301237', grossTonnage } }];
    const { records, refusals, counts } = parse({ 'vessels.json': vessels });
    expect([only(records).traffic, refusals]).toEqual(['unknown', ['malformed']]);
    expect(counts).toContainEqual({ list: 'vessels', port: 'SGSIN', rows: 1, refused: 1 });
  });

  it.each([
    ['an IMO number', 'malformed', arrival({}, { imoNumber: 'IMO 9301237' })],
    ['a time', 'unreadable-time', arrival({ arrivedTime: '09-03-2026 06:00' })],
    ['a time before 2000', 'ancient-time', arrival({ arrivedTime: '1970-01-01 08:00:00' })],
    ['no time', 'malformed', arrival({ arrivedTime: '' })],
    ['a number for a time', 'malformed', { arrivedTime: 5 }],
    ['a time that does not exist', 'unreadable-time', arrival({ arrivedTime: '2026-02-30 07:45:00' })],
    ['a time to come', 'future-time', arrival({ arrivedTime: '2026-03-11 08:00:00' })],
    ['no vessel', 'no-vessel', arrival({}, { imoNumber: null, callSign: '' })],
  ])('of another form refuse the row: %s', (_what, reason, row) => {
    const { records, refusals, counts } = parse({ 'arrivals-2026-03-10.json': [row] });
    expect([records.length, refusals]).toEqual([1, [reason]]);
    expect(counts).toContainEqual({ list: 'arrivals', port: 'SGSIN', rows: 2, refused: 1 });
  });

  it.each([
    ['a day before the first list', '2026-03-07T00:00', []],
    ['earlier: a list of another month', '2026-03-06T23:59', ['outside-span']],
  ])('of an arrival %s', (_what, time, expected) => {
    const asked = { from: '2026-03-07T16:00:00Z', to: '2026-03-10T12:00:00Z', unanswered: [] };
    const row = arrival({ arrivedTime: `${time.replace('T', ' ')}:00` }, { imoNumber: '9074729' });
    const { records, refusals } = parse({ 'arrivals-2026-03-08.json': [row], 'request.json': asked });
    expect([records.length, refusals]).toEqual([2 - expected.length, expected]);
  });

  it('of another form in one movement leave the call the stays of earlier fetches', () => {
    const rows = [...MOVEMENTS, movement('I', '10/03/2026 08:00', '2026-03-10 09:00:00', 'P12', 'P13')];
    const { records, refusals } = withMovements(rows);
    expect([only(records).stops, only(records).waitKnown, refusals]).toEqual([[], undefined, ['malformed']]);
  });
});

describe('a fetch', () => {
  it.each([
    ['no list', {}, 'empty'],
    ['an error object', { 'arrivals-2026-03-09.json': { message: 'no' } }, 'malformed'],
    ['no usable arrival', { 'arrivals-2026-03-09.json': [arrival({ arrivedTime: null })] }, 'nothing-usable'],
  ])('of %s is refused', (_what, texts, reason) => {
    expect(refusalOf(() => parseSingapore({ fetchedAt: FETCHED_AT, files: filesOf(texts) }))).toBe(reason);
  });
});
