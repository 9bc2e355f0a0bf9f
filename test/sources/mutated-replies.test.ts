/** Spoiled replies of every source: nothing escapes but a refusal, and nothing unsound is let through. */
import { describe, expect, it } from '@jest/globals';
import { source as dmaAis } from '../../core/sources/dma-ais/source.ts';
import { source as fintrafficDigitraffic } from '../../core/sources/fintraffic-digitraffic/source.ts';
import { source as hkMarineDepartment } from '../../core/sources/hk-marine-department/source.ts';
import { source as kystdatahusetAis } from '../../core/sources/kystdatahuset-ais/source.ts';
import { source as mpaSingapore } from '../../core/sources/mpa-singapore/source.ts';
import { source as noaaMarinecadastreAis } from '../../core/sources/noaa-marinecadastre-ais/source.ts';
import { source as openWatersAis } from '../../core/sources/open-waters-ais/source.ts';
import { source as portmisKorea } from '../../core/sources/portmis-korea/source.ts';
import { randomStream } from '../../core/sources/sample-simulator/source.ts';
import { source as tipcTaiwan } from '../../core/sources/tipc-taiwan/source.ts';
import { source as usCensusTrade } from '../../core/sources/us-census-trade/source.ts';
import { type FetchedFiles, RefusedReply, type Source } from '../../core/upstream/source.ts';
import { extent } from '../builders/extent.ts';
import { collection } from '../builders/geojson-feed.ts';
import { hkReport } from '../builders/hk-polls.ts';
import { mutated } from '../builders/mutated-reply.ts';
import { expectSound } from '../builders/report-check.ts';
import { filesOf } from '../builders/source-replies.ts';
import { area, call, envelope, visit } from './fintraffic-digitraffic/port-calls.ts';
import * as norway from './kystdatahuset-ais/snapshots.ts';
import * as singapore from './mpa-singapore/replies.ts';
import { dayText, DAY as NOAA_DAY } from './noaa-marinecadastre-ais/day-texts.ts';
import { canaries, feature } from './open-waters-ais/polls.ts';
import * as korea from './portmis-korea/replies.ts';
import { big5, inbound, listText, outbound, REQUEST } from './tipc-taiwan/vessel-lists.ts';
import { HEADER, row } from './us-census-trade/tables.ts';

const FETCHED_AT = Date.parse('2026-03-10T12:01:00Z');
/** A slice; MUTATIONS in the environment asks for more. */
const RUNS = Number(process.env.MUTATIONS ?? extent(240, 600));
const SEED = Number(process.env.MUTATION_SEED ?? 20_260_310);
/** Beyond what the process holds before, with garbage that is not collected yet; a leak is far above it in a long run. */
const MAX_GROWTH_BYTES = 512 * 1024 * 1024;
const SAMPLED_EVERY = 500;

/** A file of a reply that is wrong as a whole, and the reasons for which it may be refused. */
const SPOILT: readonly (readonly [string, (file: Uint8Array, source: Source) => Uint8Array, RegExp])[] = [
  ['a web page', () => Buffer.from('<!doctype html><title>Maintenance</title>'), /^html$/],
  ['empty', () => new Uint8Array(), /^(empty|malformed)$/],
  [
    'cut off',
    (file) => file.slice(0, Math.floor(file.length * 0.6)),
    /^(malformed|truncated|incomplete(-day)?|broken-rows)$/,
  ],
  [
    'of another encoding',
    (file) => Buffer.from(`\ufeff${Buffer.from(file)}`, 'utf16le'),
    /^(encoding|malformed)$/,
  ],
  [
    'ten times too large',
    (_, { declaration }) => new Uint8Array(declaration.maxReplyBytes * 10),
    /^too-large$/,
  ],
];

interface Sample {
  readonly source: Source;
  /** Texts of the reply, by name. */
  readonly texts: Readonly<Record<string, string>>;
  /** Texts as the files of a fetch. */
  readonly pack: (texts: Readonly<Record<string, string>>) => FetchedFiles;
}

const COMMON = { CALL_SIGN: 'VRAB1', VESSEL_NAME: 'EXAMPLE ', SHIP_TYPE: 'CONTAINER', AGENT_NAME: 'AGENT' };
const report = (root: string, row: Readonly<Record<string, string>>): string =>
  Buffer.from(hkReport(root, [{ ...COMMON, ...row }])).toString();

/** A day of Aarhus in the Danish layout, one row every quarter of an hour. */
const DANISH_DAY = [
  '# Timestamp,Type of mobile,MMSI,Latitude,Longitude,Navigational status,ROT,SOG,COG,Heading,IMO,Callsign,Name,Ship type',
  ...Array.from({ length: 96 }, (_, index) => {
    const time = new Date(index * 15 * 60_000).toISOString().slice(11, 19);
    return `05/01/2026 ${time},Class A,219000001,56.15,10.22,Moored,,0.1,12,180,9074729,OX1,ONE,Cargo`;
  }),
  '05/01/2026 23:59:00,Class A,219000001,56.15,10.22,Moored,,0.1,12,180,9074729,OX1,ONE,Cargo',
].join('\n');

const SAMPLES: readonly Sample[] = [
  {
    source: fintrafficDigitraffic,
    pack: filesOf,
    texts: {
      'request.json': '{"from":"2026-03-10T05:00:00Z"}',
      'port-calls-000.json': JSON.stringify(
        envelope(
          call({ portAreaDetails: [area({ ata: '2026-03-09T10:00:00Z', atd: '2026-03-10T10:00:00Z' })] }),
          call({
            portCallId: 2,
            portToVisit: 'FIHEL',
            vesselTypeCode: 20,
            portAreaDetails: [area(), area({ portAreaCode: 'ANK' })],
          }),
          // A field that one of a few rows lacks must not count as a field that is gone.
          ...[3, 4, 5, 6].map((portCallId) => call({ portCallId })),
        ),
      ),
      'visits-000.json': JSON.stringify([
        visit({ ata: '2026-03-10T04:10:00Z', atd: '2026-03-10T10:00:00Z' }),
      ]),
      'vessels.json': '[{"imo":9307384,"shipType":60}]',
    },
  },
  {
    source: usCensusTrade,
    pack: filesOf,
    texts: {
      'imports-hs2.json': JSON.stringify([
        HEADER,
        row(),
        row('84', '2025-12', '77'),
        row('8517', '2026-01', '5'),
      ]),
    },
  },
  {
    source: hkMarineDepartment,
    pack: filesOf,
    texts: {
      'RP05005i.XML': report('RP05005IXML', {
        CURRENT_LOCATION: 'KWAI CHUNG BERTH 1',
        ARRIVAL_TIME: '10-MAR-2026 18:47',
        REMARK: 'Departed',
      }),
      'RP05505i.XML': report('RP05505IXML', { ATD_TIME: '2026/03/10 19:00', LAST_BERTH: 'BERTH 1' }),
      'RP06005i.XML': report('RP06005IXML', {
        CURRENT_LOCATION: 'SOUTH CHEUNG CHAU ANCHORAGE',
        ARRIVAL_TIME: '2026/03/10 03:37',
      }),
    },
  },
  {
    source: tipcTaiwan,
    // Text that mutation makes outside Big5 is sent as UTF-8, which is an encoding to refuse.
    pack: (texts) => new Map(Object.entries(texts).map(([name, text]) => [name, encoded(text)])),
    texts: {
      'request.json': REQUEST,
      'in-port-KHH.xml': listText('IN_PORT', [
        inbound({ ARRV_DT: '202603080300' }),
        inbound({ VISA_NO: 'AKHH115000002', VESSEL_ENAME: 'SEA&LAND NO.6', ACT_PORT_DT: '' }),
        ...[3, 4, 5, 6].map((row) => inbound({ VISA_NO: `AKHH11500000${row}`, VESSEL_ENAME: `SEA ${row}` })),
      ]),
      'out-port-KHH.xml': listText('OUT_PORT', [outbound()]),
    },
  },
  {
    source: stepped(kystdatahusetAis),
    pack: filesOf,
    texts: {
      'vessels.geojson': collection([
        norway.feature(FETCHED_AT, { speed: 0.1, status: 5, imo: 9_074_729 }),
        ...norway.surroundings(FETCHED_AT),
      ]),
    },
  },
  {
    source: stepped(openWatersAis),
    pack: filesOf,
    texts: {
      'vessels-1.geojson': collection([
        feature(FETCHED_AT, { sog: 0.1, heading: 90, nav_status: 5, imo: 9074729 }),
        feature(FETCHED_AT, { mmsi: 205_000_002, age: 600 }),
        ...canaries(FETCHED_AT),
      ]),
    },
  },
  {
    source: stepped(noaaMarinecadastreAis),
    pack: filesOf,
    texts: { [`ais-${NOAA_DAY}.csv`]: dayText() },
  },
  { source: stepped(dmaAis), pack: filesOf, texts: { 'aisdk-2026-01-05.csv': DANISH_DAY } },
  {
    source: portmisKorea,
    pack: filesOf,
    texts: {
      'request.json': korea.REQUEST,
      'events-020-0-1.xml': korea.pageText([
        korea.eventItem(),
        korea.eventItem(korea.EVENTS.slice(0, 2), { clsgn: 'D8YY', etryptCo: '006' }),
      ]),
      'entries-020-0-1.xml': korea.pageText([korea.declaration()]),
      'exits-020-0-1.xml': korea.pageText([korea.declaration([korea.entry(), korea.exit()])]),
    },
  },
  {
    source: mpaSingapore,
    pack: filesOf,
    texts: {
      'request.json': singapore.REQUEST,
      'arrivals-2026-03-09.json': JSON.stringify([
        singapore.arrival(),
        singapore.arrival({}, { imoNumber: '9074729' }),
      ]),
      'departures-2026-03-10.json': JSON.stringify([singapore.departure()]),
      'declarations-2026-03-09.json': JSON.stringify([singapore.declaration()]),
      'movements-9301237.json': JSON.stringify(singapore.MOVEMENTS),
    },
  },
];

/** Reads positions as the ingest does: a step from the beginning, then its calls. */
function stepped(source: Source): Source {
  const { step, days, parse } = source;
  return {
    ...source,
    parse: (fetched) => {
      const calls = new Map(fetched.files);
      const made = step?.(fetched, undefined).calls;
      for (const [name, bytes] of made ?? []) calls.set(name, bytes);
      const day = days?.dayOf(fetched.files);
      for (const region of day === undefined ? [] : Object.keys(source.declaration.regions ?? {})) {
        const { files } = fetched;
        const asOfAt = Date.parse(`${day}T00:00:00Z`) + 86_400_000;
        const input = { region, files, before: undefined, asOfAt, recordedAt: asOfAt, replaced: undefined };
        for (const [name, bytes] of days?.step(input).calls ?? []) calls.set(name, bytes);
      }
      return parse({ ...fetched, files: calls });
    },
  };
}

function encoded(text: string): Uint8Array {
  try {
    return big5(text);
  } catch {
    return Buffer.from(text, 'utf8');
  }
}

/** What became of a fetch: taken whole, in part, or the reason of its refusal. Anything else thrown fails the test. */
function outcome({ source }: Sample, files: FetchedFiles): string {
  try {
    const parsed = source.parse({ fetchedAt: FETCHED_AT, files });
    expectSound(parsed, source.declaration, FETCHED_AT);
    // Rows of positions are counted, not refused one by one.
    const { broken = 0, old = 0, future = 0 } = parsed.counts ?? {};
    return parsed.refusals.count > 0 || broken + old + future > 0 ? 'in part' : 'taken';
  } catch (error) {
    if (error instanceof RefusedReply) return error.reason;
    throw error;
  }
}

describe.each(SAMPLES.map((sample) => [sample.source.declaration.id, sample] as const))(
  '%s',
  (_id, sample) => {
    it('takes its good sample', () => {
      expect(outcome(sample, sample.pack(sample.texts))).toBe('taken');
    });

    it(`survives ${RUNS} spoiled replies (seed ${SEED})`, () => {
      const random = randomStream(SEED);
      const names = Object.keys(sample.texts);
      const seen = new Set<string>();
      const before = process.memoryUsage.rss();
      let most = before;
      for (let run = 0; run < RUNS; run += 1) {
        if (run % SAMPLED_EVERY === 0) most = Math.max(most, process.memoryUsage.rss());
        const name = names[Math.floor(random() * names.length)] ?? '';
        const texts = { ...sample.texts, [name]: mutated(sample.texts[name] ?? '', random) };
        try {
          seen.add(outcome(sample, sample.pack(texts)));
        } catch (error) {
          throw new Error(`run ${run}: ${JSON.stringify(texts[name]).slice(0, 2_000)}`, { cause: error });
        }
      }
      // A slice in which nothing was ever refused, or nothing taken, would test nothing.
      expect([...seen]).toEqual(expect.arrayContaining(['taken', 'in part']));
      expect(most - before).toBeLessThan(MAX_GROWTH_BYTES);
    });

    // A day is read as a stream, with limits of its own: noaa-marinecadastre-ais/day-cut.test.ts.
    it.each(sample.source.days ? SPOILT.slice(0, -1) : SPOILT)(
      'refuses a reply that is %s',
      (_what, spoil, reason) => {
        const spoilt = [...sample.pack(sample.texts)].map(
          ([name, file]) => [name, name === 'request.json' ? file : spoil(file, sample.source)] as const,
        );
        expect(outcome(sample, new Map(spoilt))).toMatch(reason);
      },
    );
  },
);
