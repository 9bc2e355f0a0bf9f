/** Lies that were once believed, each sent to a service with good replies before and after it; and honest strange days, which are accepted. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '../../../core/reference/time.ts';
import { source as hongKong } from '../../../core/sources/hk-marine-department/source.ts';
import { source as tipcTaiwan } from '../../../core/sources/tipc-taiwan/source.ts';
import type { ArchivedFetch, FetchedFiles } from '../../../core/upstream/source.ts';
import { extent, longIt } from '../../builders/extent.ts';
import { hkFetches } from '../../builders/hk-polls.ts';
import { type MemoryIngest, startMemoryIngest } from '../../builders/memory-ingest.ts';
import { recordedFetches } from '../../builders/recordings.ts';
import { lieAbout, type ReplyBase } from '../../faults/lying-upstream.ts';
import { replyBases } from '../../faults/reply-bases.ts';
import { type Layout, mapFiles, type Row, xmlLayout } from '../../faults/reply-layouts.ts';
import { FETCHED_AT, inbound, kaohsiung, REQUEST } from '../../sources/tipc-taiwan/vessel-lists.ts';

type Edit = (rows: readonly Row[], layout: Layout, files: FetchedFiles) => readonly Row[];
interface NamedLie {
  readonly what: string;
  readonly outcome: 'refused' | 'held' | 'harmless';
  readonly alter: (files: FetchedFiles, base: ReplyBase) => FetchedFiles;
}

const rowsOf =
  (list: string, edit: Edit) =>
  (files: FetchedFiles, { layout }: ReplyBase): FetchedFiles =>
    layout.edit(files, list, (rows) => edit(rows, layout, files));

const isNewest = ({ time }: Row): boolean => time === '2021-06';
const inJune = (change: (value: number) => number) =>
  rowsOf('table', (rows) =>
    rows.map((row) => (isNewest(row) ? { ...row, CON_VAL_MO: String(change(Number(row.CON_VAL_MO))) } : row)),
  );

/** Each code of the newest month with the value of the code before it. */
const shiftedCodes: Edit = (rows) => {
  let before: unknown;
  return rows.map((row) => {
    if (!isNewest(row)) return row;
    const moved = { ...row, CON_VAL_MO: before ?? row.CON_VAL_MO };
    before = row.CON_VAL_MO;
    return moved;
  });
};

const exchangedEvents = (files: FetchedFiles): FetchedFiles =>
  mapFiles(files, (text) => {
    const [anchored, weighed] = ['투묘', '양묘'].map((word) => Buffer.from(word).toString('latin1'));
    return text
      .replaceAll(new RegExp(`${anchored}|${weighed}`, 'g'), (word) =>
        word === anchored ? (weighed ?? '') : (anchored ?? ''),
      )
      .replaceAll(/<cntrlSe>([78])</g, (_, code: string) => `<cntrlSe>${code === '7' ? 8 : 7}<`);
  });

function baseOf(name: string): ReplyBase {
  const base = replyBases()
    .find((candidate) => candidate.name === name)
    ?.make();
  if (base === undefined) throw new Error(`there is no base ${name}`);
  return base;
}

/** Kaohsiung with a vessel more each hour. */
function taiwanBase(): ReplyBase {
  const two = (value: number): string => String(value).padStart(2, '0');
  const ship = (_: unknown, index: number) =>
    inbound({
      VISA_NO: `AKHH1150001${two(index)}`,
      VESSEL_ENAME: `EXAMPLE ${index}`,
      SP5NM: `20260310${two(index % 20)}${two(index % 60)}`,
      ACT_PORT_DT: '',
      WHARF_CODE: '',
    });
  return {
    name: 'tipc-taiwan',
    source: tipcTaiwan,
    replies: [0, 1, 2, 3, 4, 5].map((hour) => ({
      fetchedAt: FETCHED_AT + hour * HOUR_MS,
      files: new Map([
        ...kaohsiung(Array.from({ length: 60 + hour }, ship), []),
        ['request.json', new TextEncoder().encode(REQUEST)] as const,
      ]),
    })),
    layout: xmlLayout('SHIP'),
    names: [],
    fields: {},
  };
}

/** The imports of two years up to May, then with June. */
function importBase(): ReplyBase {
  const base = baseOf('us-census-trade');
  const shortened = ({ fetchedAt, files }: ArchivedFetch, isTaken: (row: Row) => boolean): ArchivedFetch => ({
    fetchedAt,
    files: base.layout.edit(files, 'table', (rows) =>
      rows.filter((row) => String(row.time) >= '2019-06' && isTaken(row)),
    ),
  });
  const [first, ...others] = base.replies;
  if (first === undefined) throw new Error('there is no reply');
  const replies = [
    shortened(first, (row) => !isNewest(row)),
    ...others.map((reply) => shortened(reply, () => true)),
  ];
  return { ...base, replies };
}

const CASES: readonly (readonly [name: string, base: () => ReplyBase, lies: readonly NamedLie[]])[] = [
  [
    'hk-marine-department',
    () => baseOf('hk-marine-department'),
    [
      {
        what: 'all years 1970',
        outcome: 'refused',
        alter: (files) => mapFiles(files, (text) => text.replaceAll('2025', '1970')),
      },
      {
        what: 'six vessels cut from the list in port',
        outcome: 'held',
        alter: rowsOf('RP06005IXML', (rows) => rows.slice(6)),
      },
      {
        what: 'every second arrival now',
        outcome: 'refused',
        alter: rowsOf('RP05005IXML', (rows) =>
          rows.map((row, index) => (index % 2 === 1 ? { ...row, ARRIVAL_TIME: '2025/10/04 17:55' } : row)),
        ),
      },
      {
        what: 'every second departure now',
        outcome: 'held',
        alter: rowsOf('RP05505IXML', (rows) =>
          rows.map((row, index) => (index % 2 === 1 ? { ...row, ATD_TIME: '2025/10/04 17:55' } : row)),
        ),
      },
      {
        what: 'ten departures of vessels never seen',
        outcome: 'held',
        alter: rowsOf('RP05505IXML', (rows) => [
          ...rows,
          ...rows.slice(0, 10).map((row, index) => ({ ...row, CALL_SIGN: `NEVER${index}` })),
        ]),
      },
      {
        what: 'sixteen vessels in port departed',
        outcome: 'refused',
        alter: (files, base) => {
          const { layout } = base;
          let inPort: readonly Row[] = [];
          layout.edit(files, 'RP06005IXML', (rows) => {
            inPort = rows;
            return rows;
          });
          const left = inPort
            .slice(0, 16)
            .map(({ CALL_SIGN }) => ({ CALL_SIGN, ATD_TIME: '2025/10/04 17:00' }));
          return layout.edit(files, 'RP05505IXML', (rows) => [
            ...rows,
            ...left.map((row) => ({ ...rows[0], ...row })),
          ]);
        },
      },
    ],
  ],
  [
    'fintraffic-digitraffic',
    () => baseOf('fintraffic-digitraffic, Rauma eight times'),
    [
      {
        what: 'portAreaDetails empty',
        outcome: 'refused',
        alter: rowsOf('portCalls', (rows) => rows.map((row) => ({ ...row, portAreaDetails: [] }))),
      },
      {
        what: 'one call in eight at another port',
        outcome: 'held',
        alter: rowsOf('portCalls', (rows) =>
          rows.map((row, index) => (index % 8 === 0 ? { ...row, portToVisit: 'FIHEL' } : row)),
        ),
      },
    ],
  ],
  [
    'us-census-trade',
    importBase,
    [
      { what: 'a month in thousands', outcome: 'held', alter: inJune((value) => Math.round(value / 1000)) },
      { what: 'a month in cents', outcome: 'held', alter: inJune((value) => value * 100) },
      { what: 'codes shifted by one', outcome: 'held', alter: rowsOf('table', shiftedCodes) },
    ],
  ],
  [
    'portmis-korea',
    () => baseOf('portmis-korea, made-up replies'),
    [{ what: 'anchored and weighed exchanged', outcome: 'held', alter: exchangedEvents }],
  ],
  [
    'tipc-taiwan',
    taiwanBase,
    [
      {
        what: 'half of the rows twice',
        outcome: 'held',
        alter: rowsOf('IN_PORT', (rows) => rows.slice(0, rows.length / 2).flatMap((row) => [row, row])),
      },
    ],
  ],
];

/** The base whose recovery is quick. */
const QUICK = 'hk-marine-department';

describe.each(CASES)('%s', (name, makeBase, named) => {
  const base = makeBase();
  const short = { ...base, replies: base.replies.slice(-6) };
  const lies = named.map(({ what, alter }) => ({
    kind: 'named',
    what,
    alter: (files: FetchedFiles) => alter(files, base),
  }));
  const sent = (isAccepted: boolean) =>
    lieAbout({ ...short, lies }, ({ kind }) => kind === 'named', { isAccepted });

  it('changes no figure by a lie, and accepts the truth after it', async () => {
    const results = await sent(false);
    expect(results.map(({ what, outcome, afterwards }) => ({ what, outcome, afterwards }))).toEqual(
      named.map(({ what, outcome }) => ({ what, outcome, afterwards: undefined })),
    );
  });

  (name === QUICK ? it : longIt)(
    'accepts the truth within three replies after a lie that was accepted',
    async () => {
      const results = (await sent(true)).filter((_result, index) => named[index]?.outcome === 'held');
      expect(results.map(({ afterwards }) => afterwards)).toEqual(results.map(() => undefined));
    },
  );
});

const ID = 'hk-marine-department';

async function isAccepted(ingest: MemoryIngest, { fetchedAt, files }: ArchivedFetch): Promise<boolean> {
  await ingest.archive.write(ID, fetchedAt, files);
  ingest.clock.nowAt = fetchedAt + MINUTE_MS / 2;
  const { status } = await ingest.restarted()(hongKong, { ask: false });
  return status?.lastFetchAt === fetchedAt;
}

const LISTS = ['RP05005IXML', 'RP05505IXML', 'RP06005IXML'];
const layout = xmlLayout('G_SQL1');
const everyList = (files: FetchedFiles, edit: (rows: readonly Row[], list: string) => readonly Row[]) =>
  LISTS.reduce((changed, list) => layout.edit(changed, list, (rows) => edit(rows, list)), files);
const edited = (files: FetchedFiles, change: (text: string) => string): FetchedFiles =>
  mapFiles(files, (text) => change(text));

describe('a lie that is served for a day', () => {
  const polls = [...hkFetches({ seed: 5, startAt: Date.UTC(2026, 2, 1), days: 3.5 }, 60)].slice(36);
  const [good, lied, truth] = [
    polls.slice(0, 4),
    polls.slice(4, 28).filter((_, hour) => hour % extent(4, 1) === 0),
    polls.slice(28, 31),
  ];
  const ingest = startMemoryIngest({ nowAt: 0 });
  let restore: () => void;
  beforeAll(async () => {
    for (const poll of good) expect(await isAccepted(ingest, poll)).toBe(true);
    restore = ingest.save();
  });
  const hourLater = (text: string): string =>
    text.replaceAll(/(\d{4})\/(\d\d)\/(\d\d) (\d\d):(\d\d)/g, (_, y, m, d, h, min) =>
      new Date(Date.UTC(y, m - 1, d, h - 1, min))
        .toISOString()
        .slice(0, 16)
        .replaceAll('-', '/')
        .replace('T', ' '),
    );
  const exchanged = (files: FetchedFiles): FetchedFiles => {
    const textOf = (name: string): string => new TextDecoder().decode(files.get(name));
    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
    return new Map([
      ...files,
      ['RP05005i.XML', bytes(textOf('RP06005i.XML').replaceAll('RP06005I', 'RP05005I'))],
      ['RP06005i.XML', bytes(textOf('RP05005i.XML').replaceAll('RP05005I', 'RP06005I'))],
    ]);
  };

  it.each<[string, (files: FetchedFiles) => FetchedFiles]>([
    ['empty lists', (files) => everyList(files, () => [])],
    ["yesterday's file", () => polls[0]?.files ?? new Map()],
    [
      "another port's lists",
      (files) => edited(files, (text) => text.replaceAll('<CALL_SIGN>', '<CALL_SIGN>Z')),
    ],
    ['times one hour off', (files) => edited(files, hourLater)],
    ['lists exchanged', exchanged],
  ])('does not win: %s', async (_, alter) => {
    restore();
    for (const poll of lied)
      expect(await isAccepted(ingest, { ...poll, files: alter(poll.files) })).toBe(false);
    const verdicts: boolean[] = [];
    for (const poll of truth) verdicts.push(await isAccepted(ingest, poll));
    expect(verdicts.at(-1)).toBe(true);
  });
});

describe('an honest strange day of Hong Kong', () => {
  const polls = recordedFetches(ID, '202510');
  const signsIn = (fetch: ArchivedFetch | undefined): Set<string> => {
    const signs = new Set<string>();
    everyList(fetch?.files ?? new Map(), (rows) => {
      for (const { CALL_SIGN } of rows) signs.add(String(CALL_SIGN));
      return rows;
    });
    return signs;
  };
  const known = signsIn(polls[0]);
  const isNew = ({ CALL_SIGN }: Row): boolean => !known.has(String(CALL_SIGN));
  const isOdd = ({ CALL_SIGN }: Row): boolean => (String(CALL_SIGN).charCodeAt(3) || 0) % 2 === 1;

  it.each<[string, (rows: readonly Row[], list: string) => readonly Row[]]>([
    [
      'a holiday: half of the vessels do not come',
      (rows) => rows.filter((row) => !(isNew(row) && isOdd(row))),
    ],
    [
      'after a storm: twice as many come',
      (rows) =>
        rows.flatMap((row) =>
          isNew(row) ? [row, { ...row, CALL_SIGN: `${String(row.CALL_SIGN).trim()}9`, IMO_NO: '' }] : [row],
        ),
    ],
    [
      'a new terminal, where all that come berth',
      (rows) =>
        rows.map((row) =>
          isNew(row) && row.CURRENT_LOCATION !== undefined
            ? { ...row, CURRENT_LOCATION: 'TSEUNG KWAN O CONTAINER TERMINAL' }
            : row,
        ),
    ],
    ['a new field in every row', (rows) => rows.map((row) => ({ ...row, VOYAGE_NO: '0042W' }))],
  ])('%s', async (_, edit) => {
    const ingest = startMemoryIngest({ nowAt: 0 });
    const verdicts: boolean[] = [];
    for (const poll of polls.filter((_poll, index) => index % extent(8, 4) === 0))
      verdicts.push(await isAccepted(ingest, { ...poll, files: everyList(poll.files, edit) }));
    expect(verdicts).toEqual(verdicts.map(() => true));
    expect(verdicts.length).toBeGreaterThan(extent(6, 12));
  });
});
