/** Cyclones at US ports, as a part of the accuracy page: losses found, delay and false alerts of the daily rule. */
import { quantile } from '../../../core/reference/statistics.ts';
import { addDays } from '../../../core/reference/time.ts';
import { mean } from '../../../test/detector/scoring.ts';
import { type FullTable, type Section, svgPlot, tableLink } from '../report.ts';
import { LEAST_USUAL, USUAL_DAYS, type UsualDays } from './daily-rule.ts';
import {
  type Alerts,
  alertsOf,
  alertsOfAll,
  lowestDay,
  type StudiedPort,
  studyPorts,
  type Years,
} from './study.ts';
import { type CyportTables, readCyport } from './tables.ts';

export const CYCLONES = { id: 'cyclones', title: 'Cyclones at US ports' } as const;

/** The rule was chosen on these years and not on later ones. */
const CHOSEN: Years = { from: '2016-01-01', to: '2019-12-31' };
const LATER: Years = { from: addDays(CHOSEN.to, 1), to: '9999-12-31' };

/** Shares of the usual count at which the rule alerts. */
const QUARTER = { share: 0.25, name: 'a quarter' };
const HALF = { share: 0.5, name: 'half' };
const SHARES = [QUARTER, HALF];

const DAYS_OF_QUARTER = 365.25 / 4;

interface Bounds {
  readonly name: string;
  readonly from: number;
  readonly below: number;
}

const LARGE: Bounds = { name: '10 and more', from: 10, below: Number.POSITIVE_INFINITY };
const VESSELS: readonly Bounds[] = [
  LARGE,
  { name: '5 to 9', from: 5, below: 10 },
  { name: '3 and 4', from: LEAST_USUAL, below: 5 },
];
const LOSSES: readonly Bounds[] = [
  { name: 'three quarters and more', from: 0.75, below: Number.POSITIVE_INFINITY },
  { name: 'half to three quarters', from: 0.5, below: 0.75 },
  { name: 'a quarter to half', from: 0.25, below: 0.5 },
];

/** Other choices of the usual count, for seasons and for rest on weekdays. */
const USUALS: readonly { readonly name: string; readonly days: UsualDays }[] = [
  { name: 'the 28 days before', days: USUAL_DAYS },
  { name: 'the year before', days: { known: 365, step: 1 } },
  { name: 'the same weekday of half a year', days: { known: 26, step: 7 } },
];

const isIn = (value: number, { from, below }: Bounds): boolean => from <= value && value < below;

const sized = (ports: readonly StudiedPort[], bounds: Bounds): StudiedPort[] =>
  ports.filter(({ vessels }) => isIn(vessels, bounds));

const lossesIn = ({ losses }: Alerts, bounds: Bounds): Alerts['losses'] =>
  losses.filter(({ loss }) => isIn(loss.size, bounds));

function foundText(losses: Alerts['losses']): string {
  const found = losses.filter(({ delayDays }) => delayDays !== undefined);
  return losses.length === 0 ? '-' : `${found.length} of ${losses.length}`;
}

/** Median delay and the longest, in days. */
function delays({ losses }: Alerts): string[] {
  const days = losses.flatMap(({ delayDays }) => delayDays ?? []).sort((a, b) => a - b);
  return days.length === 0 ? ['-', '-'] : [String(quantile(days, 0.5)), String(days.at(-1))];
}

const falseRate = ({ falseAlerts, calmDays }: Alerts): string =>
  ((falseAlerts / calmDays) * DAYS_OF_QUARTER).toFixed(2);

/** The periods of the tables in which a port lost vessels. */
const periodsIn = ({ passages }: CyportTables): Years[] =>
  [CHOSEN, LATER].filter((years) =>
    passages.some(({ loss, from }) => loss > 0 && years.from <= from && from <= years.to),
  );

const yearsText = ({ from, to }: Years, { days }: CyportTables): string =>
  [from, [to, days.at(-1) ?? to].sort()[0] ?? to].map((day) => day.slice(0, 'YYYY'.length)).join(' to ');

interface Period {
  readonly years: Years;
  readonly text: string;
  readonly ports: readonly StudiedPort[];
}

/** Rows by vessels of the port and share of the usual count. */
const resultRows = ({ text, ports }: Period): string[][] =>
  VESSELS.flatMap((bounds) =>
    SHARES.map(({ share, name }) => {
      const group = sized(ports, bounds);
      const alerts = alertsOfAll(group, share);
      const found = LOSSES.map((size) => foundText(lossesIn(alerts, size)));
      const after = [...delays(alerts), falseRate(alerts), String(alerts.nearAlerts)];
      return [text, bounds.name, String(group.length), name, ...found, ...after];
    }),
  );

/** A row for each loss of a quarter and more. */
function lossRows(ports: readonly StudiedPort[]): string[][] {
  return ports
    .filter(({ vessels }) => vessels >= LEAST_USUAL)
    .flatMap((port) => {
      const byShare = SHARES.map(({ share }) => alertsOf(port, share).losses);
      return port.losses.flatMap((loss, i) => {
        if (!LOSSES.some((bounds) => isIn(loss.size, bounds))) return [];
        const { usual = 0, share = 0 } = lowestDay(port, loss) ?? {};
        const delays = byShare.map((losses) => losses[i]?.delayDays);
        const cells = [loss.size.toFixed(2), usual.toFixed(1), share.toFixed(2)];
        return [[loss.day, loss.name, ...cells, ...delays.map((days) => String(days ?? 'none'))]];
      });
    })
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
}

const foundFrom = ({ losses }: Alerts, size: number): string =>
  foundText(losses.filter(({ loss }) => loss.size >= size));

/** Rows by how the usual count is made, at large ports. */
function usualRows(tables: CyportTables, { years, text, ports }: Period): string[][] {
  const large = new Set(sized(ports, LARGE).map(({ port }) => port));
  const only = { ...tables, ports: tables.ports.filter(({ port }) => large.has(port)) };
  return USUALS.map(({ name, days }) => {
    const alerts = alertsOfAll(studyPorts(only, years, days), HALF.share);
    return [text, name, foundFrom(alerts, HALF.share), falseRate(alerts)];
  });
}

/** The result of the rule at large ports, in a sentence. */
function largeText({ text, ports }: Period): string {
  const [most, half] = SHARES.map(({ share }) => alertsOfAll(sized(ports, LARGE), share));
  if (most === undefined || half === undefined) return '';
  const [median, longest] = delays(most);
  return [
    `${text}: a quarter finds ${foundFrom(most, 1 - QUARTER.share)} losses of three quarters and more, ${median} days after the day of the loss (median; latest ${longest}), with`,
    `${falseRate(most)} false alerts a port and quarter; half finds ${foundFrom(half, HALF.share)} of half and more, with ${falseRate(half)}.`,
  ].join('\n');
}

/** The share of the losses that alerts at the rate of the calm days would meet. */
function byChance({ losses, falseAlerts, calmDays }: Alerts): number {
  const days = losses.map(({ loss }) => loss.span.to - loss.span.from + 1);
  return (falseAlerts / calmDays) * mean(days);
}

/** @param folder of the tables of CyPort */
export function cyclonesSection(folder: string): Section {
  const tables = readCyport(folder);
  const periods = periodsIn(tables).map(
    (years): Period => ({ years, text: yearsText(years, tables), ports: studyPorts(tables, years) }),
  );
  const last = periods.at(-1);
  if (last === undefined) throw new RangeError(`${folder} has no loss from ${CHOSEN.from} on`);
  const results: FullTable = {
    name: 'cyclones-found',
    title: 'Losses found and false alerts by size of the port',
    columns: [
      'Years',
      'Vessels',
      'Ports',
      'At most',
      ...LOSSES.map(({ name }) => `Losses of ${name}`),
      'Median days from the largest loss to the alert',
      'Most days',
      'False alerts a port and quarter',
      'Alerts near a cyclone without a loss',
    ],
    rows: periods.flatMap(resultRows),
  };
  const usuals: FullTable = {
    name: 'cyclones-usual',
    title: 'Other usual counts: seasons, weekdays',
    columns: ['Years', 'Usual count: median of', 'Losses of half found at half', 'False alerts'],
    rows: periods.flatMap((period) => usualRows(tables, period)),
  };
  const losses: FullTable = {
    name: 'cyclones-losses',
    title: 'Each loss',
    columns: [
      'Day of the largest loss',
      'Port',
      'Loss',
      'Usual count',
      'Lowest share of it',
      ...SHARES.map(({ name }) => `First alert at ${name}, days after`),
    ],
    rows: periods.flatMap(({ ports }) => lossRows(ports)),
  };
  const atHalf = alertsOfAll(sized(last.ports, LARGE), HALF.share);
  return {
    ...CYCLONES,
    tables: [results, usuals, losses],
    body: [
      `Vessels present each day at ${tables.ports.length} US ports, and losses by cyclone ([CyPort](https://github.com/ChenchenMobility/CYPORT), Kuai et al. 2025, CC BY 4.0; rates are ours). A daily`,
      `rule stands in for the rule by the hour: at most a quarter, or half, of the median of ${USUAL_DAYS.known} days, and among the four lowest days of a year.`,
      '',
      `At ports of ten vessels and more, ${periods.map(largeText).join('\n')}`,
      '',
      `The rule was chosen on 2016 to 2019, and the losses come from the same counts; chance finds ${(100 * byChance(atHalf)).toFixed(0)}% at half. Fog, ice and floods count as false.`,
      '',
      ...[results, usuals, losses].flatMap((full) => [tableLink(full), '']).slice(0, -1),
    ].join('\n'),
    plot: svgPlot({
      title: 'Lowest count on the days of a cyclone, by the loss that the authors state',
      xLabel: 'largest relative loss',
      yLabel: 'count over the usual one',
      levels: SHARES.map(({ share, name }) => ({ y: share, name })),
      curves: VESSELS.map((bounds) => ({
        name: `${bounds.name} vessels`,
        style: 'dots' as const,
        points: periods.flatMap(({ ports }) =>
          sized(ports, bounds).flatMap((port) =>
            port.losses.map((loss) => [loss.size, lowestDay(port, loss)?.share ?? 0] as const),
          ),
        ),
      })),
    }),
    plotText: 'Lowest count by loss',
  };
}
