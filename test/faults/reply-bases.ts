/** The real replies that lies alter: recordings, and those of an archive that the repository may not hold. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MINUTE_MS } from '../../core/reference/time.ts';
import { REQUEST_FILE, requestNote } from '../../core/sources/fintraffic-digitraffic/parse.ts';
import { source as fintrafficDigitraffic } from '../../core/sources/fintraffic-digitraffic/source.ts';
import { source as hkMarineDepartment } from '../../core/sources/hk-marine-department/source.ts';
import { source as mpaSingapore } from '../../core/sources/mpa-singapore/source.ts';
import { source as portmisKorea } from '../../core/sources/portmis-korea/source.ts';
import { source as tipcTaiwan } from '../../core/sources/tipc-taiwan/source.ts';
import { source as usCensusTrade } from '../../core/sources/us-census-trade/source.ts';
import type { ArchivedFetch, FetchedFiles, Source } from '../../core/upstream/source.ts';
import { fetchesIn, recordedFetches } from '../builders/recordings.ts';
import type { ReplyBase } from './lying-upstream.ts';
import {
  csvLayout,
  dmaBase,
  featureLayout,
  kystdatahusetBase,
  noaaBase,
  openWatersBase,
  type PositionBase,
} from './position-worlds.ts';
import { callsLayout, mapFiles, type Row, tableLayout, xmlLayout } from './reply-layouts.ts';
import { dayListLayout, koreaReplies, pageLayout, singaporeReplies } from './window-worlds.ts';

/** The declared fields by list, and those of each list that the declaration leaves out. */
function fieldsOf({ declaration }: Source, lists: Readonly<Record<string, readonly string[]>>) {
  return Object.fromEntries(
    Object.entries(lists).map(([list, others]) => {
      const declared = declaration.fields.filter((field) => field.list === list).map(({ name }) => name);
      return [list, [...new Set([...declared, ...others])]];
    }),
  );
}

const hongKong = (replies: readonly ArchivedFetch[]): ReplyBase => ({
  name: 'hk-marine-department',
  source: hkMarineDepartment,
  replies,
  layout: xmlLayout('G_SQL1'),
  names: ['CALL_SIGN', 'IMO_NO'],
  fields: fieldsOf(hkMarineDepartment, {
    RP05005IXML: ['SHIP_TYPE'],
    RP05505IXML: ['SHIP_TYPE'],
    RP06005IXML: ['SHIP_TYPE', 'IMO_NO'],
  }),
  lies: [
    { kind: 'the reply of hours ago', what: 'all files', alter: () => replies[0]?.files ?? new Map() },
    {
      kind: 'files exchanged',
      what: 'all files',
      alter: (files) => {
        const names = [...files.keys()];
        return new Map([...files.values()].map((bytes, at) => [names[(at + 1) % names.length] ?? '', bytes]));
      },
    },
  ],
});

const taiwan = (name: string, replies: readonly ArchivedFetch[], hours: number): ReplyBase => {
  const good = replies.at(-1);
  const old = replies.findLast(
    ({ fetchedAt }) => fetchedAt <= (good?.fetchedAt ?? 0) - hours * 60 * MINUTE_MS,
  );
  return {
    name,
    source: tipcTaiwan,
    replies,
    layout: xmlLayout('SHIP'),
    names: ['VISA_NO', 'VESSEL_ENAME'],
    fields: fieldsOf(tipcTaiwan, { IN_PORT: [], OUT_PORT: [] }),
    lies: [
      {
        kind: 'the reply of hours ago',
        what: `${hours} h, as of now`,
        alter: (files) => new Map([...(old?.files ?? []), ...requestOf(files)]),
      },
      {
        kind: 'the reply of another port',
        what: 'the lists of one port for two',
        alter: (files) =>
          new Map(
            [...files].flatMap(([file, bytes]) => [
              [file, bytes],
              [file.replace('KHH', 'TXG'), bytes],
            ]),
          ),
      },
    ],
  };
};

const requestOf = (files: FetchedFiles): [string, Uint8Array][] =>
  [...files].filter(([name]) => name === 'request.json');

/** The same reply, fetched again: a later reply of a feed of changes may be equal. */
const again = (reply: ArchivedFetch, minutes: number): ArchivedFetch => ({
  ...reply,
  fetchedAt: reply.fetchedAt + minutes * MINUTE_MS,
});

/** The reply to a request for the changes of some hours in all ports, as the source sends it. */
const asked = ({ fetchedAt, files }: ArchivedFetch, hours: number): ArchivedFetch => ({
  fetchedAt,
  files: new Map([...files, [REQUEST_FILE, requestNote(fetchedAt - hours * 60 * MINUTE_MS)]]),
});

/** The reply, made some minutes later, with a call more for each ten of them: it arrived eight minutes before. */
function grown(reply: ArchivedFetch, minutes: number): ArchivedFetch {
  const stamp = (at: number): string => new Date(at).toISOString().replace('Z', '+0000');
  const arrivals = Array.from({ length: minutes / 10 }, (_, index) => index + 1);
  const files = callsLayout.edit(reply.files, 'portCalls', (rows) => {
    const [row = {}] = rows;
    const [area = {}] = (row.portAreaDetails ?? []) as Row[];
    const calls = arrivals.map((number): Row => {
      const ataAt = reply.fetchedAt + (number * 10 - 8) * MINUTE_MS;
      return {
        ...row,
        portCallId: 90_000_000 + number,
        imoLloyds: 9_900_000 + number,
        vesselName: `ARRIVAL ${number}`,
        portCallTimestamp: stamp(ataAt + MINUTE_MS),
        portAreaDetails: [{ ...area, ata: stamp(ataAt), atd: null }],
      };
    });
    return [...rows, ...calls];
  });
  const fetchedAt = reply.fetchedAt + minutes * MINUTE_MS;
  const updated = new Date(fetchedAt - MINUTE_MS).toISOString();
  return {
    fetchedAt,
    files: mapFiles(files, (text) => JSON.stringify({ ...JSON.parse(text), portCallsUpdated: updated })),
  };
}

/** A reply with `times` the calls, which is that of a country rather than of a port. */
const manifold = (reply: ArchivedFetch, times: number): ArchivedFetch => ({
  ...reply,
  files: callsLayout.edit(reply.files, 'portCalls', (rows) =>
    Array.from({ length: times }, (_, copy) =>
      rows.map(
        (row): Row => ({
          ...row,
          portCallId: Number(row.portCallId) + copy * 10_000_000,
          imoLloyds: Number(row.imoLloyds) + copy,
          vesselName: `${String(row.vesselName)} ${copy}`,
        }),
      ),
    ).flat(),
  ),
});

const finland = (name: string, replies: readonly ArchivedFetch[]): ReplyBase => ({
  name,
  source: fintrafficDigitraffic,
  replies,
  layout: callsLayout,
  names: ['portCallId', 'imoLloyds', 'mmsi'],
  fields: fieldsOf(fintrafficDigitraffic, { portCalls: [], portAreaDetails: [] }),
  lies: [
    {
      kind: 'the reply of another port',
      what: 'portCalls.portToVisit',
      alter: (files) =>
        callsLayout.edit(files, 'portCalls', (rows) => rows.map((row) => ({ ...row, portToVisit: 'FIHEL' }))),
    },
  ],
});

const imports = (name: string, replies: readonly ArchivedFetch[], columns: readonly string[]): ReplyBase => ({
  name,
  source: usCensusTrade,
  replies,
  layout: tableLayout,
  names: ['I_COMMODITY'],
  fields: { table: columns },
});

/** Each list of arrivals in the place of the list of departures of its day, and the other way round. */
function exchanged(files: FetchedFiles): FetchedFiles {
  const twin: Readonly<Record<string, string>> = { arrivals: 'departures', departures: 'arrivals' };
  return new Map(
    [...files].map(([name, bytes]) => {
      const [list = '', day = ''] = name.split(/-(.*)/s);
      const other = files.get(`${twin[list]}-${day}`);
      if (other === undefined) return [name, bytes];
      const text = new TextDecoder().decode(other);
      return [
        name,
        new TextEncoder().encode(
          text.replaceAll(
            /(?:arrived|departed)Time/g,
            `${list.slice(0, -1).replace('arrival', 'arrived').replace('departure', 'departed')}Time`,
          ),
        ),
      ];
    }),
  );
}

const singapore = (name: string, replies: readonly ArchivedFetch[]): ReplyBase => ({
  name,
  source: mpaSingapore,
  replies,
  layout: dayListLayout,
  names: ['callSign', 'imoNumber'],
  fields: {
    arrivals: ['arrivedTime', 'callSign', 'imoNumber'],
    departures: ['departedTime', 'callSign', 'imoNumber'],
    vessels: ['imoNumber', 'grossTonnage'],
  },
  lies: [
    { kind: 'files exchanged', what: 'arrivals and departures', alter: exchanged },
    { kind: 'the reply of hours ago', what: 'all files', alter: () => replies[0]?.files ?? new Map() },
  ],
});

const korea = (name: string, replies: readonly ArchivedFetch[]): ReplyBase => ({
  name,
  source: portmisKorea,
  replies,
  layout: pageLayout,
  names: ['clsgn', 'etryptCo', 'prtAgCd'],
  fields: {
    events: ['clsgn', 'prtAgCd', 'etryptCo', 'vsslKndCd', 'aprtfEtryptDt'],
    'details of events': ['cntrlNm', 'cntrlOpertDt', 'fcltyCd'],
    entries: ['clsgn', 'etryptCo'],
    'details of entries': ['etryptDt'],
    'details of exits': ['tkoffDt'],
  },
  lies: [
    {
      kind: 'the reply of another port',
      what: 'the pages of one authority for two',
      alter: (files) =>
        new Map(
          [...files].map(([name, bytes]) => [name, files.get(name.replace('-030-', '-020-')) ?? bytes]),
        ),
    },
    { kind: 'the reply of hours ago', what: 'all files', alter: () => replies[0]?.files ?? new Map() },
  ],
});

const polled = (name: string, base: PositionBase, fields: readonly string[]): ReplyBase => ({
  name,
  ...base,
  layout: featureLayout,
  names: ['mmsi'],
  fields: { features: fields },
  lies: [
    { kind: 'the reply of hours ago', what: 'all files', alter: () => base.replies[0]?.files ?? new Map() },
  ],
});

const daily = (
  name: string,
  base: PositionBase,
  names: readonly string[],
  fields: readonly string[],
): ReplyBase => {
  const before = base.replies.at(-5)?.files ?? new Map<string, Uint8Array>();
  return {
    name,
    ...base,
    layout: csvLayout,
    names,
    fields: { rows: fields },
    lies: [
      {
        kind: 'the reply of the day before',
        what: 'under the name of the day',
        alter: (files) =>
          new Map([...files.keys()].map((file) => [file, [...before.values()][0] ?? new Uint8Array()])),
      },
    ],
  };
};

/** A base by name, made when it is needed. */
export interface NamedBase {
  readonly name: string;
  make(): ReplyBase;
}

const first = <T>(items: readonly T[]): T => {
  const [item] = items;
  if (item === undefined) throw new Error('there are no recordings');
  return item;
};

function importBases(): NamedBase[] {
  const [consumption, general] = ['20210805', '20250301'].map((stamp) =>
    first(recordedFetches('us-census-trade', stamp)),
  );
  if (consumption === undefined || general === undefined) throw new Error('there are no recordings');
  const days = [1, 2, 3, 4];
  const columns = ['I_COMMODITY', 'CON_VAL_MO', 'CTY_NAME', 'COMM_LVL', 'time'];
  const generalColumns = ['I_COMMODITY', 'CTY_CODE', 'GEN_VAL_MO', 'YEAR', 'MONTH', 'COMM_LVL'];
  const later = (reply: ArchivedFetch): ArchivedFetch[] => days.map((day) => again(reply, day * 24 * 60));
  const make = (name: string, replies: readonly ArchivedFetch[], fields: readonly string[]): NamedBase => ({
    name,
    make: () => imports(name, replies, fields),
  });
  return [
    make('us-census-trade', [consumption, ...later(consumption)], columns),
    make('us-census-trade, general imports', [consumption, general, ...later(general)], generalColumns),
  ];
}

/** The changes of a port that grows by one arrival every ten minutes. Rauma's own seven calls are too few to judge: it is eight times itself. */
function finlandReplies(): ArchivedFetch[] {
  const many = manifold(first(recordedFetches('fintraffic-digitraffic', '2019')), 8);
  return [asked(many, 24), ...[10, 20, 30, 40].map((minutes) => asked(grown(many, minutes), 6))];
}

/** After the last altered poll three that state later events: new ones come about once an hour. */
function hongKongReplies(): ArchivedFetch[] {
  const polls = recordedFetches('hk-marine-department', '202510');
  return polls.filter((_, index) => index < 29 || [30, 32, 37].includes(index));
}

const POLLED_FIELDS = ['longitude', 'latitude', 'mmsi'];
const OPEN_WATERS_FIELDS = ['seen', 'sog', 'heading', 'nav_status', 'type'];
const NORWEGIAN_FIELDS = ['date_time_utc', 'speed', 'true_heading', 'status', 'ship_type'];
const AMERICAN_FIELDS = ['longitude', 'latitude', 'mmsi', 'base_date_time', 'sog', 'heading'];
const DANISH_FIELDS = ['Longitude', 'Latitude', 'MMSI', '# Timestamp', 'SOG', 'Heading'];

/** Every base of the campaign; those of Taiwan are read from `folders`, archives with polls of Kaohsiung. */
export function replyBases(folders: readonly string[] = []): NamedBase[] {
  const named = (name: string, make: (name: string) => ReplyBase): NamedBase => ({
    name,
    make: () => make(name),
  });
  return [
    named('hk-marine-department', () => hongKong(hongKongReplies())),
    named('fintraffic-digitraffic, Rauma eight times', (name) => finland(name, finlandReplies())),
    ...importBases(),
    named('mpa-singapore, made-up replies', (name) => singapore(name, singaporeReplies(14))),
    named('portmis-korea, made-up replies', (name) => korea(name, koreaReplies(14))),
    named('open-waters-ais, generated traffic', (name) =>
      polled(name, openWatersBase(), [...POLLED_FIELDS, ...OPEN_WATERS_FIELDS]),
    ),
    named('kystdatahuset-ais, generated traffic', (name) =>
      polled(name, kystdatahusetBase(), [...POLLED_FIELDS, ...NORWEGIAN_FIELDS]),
    ),
    named('noaa-marinecadastre-ais, generated traffic', (name) =>
      daily(name, noaaBase(), ['mmsi'], [...AMERICAN_FIELDS, 'vessel_type', 'status']),
    ),
    named('dma-ais, generated traffic', (name) =>
      daily(name, dmaBase(), ['MMSI'], [...DANISH_FIELDS, 'Ship type', 'Navigational status']),
    ),
    ...folders
      .filter((folder) => existsSync(join(folder, 'tipc-taiwan')))
      .map((folder) =>
        named('tipc-taiwan, Kaohsiung every hour', (name) =>
          taiwan(name, fetchesIn(join(folder, 'tipc-taiwan')).slice(0, 32), 24),
        ),
      ),
  ];
}
