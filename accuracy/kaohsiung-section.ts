/** The part of the accuracy page that lists the figures of a real half-year by methodology 1.1 and 2.0. */
import { quietNoise, studyKaohsiung } from './kaohsiung-study.ts';
import { type Section, table } from './report.ts';
import { mean } from './scoring.ts';
import { svgPlot } from './svg-plot.ts';

export const KAOHSIUNG = {
  id: 'kaohsiung-2025',
  title: 'Kaohsiung, January to June 2025: what methodology 2.0 changes',
} as const;

/** `folder` has the port's lists by month. */
export function kaohsiungSection(folder: string): Section {
  const { days, months } = studyKaohsiung(folder);
  const change = (former: number, served: number, decimals: number): string =>
    `${former.toFixed(decimals)} / ${served.toFixed(decimals)}`;
  const ofDays = (of: typeof days): string[] => [
    change(mean(of.map((day) => day.formerHours)), mean(of.map((day) => day.servedHours)), 2),
    Math.max(...of.map(({ longestHours }) => longestHours)).toFixed(0),
  ];
  const noise = change(
    quietNoise(days, ({ formerScore }) => formerScore),
    quietNoise(days, ({ servedScore }) => servedScore),
    5,
  );
  const halved = days.filter(({ formerHours, servedHours }) => formerHours < servedHours / 2).length;
  return {
    ...KAOHSIUNG,
    body: [
      'From the real lists of the port, by 1.1 / by 2.0. Means of the daily figures; stays are the closed waits of dwell. From 10 January',
      'on, because the lists begin with the year.',
      '',
      table(
        ['Month', '`avg_wait_hours`', 'Longest wait for a berth, h', '`wait` stays', 'Median stay, h'],
        months.map(({ month, former, served }) => [
          month,
          ...ofDays(days.filter(({ day }) => day.startsWith(month))),
          change(former.stays, served.stays, 0),
          change(former.medianHours, served.medianHours, 1),
        ]),
      ),
      '',
      `Over all ${days.length} days the mean is ${ofDays(days)[0]} h; on ${halved} of them 1.1 was less than half. No wait is excluded as too long. The lists`,
      'name a type for every vessel of 500 GT and more.',
      '',
      `On days without a lack of berthings the score changes by ${noise} from one to the next on average. Bar: not more than by 1.1.`,
    ].join('\n'),
    plot: svgPlot({
      title: 'Kaohsiung 2025: average wait by methodology 1.1 and 2.0',
      xLabel: 'day from 10 January',
      yLabel: 'hours',
      curves: [
        {
          name: 'by 1.1',
          style: 'line',
          points: days.map(({ formerHours }, i) => [i, formerHours] as const),
        },
        {
          name: 'by 2.0',
          style: 'line',
          points: days.map(({ servedHours }, i) => [i, servedHours] as const),
        },
      ],
    }),
    plotText: 'The average wait of each day by both methods: 2.0 lies a third above 1.1',
  };
}
