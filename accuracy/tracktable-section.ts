/** The engine on real tracks of many ports, as a part of the accuracy page: every stay of a foreign-flag vessel, with what is wrong in it. */
import { HOUR_MS, type Instant } from '../core/reference/time.ts';
import { type Section, table } from './report.ts';
import { svgPlot } from './svg-plot.ts';
import { type JudgedStay, studyTracks, TRACK_FILES, type TrackStudy } from './tracktable-study.ts';

export const TRACKTABLE = { id: 'tracktable', title: 'Real tracks of US coasts' } as const;

const thousands = (count: number): string => count.toLocaleString('en');
const clock = (at: Instant): string =>
  new Date(at).toISOString().slice('YYYY-'.length, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ');
const sumOf = (studies: readonly TrackStudy[], count: (study: TrackStudy) => number): string =>
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

function curveOf(stays: readonly JudgedStay[], counts: boolean) {
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
  return {
    ...TRACKTABLE,
    body: [
      'Tracks of the Python package `tracktable-data` 1.7.3.1 (Sandia National Laboratories, BSD-2-Clause; made of rows of NOAA, in the public',
      'domain), beside those of New York above: all US coasts on 30 June 2020, Norfolk from 4 to 6 June 2020, New York on 8 December 2020.',
      `${sumOf(studies, ({ rows }) => rows)} rows of ${sumOf(studies, ({ vessels }) => vessels)} vessels state time, position and MMSI alone, so the sources would refuse them (\`no-types\`). ${sumOf(studies, ({ foreign }) => foreign)} vessels have`,
      'a flag of neither the United States nor Canada. Each of their stays, where those judged as merchant vessels were given a cargo type:',
      '',
      table(['MMSI', 'Found', 'Port', 'UTC', 'By hand', 'Wrong'], stays.map(cells)),
      '',
      `${right.length} of ${merchant.length} merchant stays are right, and no other counts. Merchant vessels at rest are cut from these tracks: the others pass. Of vessels of`,
      `the United States and Canada, mostly tugs, ferries and yachts, ${sumOf(studies, ({ others }) => others)} stays are found; without a type nobody can judge them.`,
    ].join('\n'),
    plot: svgPlot({
      title: 'Stays of foreign-flag vessels that have ended, by length',
      xLabel: 'hours',
      yLabel: 'stays within',
      curves: [true, false].map((counts) => curveOf(stays, counts)),
    }),
    plotText: 'Lengths of the stays found, of merchant vessels and of others',
  };
}
