/** Waits by generated positions beside the real record of Kaohsiung, as a part of the accuracy page. */
import { compareWeeks, recordedCalls } from './compared-waits-study.ts';
import type { Section } from './report.ts';
import { svgPlot } from './svg-plot.ts';

const FIRST = '2025-02-10';
const WEEKS = 18;
const POLL_MINUTES = 10;

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** @param folder of TIPC's lists of Kaohsiung, February to June 2025 */
export function comparedWaitsSection(folder: string): Section {
  const weeks = compareWeeks(recordedCalls(folder), FIRST, WEEKS, POLL_MINUTES);
  const sum = (count: (week: (typeof weeks)[number]) => number): number =>
    weeks.reduce((total, week) => total + count(week), 0);
  const errors = weeks.map(
    ({ positions, record }) => (positions.medianHours ?? Number.NaN) - (record.medianHours ?? Number.NaN),
  );
  const largest = errors.reduce((most, error) => (Math.abs(error) > Math.abs(most) ? error : most), 0);
  const curve = (name: string, of: 'positions' | 'record') => ({
    name,
    style: 'line' as const,
    points: weeks.map((week, index) => [index, week[of].medianHours ?? 0] as const),
  });
  return {
    id: 'compared-waits',
    title: 'Waits by positions beside a real record: Kaohsiung, generated positions',
    body: [
      "Real are the calls: TIPC's lists of Kaohsiung, whose rows are not published here. **The positions are made**: each call is sailed as a track",
      `that anchors, berths and leaves at the stated times, heard in 85 % of polls ${POLL_MINUTES} minutes apart, and read by the engine and the comparison of the`,
      'live service. Receivers, places and missing types are not in it: `comparisons` of `GET /v1/meta/sources` has them where a deployment reads both.',
      '',
      `In ${weeks.length} weeks positions show ${sum((week) => week.positions.berthed)} of ${sum((week) => week.record.berthed)} berthings and ${sum((week) => week.positions.delayed)} of ${sum((week) => week.record.delayed)} waits of 3 h or more. Their weekly median is ${Math.abs(mean(errors)).toFixed(1)} h`,
      `${mean(errors) < 0 ? 'shorter' : 'longer'} on average (mean error ${mean(errors.map(Math.abs)).toFixed(1)} h, largest ${largest.toFixed(1)} h): the record counts until the vessel is alongside, positions until it weighs anchor.`,
    ].join('\n'),
    plot: svgPlot({
      title: 'Median wait of the calls that waited 3 h or more',
      xLabel: `weeks from ${FIRST}`,
      yLabel: 'hours',
      curves: [curve('by generated positions', 'positions'), curve("by TIPC's record", 'record')],
    }),
    plotText: 'Weekly median wait at Kaohsiung by generated positions and by the record of the authority',
  };
}
