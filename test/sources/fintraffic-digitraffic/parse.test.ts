/** What is read out of Digitraffic's replies, and what is refused. */
import { describe, expect, it } from '@jest/globals';
import { openLedger } from '../../../core/calls/port-call.ts';
import { applyObservation } from '../../../core/calls/reconstruct.ts';
import { source as fintrafficDigitraffic } from '../../../core/sources/fintraffic-digitraffic/source.ts';
import { reasonsOf, refusalOf } from '../../builders/source-replies.ts';
import { area, batchOf, call, envelope, FETCHED_AT, parseCalls, parseFiles, visit } from './port-calls.ts';

const at = (text: string): number => Date.parse(text);
const stopsOf = (...areas: unknown[]) =>
  batchOf(parseCalls(call({ portAreaDetails: areas }))).records[0]?.stops;
const refusal = (contents: Record<string, unknown>) => refusalOf(() => parseFiles(contents));

describe('a call', () => {
  it('keeps its areas in any order, each with the times that were stated', () => {
    const quay = area({ ata: '2026-03-09T10:00:00Z', atd: null });
    const roads = area({
      portAreaCode: 'ANK',
      portAreaName: 'Ankkurissa',
      berthCode: 'MUU',
      berthName: 'Ei tiedossa',
      ata: '2026-03-09T02:00:00Z',
      atd: '2026-03-09T09:30:00Z',
    });
    expect(stopsOf(quay, roads)).toEqual([
      { zone: 'berth', place: 'BF/BF3', ataAt: at('2026-03-09T10:00:00Z') },
      {
        zone: 'anchorage',
        place: 'ANK',
        ataAt: at('2026-03-09T02:00:00Z'),
        atdAt: at('2026-03-09T09:30:00Z'),
      },
    ]);
  });

  it('may have left without ever having arrived', () => {
    expect(stopsOf(area({ atd: '2026-03-10T11:10:00Z' }))).toEqual([
      { zone: 'berth', place: 'BF/BF3', atdAt: at('2026-03-10T11:10:00Z') },
    ]);
  });

  it('reads the times of v0 and v1 alike', () => {
    expect(stopsOf(area({ ata: '2026-03-09T10:00:00.000+0000' }))).toEqual(
      stopsOf(area({ ata: '2026-03-09T10:00:00Z' })),
    );
  });

  it('takes a single space for nothing', () => {
    const blank = area({ portAreaCode: ' ', portAreaName: ' ', berthCode: ' ', berthName: ' ', ata: ' ' });
    expect(stopsOf(blank)).toEqual([{ zone: 'moving', place: '' }]);
  });

  it.each([
    ['a ferry', 20, 'ferry'],
    ['a passenger vessel', 10, 'ferry'],
    ['a tug', 91, 'ferry'],
    ['a ro-ro', 40, 'cargo'],
    ['a barge', 93, 'cargo'],
    ['an unnamed type', null, 'unknown'],
  ])('of %s counts as %j traffic: %s', (_name, vesselTypeCode, traffic) => {
    expect(batchOf(parseCalls(call({ vesselTypeCode }))).records[0]?.traffic).toBe(traffic);
  });

  it.each([
    [{ imoLloyds: 9307384 }, 'imo:9307384'],
    [{ imoLloyds: 0 }, 'mmsi:244912000'],
    [{ imoLloyds: null, mmsi: 0 }, 'name:TRICA'],
  ])('names its vessel by the best number of %j', (fields, vesselId) => {
    expect(batchOf(parseCalls(call(fields))).records[0]?.vesselId).toBe(vesselId);
  });

  it('without any name of a vessel is left out', () => {
    const parsed = parseCalls(call({ imoLloyds: 0, mmsi: 0, vesselName: ' ' }), call({ portCallId: 2 }));
    expect(reasonsOf(parsed)).toEqual(['no-vessel']);
    expect(batchOf(parsed).records).toHaveLength(1);
  });
});

describe('places', () => {
  it.each([
    ['ANK', 'ANKKURISSA', 'HAV', 'HAVOURI', 'anchorage'],
    ['12', 'Ankkurissa', 'NO', 'Ei tiedossa', 'anchorage'],
    ['AN1', 'Inner Anchor place', 'IN1', 'Sisäankkurissa', 'anchorage'],
    ['MUU', 'Ei tiedossa', 'RED', 'Redi', 'anchorage'],
    ['MUU', 'Ei tiedossa', 'MUU', 'Ei tiedossa', 'moving'],
    ['MUU', 'Ei Tiedossa', 'unknow', 'Ei tiedossa', 'moving'],
    [null, null, null, null, 'moving'],
    ['BG', 'Petäjäs, Konttilaituri', 'KL1', 'Konttilaituri 1', 'berth'],
    ['MUU', 'Ei tiedossa', 'BF3', 'Ro-Ro 5', 'berth'],
    ['KAN', 'KANTASATAMA', 'MUU', 'Ei tiedossa', 'berth'],
  ])('%j %j %j %j is %s', (portAreaCode, portAreaName, berthCode, berthName, zone) => {
    const stops = stopsOf(area({ portAreaCode, portAreaName, berthCode, berthName }));
    expect(stops?.[0]?.zone).toBe(zone);
  });
});

describe('sense of times', () => {
  it('drops a time from the future and keeps the rest', () => {
    const parsed = parseCalls(
      call({ portAreaDetails: [area({ ata: '2026-03-10T02:00:00Z', atd: '2199-01-01T00:00:00Z' })] }),
    );
    expect(reasonsOf(parsed)).toEqual(['future-time']);
    expect(batchOf(parsed).records[0]?.stops[0]).toMatchObject({ ataAt: at('2026-03-10T02:00:00Z') });
    expect(batchOf(parsed).records[0]?.stops[0]?.atdAt).toBeUndefined();
  });

  it.each([
    ['1926-03-10T02:00:00Z', 'ancient-time'],
    ['10.3.2026 02:00', 'unreadable-time'],
    ['2026-02-30T02:00:00Z', 'unreadable-time'],
  ])('drops %s as %s', (ata, reason) => {
    expect(reasonsOf(parseCalls(call({ portAreaDetails: [area({ ata })] })))).toEqual([reason]);
  });

  it('takes a departure before the arrival for not stated', () => {
    const turned = area({ ata: '2026-03-10T04:00:00Z', atd: '2026-03-10T02:00:00Z' });
    const parsed = parseCalls(call({ portAreaDetails: [turned] }));
    expect(reasonsOf(parsed)).toEqual(['impossible-order']);
    expect(batchOf(parsed).records[0]?.stops).toMatchObject([{ ataAt: at('2026-03-10T04:00:00Z') }]);
    expect(batchOf(parsed).records[0]?.stops[0]).not.toHaveProperty('atdAt');
  });

  it.each(['2199-01-01T00:00:00Z', '1970-01-01T00:00:00Z', 'yesterday', null])(
    'never refuses a record for its change stamp %j',
    (portCallTimestamp) => {
      const parsed = parseCalls(call({ portCallTimestamp }));
      expect(parsed.refusals.count).toBe(0);
      expect(batchOf(parsed).records[0]?.recordedAt).toBeLessThanOrEqual(parsed.asOfAt);
    },
  );

  it('does not look at plans at all', () => {
    const parsed = parseCalls(
      call({ portAreaDetails: [area({ eta: '9999', etd: '2199-01-01T00:00:00Z' })] }),
    );
    expect(parsed.refusals.count).toBe(0);
  });
});

describe('arrivals in other ports', () => {
  it('go to the batch of every port, because they end a call whose departure was never written', () => {
    const quay = [area({ ata: '2026-03-10T06:00:00Z' }), area({ ata: '2026-03-10T05:00:00Z' })];
    const parsed = parseCalls(
      call({ portAreaDetails: [area({ ata: '2026-03-09T10:00:00Z' })] }),
      call({ portCallId: 2, portToVisit: 'FIHEL', portAreaDetails: quay }),
      call({ portCallId: 3, portToVisit: 'FIHEL' }),
    );
    const arrivals = [
      { vesselId: 'imo:9307384', port: 'FIRAU', ataAt: at('2026-03-09T10:00:00Z') },
      { vesselId: 'imo:9307384', port: 'FIHEL', ataAt: at('2026-03-10T05:00:00Z') },
    ];
    expect(batchOf(parsed).arrivalsElsewhere).toEqual(arrivals);
    expect(batchOf(parsed, 'FIHEL').arrivalsElsewhere).toEqual(arrivals);
    const { ledger } = applyObservation(openLedger(), batchOf(parsed));
    expect([...ledger.calls.values()]).toMatchObject([
      { atdAt: at('2026-03-09T10:00:00Z'), atdInferred: true },
    ]);
  });
});

describe('a reply', () => {
  it('is as of the time in its envelope, of either version', () => {
    const v0 = { portCallsUpdated: '2026-03-10T12:00:00.055045Z', portCalls: [] };
    expect(parseFiles({ 'port-calls.json': v0 }).asOfAt).toBe(at('2026-03-10T12:00:00Z'));
    expect(parseFiles({ 'port-calls.json': { portCalls: [] } }).asOfAt).toBe(FETCHED_AT);
  });

  it('without a note of its request covers the last day of the ports in it', () => {
    const parsed = parseCalls(call());
    expect(parsed.observations).toHaveLength(1);
    expect(batchOf(parsed).coveredFromAt).toBe(at('2026-03-09T12:00:00Z'));
  });

  it('with a note covers every port since then, also those without an event', () => {
    const parsed = parseFiles({
      'request.json': { from: '2026-03-10T05:00:00Z' },
      'port-calls-000.json': envelope(call()),
      'port-calls-001.json': envelope(call({ portCallId: 2, portToVisit: 'FIHEL' })),
    });
    expect(parsed.observations).toHaveLength(fintrafficDigitraffic.declaration.ports.length);
    expect(batchOf(parsed, 'FIOUL')).toMatchObject({
      records: [],
      coveredFromAt: at('2026-03-10T05:00:00Z'),
    });
    expect(batchOf(parsed, 'FIHEL').records).toHaveLength(1);
  });

  it('takes the later of two records of a call, whichever file it is in', () => {
    const late = call({ portCallTimestamp: '2026-03-10T11:30:00Z', vesselTypeCode: 20 });
    for (const [first, second] of [
      [late, call()],
      [call(), late],
    ]) {
      const parsed = parseFiles({
        'port-calls-000.json': envelope(first),
        'port-calls-001.json': envelope(second),
      });
      expect(batchOf(parsed).records.map((record) => record.traffic)).toEqual(['ferry']);
    }
  });

  it.each([
    ['malformed', '[]'],
    ['nothing-usable', envelope(call({ portToVisit: 1 }))],
    ['missing-field', { portCalls: [{}, {}] }],
    ['in-the-future', { dataUpdatedTime: '2026-03-10T13:00:00Z', portCalls: [] }],
  ])('is refused as %s', (reason, content) => {
    expect(refusal({ 'port-calls.json': content })).toBe(reason);
  });

  it('is refused when one of its slices is broken, because a port would look empty', () => {
    expect(refusal({ 'port-calls-000.json': envelope(call()), 'port-calls-001.json': '<html>' })).toBe(
      'html',
    );
  });

  it('is refused when no file of calls is there', () => {
    expect(refusal({ 'request.json': { from: '2026-03-10T05:00:00Z' } })).toBe('empty');
  });
});

describe('visits of the v2 API', () => {
  const visits = (entries: unknown[], vessels: unknown = []) =>
    parseFiles({
      'request.json': { from: '2026-03-10T05:00:00Z' },
      'visits-000.json': entries,
      'vessels.json': vessels,
    });

  it('give arrival and departure, and no place', () => {
    const parsed = visits([
      visit({ ata: '2026-03-10T04:10:00Z', atd: '2026-03-10T10:00:00Z', status: 'Departed' }),
    ]);
    expect(batchOf(parsed).records).toEqual([
      {
        callId: 'V-1',
        vesselId: 'imo:9307384',
        traffic: 'unknown',
        recordedAt: at('2026-03-10T11:00:00Z'),
        stops: [],
        ataAt: at('2026-03-10T04:10:00Z'),
        atdAt: at('2026-03-10T10:00:00Z'),
        keepsEarlier: 'times',
      },
    ]);
  });

  it('know the type by the AIS register', () => {
    const trafficOf = (shipType: number) =>
      batchOf(visits([visit()], [{ imo: 9307384, shipType, mmsi: 1 }, { imo: null }, 'odd'])).records[0]
        ?.traffic;
    expect([60, 52, 70, 0].map(trafficOf)).toEqual(['ferry', 'ferry', 'cargo', 'unknown']);
  });

  it('may be cancelled', () => {
    expect(batchOf(visits([visit({ status: 'Cancelled' })])).records[0]?.cancelled).toBe(true);
  });

  it('are left out when they contradict themselves', () => {
    const turned = visit({ visitId: 'V-2', ata: '2026-03-10T04:00:00Z', atd: '2026-03-10T03:00:00Z' });
    expect(reasonsOf(visits([visit(), turned]))).toEqual(['impossible-order']);
  });
});

describe('a reply of another form', () => {
  const without = (name: string, row: object) =>
    Object.fromEntries(Object.entries(row).filter(([field]) => field !== name));

  it.each(['portToVisit', 'portAreaDetails', 'vesselTypeCode'])('without %s is refused', (name) => {
    expect(() => parseCalls(without(name, call()))).toThrow(`portCalls: none of 1 rows has ${name}`);
  });

  it.each(['portAreaCode', 'ata', 'atd'])('whose areas have no %s is refused', (name) => {
    const changed = call({ portAreaDetails: [without(name, area())] });
    expect(() => parseCalls(changed)).toThrow(`portAreaDetails: none of 1 rows has ${name}`);
  });

  it.each(['portAreaCode', 'ata', 'berthCode'])('with an area that lacks %s counts it as refused', (name) => {
    const lacking = Object.fromEntries(Object.entries(area()).filter(([key]) => key !== name));
    const { lists } = parseCalls(call({ portAreaDetails: [area(), lacking] }));
    expect(lists).toContainEqual(expect.objectContaining({ list: 'portAreaDetails', rows: 2, refused: 1 }));
  });

  it('counts calls without a port, with two, and to an unknown one as refused', () => {
    const odd = [undefined, ['FIRAU', 'FIHEL'], 'FIXXX'].map((portToVisit) => call({ portToVisit }));
    const { lists, refusals } = parseCalls(call(), ...odd);
    expect(lists).toContainEqual(expect.objectContaining({ list: 'portCalls', rows: 4, refused: 3 }));
    expect(refusals.byReason).toEqual({ malformed: 2, 'unknown-port': 1 });
  });

  it('with a field twice is refused', () => {
    const text = JSON.stringify(envelope(call())).replace('"ata":', '"ata":"2026-03-10T02:00:00Z","ata":');
    expect(refusal({ 'port-calls.json': text })).toBe('malformed');
  });

  it('of millions of empty objects is refused before it is parsed', () => {
    const text = `{"portCalls":[${'{},'.repeat(1_000_000)}{}]}`;
    expect(refusal({ 'port-calls.json': text })).toBe('too-many-rows');
  });
});
