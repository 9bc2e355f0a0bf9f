/** The calls in ANTAQ's yearly tables, their time, and what is refused. */
import { describe, expect, it } from '@jest/globals';
import { openLedger } from '../../../core/calls/ledger.ts';
import { applyReport } from '../../../core/calls/reconstruct.ts';
import { antaqBerthing } from '../../../core/sources/antaq-berthing/source.ts';
import { reasonsOf, refusalOf } from '../../builders/source-replies.ts';
import { batchOf, LATEST, parseCells, parseFiles, timesTable, yearFiles, zipped } from './yearly-tables.ts';

const at = (text: string): number => Date.parse(text);

describe('a berthing', () => {
  it('is a wait in the anchorage and a stay at its berth, by the clock of the port', () => {
    expect(batchOf(parseCells({})).records).toEqual([
      {
        callId: '1',
        vesselId: 'imo:9123456',
        traffic: 'cargo',
        recordedAt: at('2026-01-01T03:00:00Z'),
        listedAt: at('2025-12-13T23:00:00Z'),
        stops: [
          {
            zone: 'anchorage',
            place: 'anchorage',
            ataAt: at('2025-12-01T09:00:00Z'),
            atdAt: at('2025-12-10T11:00:00Z'),
          },
          {
            zone: 'berth',
            place: 'PNG0212',
            ataAt: at('2025-12-10T11:00:00Z'),
            atdAt: at('2025-12-13T23:00:00Z'),
          },
        ],
        ataAt: at('2025-12-01T09:00:00Z'),
        atdAt: at('2025-12-13T23:00:00Z'),
      },
    ]);
  });

  it('that went straight in has no wait', () => {
    const [record] = batchOf(parseCells({ 'Data Chegada': '10/12/2025 08:00:00', wait: '0' })).records;
    expect(record?.stops.map((stop) => stop.zone)).toEqual(['berth']);
  });

  it('that shifts from berth to berth is one call', () => {
    const shift = {
      IDAtracacao: '2',
      IDBerco: 'PNG0213',
      'Data Atracação': '13/12/2025 22:00:00',
      'Data Desatracação': '15/12/2025 22:00:00',
      wait: '304',
    };
    const { records } = batchOf(parseCells(shift, {}));
    expect(records.map((record) => record.callId)).toEqual(['1']);
    expect(records[0]?.stops.map((stop) => stop.place)).toEqual(['anchorage', 'PNG0212', 'PNG0213']);
    expect(records[0]?.atdAt).toBe(at('2025-12-16T01:00:00Z'));
  });

  it('after the vessel has left is another call', () => {
    const again = {
      IDAtracacao: '2',
      'Data Chegada': '20/12/2025 00:00:00',
      'Data Atracação': '20/12/2025 06:00:00',
      'Data Desatracação': '21/12/2025 06:00:00',
      wait: '6',
    };
    expect(batchOf(parseCells({}, again)).records.map((record) => record.callId)).toEqual(['1', '2']);
  });

  it('in summer time is an hour earlier', () => {
    const summer = {
      'Data Chegada': '01/12/2018 06:00:00',
      'Data Atracação': '01/12/2018 06:00:00',
      'Data Desatracação': '02/12/2018 06:00:00',
      wait: '0',
    };
    const parsed = parseFiles([...yearFiles(2018, summer), ...yearFiles(2026, LATEST)]);
    expect(batchOf(parsed).records[0]?.ataAt).toBe(at('2018-12-01T08:00:00Z'));
  });

  it('of another operation than cargo does not count in the queue', () => {
    const trafficOf = (operation: string) =>
      batchOf(parseCells({ 'Tipo de Operação': operation, FlagMCOperacaoAtracacao: '1' })).records[0]
        ?.traffic;
    expect(['Abastecimento', 'Passageiro', 'Apoio', ''].map(trafficOf)).toEqual([
      'visitor',
      'ferry',
      'ferry',
      'unknown',
    ]);
  });

  it('that names no vessel has its wait, and is a vessel of its own', () => {
    const nameless = { 'Nº do IMO': '0', 'Nº da Capitania': '0010000000' };
    const parsed = parseCells({ ...nameless, IDAtracacao: '2' }, { ...nameless, IDAtracacao: '3' });
    expect(parsed.refusals).toEqual([]);
    const { records } = batchOf(parsed);
    expect(records.map(({ vesselId }) => vesselId)).toEqual(['berthing:2', 'berthing:3']);
    expect(records.map(({ stops }) => stops[0]?.zone)).toEqual(['anchorage', 'anchorage']);
  });

  it.each([
    [{ 'Nº do IMO': '9123456' }, 'imo:9123456'],
    [{ 'Nº do IMO': '', 'Nº da Capitania': '4410ab' }, 'capitania:4410AB'],
    [{ 'Nº do IMO': '0', 'Nº da Capitania': '0010000000' }, 'berthing:1'],
    [{ 'Nº do IMO': '', 'Nº da Capitania': '' }, 'berthing:1'],
  ])('names its vessel by %j', (cells, vesselId) => {
    expect(batchOf(parseCells(cells)).records[0]?.vesselId).toBe(vesselId);
  });

  it('in Vila do Conde is under the code that UNECE gives it', () => {
    expect(batchOf(parseCells({ CDTUP: 'BRVDC' }), 'BRVLC').records).toHaveLength(1);
  });

  it('at a private terminal is left out', () => {
    const parsed = parseCells({}, { IDAtracacao: '2', CDTUP: 'BRSP008' });
    expect(parsed.refusals).toEqual([]);
    expect(parsed.reports.flatMap((r) => (r.kind === 'call-batch' ? r.records : []))).toHaveLength(1);
  });

  it.each([
    ['discrepant-wait', { wait: 'Valor Discrepante' }],
    ['contradiction', { wait: '12,5' }],
    ['impossible-order', { 'Data Chegada': '11/12/2025 06:00:00', wait: '' }],
    ['impossible-order', { 'Data Desatracação': '09/12/2025 06:00:00' }],
    ['future-time', { 'Data Desatracação': '09/12/2031 06:00:00' }],
    // A slip that the fuzz made; the stated wait, which would contradict it, is blank.
    ['ancient-time', { 'Data Chegada': '01/12/1613 06:00:00', wait: '' }],
    ['no-time', { 'Data Chegada': '' }],
    ['no-time', { 'Data Atracação': '2025-12-10 08:00:00' }],
    ['no-time', { 'Data Desatracação': '31/02/2026 08:00:00' }],
    ['malformed', { IDAtracacao: 'x' }],
  ])('is left out as %s when it has %j', (reason, cells) => {
    const parsed = parseCells({ IDAtracacao: '2', 'Nº do IMO': '9000001' }, { IDAtracacao: '3', ...cells });
    expect(reasonsOf(parsed)).toEqual([reason]);
    expect(batchOf(parsed).records.map((record) => record.callId)).toEqual(['2']);
  });

  it('may state a wait an hour off, and none at all', () => {
    expect(parseCells({ wait: '219,4' }).refusals).toEqual([]);
    expect(parseCells({ wait: '' }).refusals).toEqual([]);
  });

  it('in two years counts once, as in the later year', () => {
    const parsed = parseFiles([
      ...yearFiles(2025, { IDBerco: 'OLD' }),
      ...yearFiles(2026, { IDBerco: 'NEW' }, LATEST),
    ]);
    expect(batchOf(parsed).records.map((record) => record.stops.at(-1)?.place)).toEqual(['NEW']);
  });
});

describe('a revised year', () => {
  it('is complete from its first day to its last, so that a berthing which is gone from it is withdrawn', () => {
    const before = batchOf(parseCells({}, { IDAtracacao: '2', 'Nº do IMO': '9000001' }));
    expect(before.complete).toEqual({
      fromAt: at('2025-01-01T03:00:00Z'),
      toAt: at('2027-01-01T03:00:00Z'),
      recordedAt: at('2026-01-01T03:00:00Z'),
      unreadable: [],
    });
    const known = applyReport(openLedger(), before).ledger;
    const revised = applyReport(known, batchOf(parseCells({})));
    expect(revised.removed.map(({ callId }) => callId)).toEqual(['2']);
    expect(revised.notices).toEqual([{ reason: 'withdrawn-call', detail: 'BRPNG 2' }]);
  });

  it('leaves a call over New Year as it is when the year of its first berth is no longer fetched', () => {
    const overNewYear = { 'Data Chegada': '20/12/2024 00:00:00' };
    const first = { ...overNewYear, 'Data Atracação': '21/12/2024 00:00:00', wait: '24' };
    const second = { ...overNewYear, IDAtracacao: '2', 'Data Atracação': '30/12/2024 00:00:00', wait: '240' };
    const of2024 = yearFiles(2024, { ...first, 'Data Desatracação': '30/12/2024 00:00:00' });
    const of2025 = yearFiles(2025, { ...second, 'Data Desatracação': '02/01/2025 00:00:00' });
    const before = applyReport(
      openLedger(),
      batchOf(parseFiles([...of2024, ...of2025, ...yearFiles(2026, LATEST)])),
    );
    const after = applyReport(before.ledger, batchOf(parseFiles([...of2025, ...yearFiles(2026, LATEST)])));
    expect(before.changed.map(({ callId, legs }) => [callId, legs.length])).toEqual([['1', 3]]);
    expect([after.changed, after.removed]).toEqual([[], []]);
  });

  it('withdraws nothing of a year whose tables are not there', () => {
    expect(
      batchOf(parseFiles([...yearFiles(2018, {}), ...yearFiles(2026, LATEST)])).complete,
    ).toBeUndefined();
    expect(batchOf(parseFiles(yearFiles(2025, {}))).complete?.toAt).toBe(at('2026-01-01T03:00:00Z'));
  });
});

describe('the day of the tables', () => {
  it('lies 30 days before the newest unberthing, and coverage begins 30 days into the earliest year', () => {
    const parsed = parseCells({});
    expect(parsed.asOfAt).toBe(at('2026-01-01T03:00:00Z'));
    expect(batchOf(parsed)).toMatchObject({
      observedAt: at('2026-01-01T03:00:00Z'),
      coveredFromAt: at('2025-01-31T03:00:00Z'),
    });
  });

  it('leaves out later events: waiting vessels still wait, and later arrivals have not arrived', () => {
    const waiting = {
      'Data Chegada': '25/12/2025 00:00:00',
      'Data Atracação': '05/01/2026 00:00:00',
      'Data Desatracação': '08/01/2026 00:00:00',
      wait: '264',
    };
    const { records } = batchOf(parseCells(waiting));
    expect(records[0]?.stops).toEqual([
      { zone: 'anchorage', place: 'anchorage', ataAt: at('2025-12-25T03:00:00Z') },
    ]);
    expect(records[0]?.atdAt).toBeUndefined();
    expect(batchOf(parseCells({}), 'BRSSZ').records).toEqual([]);
  });

  it('is not moved by one mistyped date in a thousand', () => {
    const usual = Array.from({ length: 1_000 }, (_, i) => ({
      IDAtracacao: String(i + 1),
      'Nº do IMO': String(9_000_000 + i),
    }));
    const slip = { IDAtracacao: '5000', 'Data Desatracação': '01/03/2026 00:00:00' };
    expect(parseFiles(yearFiles(2025, ...usual, slip)).asOfAt).toBe(at('2025-11-13T23:00:00Z'));
  });

  it('says of every port that it is covered, also of those without a call', () => {
    expect(parseCells({}).reports).toHaveLength(antaqBerthing.declaration.ports.length);
  });
});

describe('a reply', () => {
  const good = yearFiles(2026, LATEST, {});
  const withTable = (text: string | Uint8Array): [string, Uint8Array][] => [
    ['2025Atracacao.zip', zipped({ '2025Atracacao.txt': text })],
    ['2025TemposAtracacao.zip', zipped({ '2025TemposAtracacao.txt': timesTable([]) })],
    ...good,
  ];

  it.each<[string, [string, Uint8Array][]]>([
    ['empty', []],
    ['empty', [['2025Atracacao.zip', zipped({ 'leia-me.txt': 'x' })]]],
    ['malformed', withTable('IDAtracacao;CDTUP\r\n1;BRPNG\r\n')],
    ['encoding', withTable(new Uint8Array([0x49, 0xe7, 0xe3, 0x6f]))],
    ['incomplete', good.slice(0, 1)],
    ['nothing-usable', yearFiles(2026, { CDTUP: 'BRSP008' })],
    ['nothing-usable', yearFiles(2026, { wait: 'Valor Discrepante' })],
  ])('is refused as %s', (reason, files) => {
    expect(refusalOf(() => parseFiles(files))).toBe(reason);
  });

  it('that claims to inflate beyond reason is not inflated', () => {
    const bomb = zipped({ '2025Atracacao.txt': 'x'.repeat(1_000) });
    const view = new DataView(bomb.buffer, bomb.byteOffset);
    for (let i = 0; i < bomb.length - 4; i += 1) {
      // The central directory's record of the member; 24 bytes on stands its inflated size.
      if (view.getUint32(i, true) === 0x02014b50) view.setUint32(i + 24, 4_000_000_000, true);
    }
    expect(refusalOf(() => parseFiles([['2025Atracacao.zip', bomb]]))).toBe('too-large');
  });
});
