/** The section of docs/ais-accuracy.md about figures served: of each port, from positions and from the true calls. */

import {
  dayFilesOf,
  type Feed,
  figuresOfFeed,
  livePollsEvery,
  type PortFigures,
  shareAmong,
} from '../../test/worlds/traffic/served-figures.ts';
import { type FullTable, tableLink, writeTable } from '../accuracy/report.ts';

const TRAFFIC = {
  seed: 1,
  startAt: Date.UTC(2026, 0, 5),
  days: 9,
  vessels: 240,
  fixSeconds: 300,
  hard: false,
};
const LIVE_PORTS = ['USLAX', 'USLGB', 'USHOU', 'USNYC', 'USSAV'];
const DAY_PORTS = ['USOAK', 'USSEA', 'USORF'];

const RUNS: readonly { readonly name: string; readonly feed: Feed; readonly ports: readonly string[] }[] = [
  { name: 'live polls', feed: livePollsEvery(5), ports: LIVE_PORTS },
  { name: 'day files', feed: dayFilesOf(), ports: DAY_PORTS },
];

/** Largest difference of the trend's average wait on a day that both have, in hours. */
function largestOff(served: PortFigures, expected: PortFigures): number {
  const waits = new Map(served.trend.map((row) => [row.date, row.avg_wait_hours]));
  return Math.max(
    0,
    ...expected.trend.flatMap(({ date, avg_wait_hours: wait }) => {
      const found = waits.get(date);
      return found === undefined ? [] : [Math.abs(found - wait)];
    }),
  );
}

function cells(served: PortFigures, expected: PortFigures): string[] {
  const pair = (figure: (of: PortFigures['snapshot']) => number): string =>
    `${figure(served.snapshot)} / ${figure(expected.snapshot)}`;
  return [
    pair((snapshot) => snapshot.avg_wait_hours),
    pair((snapshot) => snapshot.congestion_score),
    pair(({ vessels }) => vessels.at_anchor),
    pair(({ vessels }) => vessels.in_port),
    largestOff(served, expected).toFixed(1),
    shareAmong(expected.dwell, served.dwell).toFixed(3),
    shareAmong(served.dwell, expected.dwell).toFixed(3),
  ];
}

const HEADINGS = [
  'Port',
  'Average wait h',
  'Score',
  'At anchor',
  'In port',
  'Trend, largest error h',
  'True stays served',
  'Served stays true',
] as const;

/** Runs the service over the traffic once a feed; about two minutes of processor time. Writes the table of the ports. */
export async function servedSection(): Promise<string> {
  const rows: string[][] = [];
  for (const { name, feed, ports } of RUNS) {
    const { served, expected } = await figuresOfFeed(feed, TRAFFIC, ports);
    for (const port of ports) {
      const [ours, theirs] = [served.get(port), expected.get(port)];
      if (ours === undefined || theirs === undefined) throw new Error(`no figures of ${port}`);
      const row = [`${port}, ${name}`, ...cells(ours, theirs)];
      console.log(row.join(' | '));
      rows.push(row);
    }
  }
  const byPort: FullTable = {
    name: 'stays-served',
    title: 'Each port, by positions / by the true calls',
    columns: HEADINGS,
    rows,
  };
  writeTable(byPort);
  const column = (heading: (typeof HEADINGS)[number]): string[] =>
    rows.map((row) => row[HEADINGS.indexOf(heading)] ?? '');
  /** Largest difference of a pair of figures. */
  const off = (heading: (typeof HEADINGS)[number], decimals: number): string =>
    Math.max(
      ...column(heading).map((pair) => {
        const [ours = Number.NaN, theirs = Number.NaN] = pair.split(' / ').map(Number);
        return Math.abs(ours - theirs);
      }),
    ).toFixed(decimals);
  const lowest = (heading: (typeof HEADINGS)[number]): string =>
    Math.min(...column(heading).map(Number)).toFixed(3);
  return `## Served from live polls and from day files

${TRAFFIC.days} days of ${TRAFFIC.vessels} cargo vessels of the first generator, a fix every five minutes, through the whole service, beside the true calls as
records; ${rows.length} ports. At the end of the last day the average wait differs by at most ${off('Average wait h', 1)} h, the score by ${off('Score', 3)},
\`at_anchor\` by ${off('At anchor', 0)} and \`in_port\` by ${off('In port', 0)}: vessels that have just moved, and those that still wait in shared roadsteads.
Over the seven days before, the trend differs by at most
${Math.max(...column('Trend, largest error h').map(Number)).toFixed(1)} h; at least ${lowest('True stays served')} of the true stays are served and ${lowest('Served stays true')} of the served ones true (of the same kind, the start within 15 minutes and
the length within half an hour).

${tableLink(byPort)}`;
}
