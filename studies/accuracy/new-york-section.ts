/** The engine on real positions of New York, as a part of the accuracy page: how many stays are right, and the faults of the others. */
import { DEFAULT_PARAMETERS } from '../../core/positions/parameters.ts';
import { type Comparison, ferriesIn, type RealStudy, studyNewYork } from './new-york-study.ts';
import { type FullTable, type Section, svgPlot, tableLink } from './report.ts';

const MAX_MILES = 20;
const HOURS = {
  wait: DEFAULT_PARAMETERS.minWaitSeconds / 3600,
  berth: DEFAULT_PARAMETERS.minBerthSeconds / 3600,
};

const vesselText = ({ found, judged }: Comparison): string =>
  judged?.name || `MMSI ${judged?.mmsi ?? found?.mmsi}`;

/** What is wrong without the distance of the single vessel. */
const findFault = ({ wrong }: Comparison): string =>
  wrong.join('; ').replace(/: [\d.]+ nm from its point/, `, more than ${MAX_MILES} nm from its point`);

/** Rows of the table of faults: the extract, the fault, its stays and vessels. */
function wrongRows(extract: string, { comparisons }: RealStudy): string[][] {
  const wrong = comparisons.filter((comparison) => comparison.wrong.length > 0);
  return [...new Set(wrong.map(findFault))].sort().map((fault) => {
    const stays = wrong.filter((comparison) => findFault(comparison) === fault);
    return [extract, fault, String(stays.length), [...new Set(stays.map(vesselText))].sort().join(', ')];
  });
}

const thousands = (count: number): string => count.toLocaleString('en');

function summary({ comparisons }: RealStudy): string {
  const found = comparisons.filter((comparison) => comparison.found !== undefined);
  const wrong = found.filter((comparison) => comparison.wrong.length > 0);
  const merchant = comparisons.filter(({ judged }) => judged?.counts === true);
  const right = merchant.filter((comparison) => comparison.wrong.length === 0);
  const missed = comparisons.length - found.length;
  return `${found.length} stays found, ${wrong.length} with something wrong; of ${merchant.length} stays of merchant vessels ${right.length} are right, ${missed} missed.`;
}

function hourText(hour: RealStudy): string[] {
  const anchored = hour.comparisons.filter(({ judged }) => judged?.counts && judged.kind === 'wait');
  const served = anchored.filter(({ wrong }) => wrong.length === 0).length;
  const far = anchored.filter(({ found }) => found !== undefined && found.port === undefined);
  const moored = hour.comparisons.filter(({ judged }) => judged?.counts && judged.kind === 'berth');
  return [
    `**An hour**, 30 June 2020, 00:00 to 01:00 UTC: ${thousands(hour.rows)} rows of ${hour.vessels} vessels. ${summary(hour)}`,
    `\`at_anchor\` would be ${hour.counts.atAnchor}, by hand ${anchored.length}: ${far.length} lie more than ${MAX_MILES} nautical miles from the port's point, ${anchored.length - served - far.length} states no type. \`in_port\` would be`,
    `${hour.counts.inPort}, by hand ${anchored.length + moored.length}. ${hour.uncounted.length} more vessels without a type lie still, and rightly do not count.`,
  ];
}

function weekText(week: RealStudy, hour: RealStudy): string[] {
  const ferries = ferriesIn(hour.types);
  const ferryStays = week.uncounted.filter(({ mmsi }) => ferries.has(mmsi));
  const waits = ferryStays.filter(({ kind }) => kind === 'wait');
  return [
    `**A week**, 1 to 7 December 2020: ${thousands(week.rows)} rows of ${week.vessels} vessels without types, which the source refuses (\`no-types\`), and without`,
    'rows of vessels at rest.',
    `With the type of the ${new Set(week.judged.map(({ mmsi }) => mmsi)).size} merchant vessels given by hand: ${summary(week)}`,
    `Missed are stays below ${HOURS.wait} h of wait or ${HOURS.berth} h of berth. Of the other vessels ${week.uncounted.length} stays are found, none of which counts; ${waits.length} of ${ferryStays.length} of ferries are found as waits.`,
  ];
}

/** Judged merchant vessels within a distance of the port's point, by kind. */
function curve({ comparisons }: RealStudy, kind: 'wait' | 'berth') {
  const miles = comparisons.flatMap(({ found, judged }) =>
    judged?.counts && judged.kind === kind && found !== undefined ? [found.miles] : [],
  );
  const points = miles.toSorted((a, b) => a - b).map((mile, index) => [mile, index + 1] as const);
  return { name: kind === 'wait' ? 'at anchor' : 'at a berth', style: 'dots' as const, points };
}

/** @param folder of the recorded rows and of their judgements */
export function newYorkSection(folder: string): Section {
  const [hour, week] = [studyNewYork(folder, 'hour'), studyNewYork(folder, 'week')];
  const wrong: FullTable = {
    name: 'new-york-faults',
    title: 'What is wrong in the stays',
    columns: ['Extract', 'Wrong', 'Stays', 'Vessels'],
    rows: [...wrongRows('hour', hour), ...wrongRows('week', week)],
  };
  return {
    id: 'new-york',
    title: 'New York: real positions',
    tables: [wrong],
    body: [
      'Real rows of NOAA (`recordings/noaa-new-york`), read as by this service, against stays judged by hand (`judged.csv` beside them). A border may',
      'be 15 minutes off.',
      '',
      ...hourText(hour),
      '',
      ...weekText(week, hour),
      '',
      tableLink(wrong),
    ].join('\n'),
    plot: svgPlot({
      title: "Merchant vessels of the hour, by distance from the port's point",
      xLabel: 'nautical miles',
      yLabel: 'vessels within',
      curves: [curve(hour, 'berth'), curve(hour, 'wait')],
      marks: [{ x: MAX_MILES, name: `${MAX_MILES} nm: limit` }],
    }),
    plotText: `Merchant vessels at New York within a distance of the port's point`,
  };
}
