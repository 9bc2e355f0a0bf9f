/** The section of docs/ais-accuracy.md about figures served: of each port, from positions and from the true calls. */
import {
  dayFilesOf,
  type Feed,
  figuresOfFeed,
  livePollsEvery,
  type PortFigures,
  shareAmong,
} from './served-figures.ts';

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
];

/** Runs the service over the traffic once a feed; about two minutes of processor time. */
export async function servedSection(): Promise<string> {
  const rows: string[] = [];
  for (const { name, feed, ports } of RUNS) {
    const { served, expected } = await figuresOfFeed(feed, TRAFFIC, ports);
    for (const port of ports) {
      const [ours, theirs] = [served.get(port), expected.get(port)];
      if (ours === undefined || theirs === undefined) throw new Error(`no figures of ${port}`);
      rows.push(`| ${[`${port}, ${name}`, ...cells(ours, theirs)].join(' | ')} |`);
      console.log(rows.at(-1));
    }
  }
  const table = [`| ${HEADINGS.join(' | ')} |`, `|${'---|'.repeat(HEADINGS.length)}`, ...rows].join('\n');
  return `## Served from live polls and from day files

${TRAFFIC.days} days of ${TRAFFIC.vessels} simulated cargo vessels of the first generator, a fix every five minutes, through the whole service. Beside each
figure is the one that the service gives when the true calls are its records. Snapshot at the end of the last day; trend and dwell of the
seven days before it. A stay is the true one when the kind is the same, the start within 15 minutes and the length within half an hour.
A snapshot can differ by vessels that have just moved (half an hour for an arrival), and in shared roadsteads (Los Angeles and Long Beach, San
Francisco Bay) by those that still wait, which count for the nearest port until they berth.

${table}`;
}
