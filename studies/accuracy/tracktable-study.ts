/**
 * The engine on real tracks of PyPI's package `tracktable-data` (BSD-2-Clause; rows of NOAA, public domain): time, position and MMSI
 * alone, and few rows of vessels at rest. Each stay found of a foreign-flag vessel stands beside a judgement by hand.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Engine } from '../../core/positions/engine.ts';
import { blankFix } from '../../core/positions/fix.ts';
import { fixedDegrees } from '../../core/positions/geometry.ts';
import { HOUR_MS, type Instant, parseInstant } from '../../core/reference/time.ts';
import { type FoundStay, staysIn } from './new-york-study.ts';
import { type FullTable, type Section, svgPlot, tableLink } from './report.ts';

// A person's judgement of each foreign-flag vessel with a stay.

interface JudgedTrack {
  readonly mmsi: number;
  /** Of its stays that begin then or later, the newest judgement first. */
  readonly from: string;
  /** It is a merchant vessel. */
  readonly counts: boolean;
  readonly judgement: string;
  /** Empty where nothing is wrong. */
  readonly wrong: string;
}

const of = (mmsi: number, from: string, counts: boolean, judgement: string, wrong = ''): JudgedTrack => ({
  mmsi,
  from,
  counts,
  judgement,
  wrong,
});

const JUDGED_TRACKS: readonly JudgedTrack[] = [
  of(311931000, '2020-06-30T00:00Z', true, 'river berth at Gramercy, slow at 04:49, within 14 m from 04:53'),
  of(538006519, '2020-06-30T00:00Z', true, 'river berth at Violet, slow at 11:11, under way by 19:29'),
  of(
    371799000,
    '2020-06-04T00:00Z',
    true,
    'Norfolk International Terminals, alongside at 09:38, under way at 01:45',
  ),
  of(
    311000879,
    '2020-06-04T00:00Z',
    false,
    'Portsmouth Marine Terminal; then sails survey lines at 6 to 7 knots',
  ),
  of(319008700, '2020-06-30T00:00Z', false, 'yacht at a marina of Riviera Beach'),
  of(319649000, '2020-06-30T00:00Z', false, 'yacht at the docks of Beaufort, North Carolina'),
  of(235088662, '2020-06-30T00:00Z', false, 'small craft at its dock in Sausalito', 'found as a wait'),
  of(232021209, '2020-06-30T20:00Z', false, 'small craft at its dock in Carrabelle'),
  of(
    232021209,
    '2020-06-30T00:00Z',
    false,
    'the same dock; the vessel was out from 14:10 to 15:34',
    'two stays, less than two hours apart, found as one',
  ),
  of(378112988, '2020-06-30T00:00Z', false, 'yacht at Charlotte Amalie', 'given to Road Town, 19 nm off'),
  of(339544000, '2020-06-30T00:00Z', false, 'yacht in Magens Bay', 'found as a berth, given to Road Town'),
  of(257020120, '2020-06-30T00:00Z', false, 'yacht at anchor west of Charlotte Amalie'),
  of(538071049, '2020-06-30T00:00Z', false, 'yacht in Fort Lauderdale'),
  of(
    235093499,
    '2020-06-04T00:00Z',
    false,
    'yacht on the Intracoastal Waterway, two of its three stays far from a port',
  ),
];

/** The files of vessels that the recordings of New York do not have. */
const TRACK_FILES = [
  'US_coastal_2020_06_30.traj',
  'VirginiaBeach_2020_06_04_to_06_filtered.traj',
  'NYHarbor_2020_12_08.traj',
] as const;

const CARGO = 70;
/** Nine digits with a country of its own, and not that of the United States or Canada, whose craft are mostly small. */
const FOREIGN = /^(?!303|316|338|36[6-9])[2-7]\d{8}$/;
/** Values of a row: MMSI, time, longitude, latitude. */
const ROW = 4;
/** The word before the six that describe the rows of a track. */
const [HEADER, HEADER_WORDS] = ['*P*', 6];

interface Position {
  readonly mmsi: number;
  readonly at: number;
  readonly latitude: number;
  readonly longitude: number;
}

/** The rows of a file of tracks, by time. @throws RangeError for a row that cannot be read. */
export function readTracks(text: string): Position[] {
  const positions = text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const words = line.split(',');
      const rows = words.slice(words.indexOf(HEADER) + HEADER_WORDS);
      return Array.from({ length: rows.length / ROW }, (_, i): Position => {
        const [mmsi, time = '', longitude, latitude] = rows.slice(ROW * i, ROW * (i + 1));
        const at = parseInstant(`${time.replace(' ', 'T')}Z`);
        if (at === undefined) throw new RangeError(`row ${i + 1} of ${words[1]} has the time ${time}`);
        return { mmsi: Number(mmsi), at, latitude: Number(latitude), longitude: Number(longitude) };
      });
    });
  return positions.sort((a, b) => a.at - b.at);
}

/** A found stay, and a person's judgement of it. */
interface JudgedStay {
  readonly found: FoundStay;
  /** Undefined for a stay that nobody has judged. */
  readonly judged: JudgedTrack | undefined;
}

interface TrackStudy {
  readonly file: string;
  readonly rows: number;
  readonly vessels: number;
  readonly foreign: number;
  /** Stays of foreign-flag vessels, and the number of those of others, whose type nobody knows. */
  readonly stays: readonly JudgedStay[];
  readonly others: number;
}

const isForeign = (mmsi: number): boolean => FOREIGN.test(String(mmsi));

/** Runs the engine over one file of `folder`. Merchant vessels by hand are given a cargo type, all others state none. */
export function studyTracks(folder: string, file: (typeof TRACK_FILES)[number]): TrackStudy {
  const positions = readTracks(readFileSync(join(folder, file), 'utf8'));
  const endAt = positions.at(-1)?.at ?? 0;
  const engine = new Engine({ latest: endAt / 1000 });
  const merchants = new Set(JUDGED_TRACKS.filter(({ counts }) => counts).map(({ mmsi }) => mmsi));
  for (const { mmsi, at, latitude, longitude } of positions)
    engine.push({
      ...blankFix(),
      mmsi,
      time: at / 1000,
      latitude: fixedDegrees(latitude),
      longitude: fixedDegrees(longitude),
      vesselType: merchants.has(mmsi) ? CARGO : 0,
    });
  engine.flush();
  const found = staysIn(engine, endAt / 1000);
  const vessels = new Set(positions.map(({ mmsi }) => mmsi));
  const stays = found
    .filter(({ mmsi }) => isForeign(mmsi))
    .toSorted((a, b) => a.startAt - b.startAt)
    .map((stay) => ({
      found: stay,
      judged: JUDGED_TRACKS.find(({ mmsi, from }) => mmsi === stay.mmsi && stay.startAt >= Date.parse(from)),
    }));
  return {
    file,
    rows: positions.length,
    vessels: vessels.size,
    foreign: [...vessels].filter(isForeign).length,
    stays,
    others: found.length - stays.length,
  };
}

// The engine on real tracks of many ports, as a part of the accuracy page: every stay of a foreign-flag vessel, with what is wrong in it.

export const TRACKTABLE = { id: 'tracktable', title: 'Real tracks of US coasts' } as const;

const thousands = (count: number): string => count.toLocaleString('en');
const clock = (at: Instant): string =>
  new Date(at).toISOString().slice('YYYY-'.length, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ');
const total = (studies: readonly TrackStudy[], count: (study: TrackStudy) => number): string =>
  thousands(studies.reduce((sum, study) => sum + count(study), 0));

function cells({ found, judged }: JudgedStay): string[] {
  return [
    `${found.mmsi}`,
    found.kind,
    found.port ?? 'none',
    `${clock(found.startAt)} to ${found.endAt === undefined ? 'the end' : clock(found.endAt)}`,
    judged === undefined ? 'not judged' : `${judged.counts ? '**merchant**: ' : ''}${judged.judgement}`,
    judged?.wrong || '-',
  ];
}

function curve(stays: readonly JudgedStay[], counts: boolean) {
  const hours = stays
    .filter(({ judged }) => (judged?.counts ?? false) === counts)
    .flatMap(({ found: { startAt, endAt } }) => (endAt === undefined ? [] : (endAt - startAt) / HOUR_MS))
    .sort((a, b) => a - b);
  const name = counts ? 'merchant' : 'other';
  return { name, style: 'dots' as const, points: hours.map((each, i) => [each, i + 1] as const) };
}

/** @param folder of the package's files */
export function tracktableSection(folder: string): Section {
  const studies = TRACK_FILES.map((file) => studyTracks(folder, file));
  const stays = studies.flatMap((study) => study.stays);
  const merchant = stays.filter(({ judged }) => judged?.counts);
  const right = merchant.filter(({ judged }) => judged?.wrong === '');
  const others = stays.filter(({ judged }) => !judged?.counts);
  const faulty = others.filter(({ judged }) => judged?.wrong !== '');
  const judgements: FullTable = {
    name: 'tracktable-stays',
    title: 'Each stay of a vessel of another flag, judged by hand',
    columns: ['MMSI', 'Found', 'Port', 'UTC', 'By hand', 'Wrong'],
    rows: stays.map(cells),
  };
  return {
    ...TRACKTABLE,
    tables: [judgements],
    body: [
      'Tracks of the Python package `tracktable-data` 1.7.3.1 (Sandia National Laboratories, BSD-2-Clause; rows of NOAA, public domain): all US',
      'coasts on 30 June 2020, Norfolk from 4 to 6 June, New York on 8 December.',
      `${total(studies, ({ rows }) => rows)} rows of ${total(studies, ({ vessels }) => vessels)} vessels, without types (\`no-types\`) and without merchant vessels at rest. ${total(studies, ({ foreign }) => foreign)} vessels have`,
      'a flag of neither the United States nor Canada; those judged as merchant vessels were given a cargo type.',
      `${right.length} of ${merchant.length} merchant stays are right, and no other counts; ${faulty.length} of ${others.length} stays of yachts and small craft have something wrong.`,
      '',
      tableLink(judgements),
    ].join('\n'),
    plot: svgPlot({
      title: 'Stays of foreign-flag vessels that have ended, by length',
      xLabel: 'hours',
      yLabel: 'stays within',
      curves: [true, false].map((counts) => curve(stays, counts)),
    }),
    plotText: 'Lengths of the stays found, of merchant vessels and of others',
  };
}
