/** What is read of a table of calls, row by row, and what is said of rows that cannot be. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countRows, localTimes, partsOf, readCallTable } from '../../../core/sources/call-tables/table.ts';

const HEADER = 'port,call,vessel,imo,vessel_type,gross_tonnage,length_m,arrived,place,kind,start,end';
const nowAt = Date.parse('2026-11-01T00:00:00Z');
const read = (text: string, timeZone?: string) => readCallTable(Buffer.from(text), { timeZone, nowAt });
const readRows = (...rows: string[]) => read([HEADER, ...rows].join('\n'), 'Europe/Madrid');
const faultsOf = async (...rows: string[]) => (await readRows(...rows)).faults;

const ROWS = [
  'ESTAR,1-7,7,9074729,container,9600,148,2019-03-01 05:00,34 ZONA II,anchorage,2019-03-01 06:00,2019-03-01 18:00',
  'ESTAR,1-7,7,9074729,container,9600,148,2019-03-01 05:00,25 CANTABRIA,berth,2019-03-01 19:30,2019-03-02 08:00',
  'ESTAR,2-9,9,,,,,,"12, CASTILLA",berth,2019-03-02 08:00,',
];

describe('a table', () => {
  it('gives calls with their stays in order, in any order of rows and columns', async () => {
    const { ports, faults, rows } = await readRows(...ROWS.toReversed());
    expect({ faults, rows }).toEqual({ faults: [], rows: 3 });
    const at = (text: string): number => Date.parse(`${text}:00Z`);
    expect(ports).toEqual([
      {
        port: 'ESTAR',
        span: { fromAt: at('2019-03-01T05:00'), toAt: at('2019-03-02T07:00') },
        stays: 3,
        calls: [
          {
            callId: '1-7',
            vesselId: 'imo:9074729',
            traffic: 'cargo',
            vesselClass: 'container',
            recordedAt: nowAt,
            ataAt: at('2019-03-01T04:00'),
            stops: [
              {
                zone: 'anchorage',
                place: '34 ZONA II',
                ataAt: at('2019-03-01T05:00'),
                atdAt: at('2019-03-01T17:00'),
              },
              {
                zone: 'berth',
                place: '25 CANTABRIA',
                ataAt: at('2019-03-01T18:30'),
                atdAt: at('2019-03-02T07:00'),
              },
            ],
          },
          {
            callId: '2-9',
            vesselId: '9',
            traffic: 'unknown',
            recordedAt: nowAt,
            ataAt: at('2019-03-02T07:00'),
            stops: [{ zone: 'berth', place: '12, CASTILLA', ataAt: at('2019-03-02T07:00') }],
          },
        ],
      },
    ]);
    const reordered = await read(
      'END,kind,nothing,call,PORT,start\n2019-03-01T18:00:00Z,berth,x,1,estar,2019-03-01T06:00Z\n',
    );
    expect(reordered.ports[0]?.calls[0]?.stops).toEqual([
      { zone: 'berth', place: '', ataAt: at('2019-03-01T06:00'), atdAt: at('2019-03-01T18:00') },
    ]);
  });

  it('counts a repeated row once', async () => {
    const { ports, rows } = await readRows(...ROWS, ...ROWS);
    expect(rows).toBe(6);
    expect(ports[0]?.calls.map(({ stops }) => stops.length)).toEqual([2, 1]);
  });

  it.each([
    [
      'port,call,kind,start\nESTAR,1,berth,2019-03-01T06:00Z',
      'the header has no end; it has port, call, kind, start',
    ],
    ['port,call,kind,start,end,start\n', 'the header has start twice'],
    ['port;call;kind;start;end\n', 'port;call;kind;start;end: separate the columns by commas'],
    ['p\0o\0r\0t\0', 'it is not UTF-8 text'],
    [`${HEADER}\n`, 'it has no row'],
    ['', 'it has no row'],
    [`${HEADER}\nESTAR,"1`, 'it cannot be read as CSV'],
  ])('is refused as a whole where its form is another: %j', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });
});

/** Cases titled by their reason. */
const byReason = <T>(cases: readonly (readonly [T, string])[]) =>
  cases.map(([changes, reason]) => [reason, changes] as const);

describe('a row that cannot be read is named by its line and reason', () => {
  const row = (changes: Partial<Record<string, string>>): string => {
    const cells = {
      port: 'ESTAR',
      call: '1',
      kind: 'berth',
      start: '2019-03-01 06:00',
      end: '2019-03-01 18:00',
    };
    const all: Record<string, string | undefined> = { ...cells, ...changes };
    return HEADER.split(',')
      .map((name) => all[name] ?? '')
      .join(',');
  };

  it.each(
    byReason<Partial<Record<string, string>>>([
      [{ port: 'TARRAGONA' }, 'port TARRAGONA is not a UN/LOCODE'],
      [{ call: '' }, 'call is empty'],
      [{ call: 'x'.repeat(129) }, 'call has 129 bytes, at most 128'],
      [{ vessel: 'M\ufffdller' }, 'vessel M\ufffdller is not UTF-8 text: save the file as CSV UTF-8'],
      [{ call: '1\u0000' }, 'call has a control character'],
      [{ place: 'x'.repeat(201) }, 'place has 201 characters, at most 200'],
      [{ kind: 'quay' }, 'kind quay is neither anchorage nor berth'],
      [
        { vessel_type: 'boat' },
        'vessel_type boat is none of container, bulk, tanker, other, cargo, visitor, passenger, service',
      ],
      [{ imo: '123' }, 'imo 123 has not seven digits'],
      [{ start: '01/03/2019 06:00' }, 'start 01/03/2019 06:00 is not a time: write 2019-03-31T01:30:00Z'],
      [
        { start: '2019-02-30 06:00' },
        'start 2019-02-30 06:00 does not exist in Europe/Madrid, or is not a date',
      ],
      [
        { start: '2019-03-31 02:30' },
        'start 2019-03-31 02:30 does not exist in Europe/Madrid, or is not a date',
      ],
      [{ start: '1999-12-31 06:00' }, 'start 1999-12-31 06:00 lies before 2000'],
      [{ end: '2027-01-01 00:00' }, 'end 2027-01-01 00:00 lies in the future: it is 2026-11-01T00:00:00Z'],
      [{ end: '2019-03-01 05:59' }, 'end 2019-03-01 05:59 lies before start 2019-03-01 06:00'],
      [{ arrived: '2019-03-01 07:00' }, 'arrived 2019-03-01 07:00 lies after the first stay of call 1'],
    ]),
  )('%s', async (reason, changes) => {
    const [fault, ...more] = await faultsOf(row({ call: '0' }), row(changes));
    expect(more).toEqual([]);
    expect(fault?.line).toBe(3);
    expect(fault?.reason.startsWith(reason)).toBe(true);
  });

  it.each(
    byReason<Partial<Record<string, string>>>([
      [{ vessel: 'B' }, 'call 1 has another vessel in line 2'],
      [{ vessel_type: 'bulk' }, 'call 1 has another vessel_type in line 2'],
      [{ arrived: '2019-03-01 05:00' }, 'call 1 has another arrived in line 2'],
      [
        { start: '2019-03-01 17:00', end: '2019-03-01 20:00' },
        'call 1: the stay begins before that of line 2 has ended',
      ],
    ]),
  )('where it contradicts its call: %s', async (reason, changes) => {
    expect(await faultsOf(row({ vessel: 'A' }), row({ vessel: 'A', ...changes }))).toEqual([
      { line: 3, reason },
    ]);
  });

  it('where a stay without an end is followed by another', async () => {
    const later = row({ start: '2019-03-02 06:00', end: '2019-03-02 07:00' });
    expect(await faultsOf(row({ end: '' }), later)).toEqual([
      { line: 3, reason: 'call 1: the stay of line 2 has no end, and another one follows' },
    ]);
  });

  it('where it has no offset and no time zone is stated', async () => {
    const { faults } = await read([HEADER, row({})].join('\n'));
    expect(faults).toEqual([
      { line: 2, reason: 'start 2019-03-01 06:00 has no offset, and no time zone is stated in --about' },
    ]);
  });
});

describe('a local time that occurs twice', () => {
  // Clocks of Madrid show 02:00 to 03:00 twice on 27 October 2019: at 00:00Z and at 01:00Z.
  const stays = async (...rows: [start: string, end: string][]) => {
    const table = await readRows(
      ...rows.map(([start, end], i) => `ESTAR,1,,,,,,,B${i},berth,2019-10-27 ${start},2019-10-27 ${end}`),
    );
    const times = table.ports[0]?.calls[0]?.stops.map(({ ataAt = 0, atdAt = 0 }) =>
      [ataAt, atdAt].map((at) => new Date(at).toISOString().slice(11, 16)).join(' to '),
    );
    return [table.ambiguous, ...(times ?? [])];
  };

  it('is the earlier one, where both keep the order', async () => {
    expect(await stays(['02:10', '04:00'])).toEqual([1, '00:10 to 03:00']);
  });

  it('is the later one, where only that keeps the order of the call', async () => {
    expect(await stays(['02:50', '02:12'])).toEqual([2, '00:50 to 01:12']);
    expect(await stays(['01:00', '02:30'], ['02:10', '04:00'])).toEqual([
      2,
      '23:00 to 00:30',
      '01:10 to 03:00',
    ]);
  });
});

describe('a table that is read in parts', () => {
  it('gives what it gives as a whole: calls, faults and rows of the ports of each part', async () => {
    const of = (port: string): string[] => ROWS.map((row) => row.replace('ESTAR', port));
    const lines = [
      HEADER,
      ...of('ESTAR'),
      ...of('ESBCN'),
      '',
      'esTAR,9,,,,,,,,berth,tomorrow,',
      ...of('nowhere'),
    ];
    const bytes = Buffer.from(lines.join('\n'));
    const options = { timeZone: 'Europe/Madrid', nowAt };
    const whole = await readCallTable(bytes, options);
    const counts = await countRows(bytes);
    expect([...counts]).toEqual([
      ['ESTAR', 4],
      ['ESBCN', 3],
      ['NOWHERE', 3],
    ]);
    const parts = await Promise.all(
      [['ESTAR', 'NOWHERE'], ['ESBCN']].map((ports) =>
        readCallTable(bytes, { ...options, ports: new Set(ports) }),
      ),
    );
    expect(parts.flatMap(({ ports }) => ports)).toEqual(whole.ports.toReversed());
    expect(parts.flatMap(({ faults }) => faults)).toEqual(whole.faults);
    expect(parts.reduce((sum, { rows }) => sum + rows, 0)).toBe(whole.rows);
  });

  it('has ports together up to 250,000 stays, and a larger one alone', () => {
    const counts = [
      ['A', 100_000],
      ['B', 150_000],
      ['C', 1],
      ['D', 400_000],
      ['E', 2],
    ] as const;
    expect(partsOf(counts)).toEqual([['A', 'B'], ['C'], ['D'], ['E']]);
  });
});

it('every instant is a reading of its own local time', () => {
  const zones = ['Europe/Madrid', 'Asia/Taipei', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'];
  const seconds = { min: Date.UTC(2000, 0, 1) / 1000, max: Date.UTC(2026, 11, 31) / 1000 };
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.integer(seconds), (timeZone, second) => {
      const text = new Date(second * 1000).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T');
      expect(localTimes(text, timeZone)).toContain(second * 1000);
    }),
  );
});
